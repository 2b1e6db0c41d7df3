import Glibc

/// The life of one gyroscope: found, opened, streaming, silent, unplugged, found again.
///
/// A pure machine: it takes what happened and says what to do. Whoever runs it has a worker that
/// does one job at a time and may take any time for it, tells the news to the receivers, and comes
/// back with `.time` at `deadlineNanoseconds`. Events about devices may be missing altogether (no
/// udevd runs): then everything happens by deadlines.
///
/// All times are nanoseconds of CLOCK_MONOTONIC.
package struct DeviceLife: Equatable, Sendable {
  package enum State: Equatable, Sendable {
    /// Not wanted; nothing is held and the worker is free.
    case idle
    /// Wanted; the worker looks for the device and opens it. Where it has not answered by
    /// `tellAt`, the receivers are told; nil: they have been, and its answer is awaited.
    case acquiring(tellAt: Int64?)
    /// Not wanted any more, but the worker is still at it: what it gets is let go at once.
    case abandoning
    /// Wanted and held, but no sample comes: none has yet, or they have ceased. One that comes
    /// streams at once; at `until` the device is let go and opened anew.
    case listening(until: Int64)
    /// Samples come, since `since`. Silence is looked for at `checkAt`, which follows the samples
    /// lazily: a sample costs no timer.
    case streaming(since: Int64, checkAt: Int64)
    /// Wanted; the worker lets go of a device that failed or went. It is tried again at `retryAt`.
    /// `tellAt` as in `acquiring`.
    case renewing(retryAt: Int64, tellAt: Int64?)
    /// Wanted; nothing is held and the worker is free. It is tried again at `retryAt`.
    case waiting(retryAt: Int64)
    /// Not wanted; the worker lets go of the device.
    case releasing
  }

  /// A device that was opened gives its first sample within this time (or three periods).
  static let firstSampleNanoseconds: Int64 = 2_000_000_000
  /// A device that streams is silent after this time (or three periods).
  static let silenceNanoseconds: Int64 = 1_000_000_000
  /// The receivers hear of a worker that has not answered for so long.
  static let answerNanoseconds: Int64 = 3_000_000_000
  /// So much lies between a failed attempt and the next even where events come in a storm.
  static let leastPauseNanoseconds: Int64 = 250_000_000
  /// No gyroscope streams below 0.1 Hz: a longer period is a driver's mistake.
  static let longestPeriodNanoseconds: Int64 = 10_000_000_000

  static let unplugged = DeviceTrouble.lost("unplugged")
  static let unanswered = DeviceTrouble.lost("does not answer")

  package private(set) var state = State.idle
  /// The last news since somebody wants samples.
  private var told: News?
  private var held = Held()
  private var lastSample: Int64 = 0
  private var pauses = RetryPauses()
  private var lastFailure = Int64.min
  /// Whether it was ever held: what is missing from then on is lost.
  private var wasHeld = false
  private var meanwhile = Meanwhile()

  /// The device that the worker has.
  private struct Held: Equatable, Sendable {
    var id = ""
    var periodNanoseconds: Int64 = 0
    var note: String?
  }

  /// What happened while the worker was looking, perhaps behind its back.
  private struct Meanwhile: Equatable, Sendable {
    /// A device came or changed.
    var changed = false
    /// These went. Kept short, whatever comes: one that is not here falls silent.
    var gone: [String] = []
    static let mostGone = 16
  }

  package init() {}

  /// When `.time` is to be given if nothing happens before; nil: only an event goes on from here
  /// (the worker's answer, or somebody's wish).
  package var deadlineNanoseconds: Int64? {
    switch state {
    case .idle, .abandoning, .releasing: nil
    case .acquiring(let tellAt), .renewing(_, let tellAt): tellAt
    case .listening(let until): until
    case .streaming(_, let checkAt): checkAt
    case .waiting(let retryAt): retryAt
    }
  }

  /// Allocates nothing for a sample.
  package mutating func take(_ event: Event, atNanoseconds now: Int64) -> Actions {
    switch event {
    case .sample: sampleCame(now)
    case .time: timeCame(now)
    case .wanted: becameWanted(now)
    case .unwanted: becameUnwanted()
    case .acquired(let id, let period, let note):
      acquired(
        Held(
          id: id, periodNanoseconds: min(max(period, 0), Self.longestPeriodNanoseconds), note: note),
        now)
    case .failed(let trouble): failed(trouble, now)
    case .released: released(now)
    case .readFailed(let number): readFailed(number, now)
    case .deviceRemoved(let id): removed(id, now)
    case .devicesChanged: devicesChanged(now)
    }
  }
}

// MARK: - Wishes

extension DeviceLife {
  private mutating func becameWanted(_ now: Int64) -> Actions {
    switch state {
    case .idle:
      return attempt(now)
    case .abandoning:
      state = .acquiring(tellAt: now + Self.answerNanoseconds)
    case .releasing:
      state = .renewing(retryAt: now, tellAt: now + Self.answerNanoseconds)
    case .acquiring, .listening, .streaming, .renewing, .waiting: break
    }
    return .none
  }

  private mutating func becameUnwanted() -> Actions {
    // Whoever wants samples next hears everything, and gets a prompt first attempt.
    told = nil
    pauses.reset()
    switch state {
    case .acquiring:
      state = .abandoning
    case .listening, .streaming:
      state = .releasing
      return Actions(job: .release)
    case .renewing:
      state = .releasing
    case .waiting:
      state = .idle
    case .idle, .abandoning, .releasing: break
    }
    return .none
  }
}

// MARK: - The worker's answers

extension DeviceLife {
  private mutating func acquired(_ device: Held, _ now: Int64) -> Actions {
    switch state {
    case .acquiring:
      wasHeld = true
      held = device
      guard !meanwhile.gone.contains(device.id) else {
        return wasUnplugged(
          retryAt: meanwhile.changed ? now : now + RetryPauses.longestNanoseconds)
      }
      // A device that gave nothing before is listened to longer each time.
      state = .listening(until: now + max(firstSampleSpan, pauses.nextNanoseconds))
      return .none
    case .abandoning:
      wasHeld = true
      state = .releasing
      return Actions(job: .release)
    case .idle, .listening, .streaming, .renewing, .waiting, .releasing:
      return .none  // Nobody asked for it.
    }
  }

  private mutating func failed(_ trouble: DeviceTrouble, _ now: Int64) -> Actions {
    switch state {
    case .acquiring:
      lastFailure = now
      var pause = RetryPauses.longestNanoseconds
      if case .lost = trouble {
        pause = max(pauses.nextNanoseconds, Self.leastPauseNanoseconds)
        pauses.countFailure()
      }
      if meanwhile.changed || !meanwhile.gone.isEmpty { pause = Self.leastPauseNanoseconds }
      state = .waiting(retryAt: now + pause)
      guard case .none(let reason) = trouble, wasHeld else {
        return Actions(news: news(trouble))
      }
      // That it is missing says no more than that it was unplugged.
      return Actions(news: told == .trouble(Self.unplugged) ? nil : news(.lost(reason)))
    case .abandoning:
      lastFailure = now
      state = .idle
      return .none
    case .idle, .listening, .streaming, .renewing, .waiting, .releasing:
      return .none  // Nobody asked for it.
    }
  }

  private mutating func released(_ now: Int64) -> Actions {
    switch state {
    case .renewing(let retryAt, _):
      if retryAt <= now { return attempt(now) }
      state = .waiting(retryAt: retryAt)
      return .none
    case .releasing:
      state = .idle
      return .none
    case .idle, .acquiring, .abandoning, .listening, .streaming, .waiting:
      return .none  // Nobody asked for it.
    }
  }
}

// MARK: - What the open device does

extension DeviceLife {
  private mutating func sampleCame(_ now: Int64) -> Actions {
    switch state {
    case .streaming:
      lastSample = now
      return .none
    case .listening:
      lastSample = now
      state = .streaming(since: now, checkAt: now + silenceSpan)
      return Actions(news: news(.streaming(note: held.note)))
    case .idle, .acquiring, .abandoning, .renewing, .waiting, .releasing:
      return .none  // One that was still under way when the device was given up.
    }
  }

  private mutating func readFailed(_ number: Int32, _ now: Int64) -> Actions {
    switch state {
    case .listening, .streaming:
      forgive(now)
      let isGone = number == ENODEV || number == ENXIO || number == ENOENT
      // An unplug is no failure of the device's, if it did stream.
      if isGone, case .streaming(let since, _) = state, now - since >= Self.silenceNanoseconds {
        pauses.reset()
        return giveUp(Self.unplugged, retryAt: now)
      }
      let pause = pauses.nextNanoseconds
      pauses.countFailure()
      let trouble =
        isGone ? Self.unplugged : .lost("reading failed: \(String(cString: strerror(number)))")
      return giveUp(trouble, retryAt: now + pause)
    case .idle, .acquiring, .abandoning, .renewing, .waiting, .releasing:
      return .none  // It is given up already.
    }
  }

  /// A device that streamed for long enough starts with a clean sheet.
  private mutating func forgive(_ now: Int64) {
    if case .streaming(let since, _) = state, now - since >= RetryPauses.forgivingNanoseconds {
      pauses.reset()
    }
  }

  private var firstSampleSpan: Int64 {
    max(Self.firstSampleNanoseconds, 3 * held.periodNanoseconds)
  }

  private var silenceSpan: Int64 {
    max(Self.silenceNanoseconds, 3 * held.periodNanoseconds)
  }
}

// MARK: - What the kernel tells

extension DeviceLife {
  private mutating func removed(_ id: String, _ now: Int64) -> Actions {
    switch state {
    case .listening, .streaming:
      guard id == held.id else { return .none }
      return wasUnplugged(retryAt: now + RetryPauses.longestNanoseconds)
    case .acquiring, .abandoning:
      if meanwhile.gone.count < Meanwhile.mostGone { meanwhile.gone.append(id) }
    case .waiting:
      // What is told of a device that was busy or closed may be wrong now.
      guard told?.isLost != true else { return .none }
      return retrySoon(now)
    case .idle, .renewing, .releasing: break
    }
    return .none
  }

  private mutating func devicesChanged(_ now: Int64) -> Actions {
    switch state {
    case .acquiring, .abandoning:
      meanwhile.changed = true
    case .renewing(_, let tellAt):
      state = .renewing(retryAt: now, tellAt: tellAt)
    case .waiting:
      return retrySoon(now)
    case .listening(let until):
      // It may have come in the place of the silent one.
      state = .listening(until: min(until, now + firstSampleSpan))
    case .idle, .streaming, .releasing: break
    }
    return .none
  }

  /// An event is worth an attempt at once, unless the last one has failed a moment ago.
  private mutating func retrySoon(_ now: Int64) -> Actions {
    guard case .waiting(let retryAt) = state else { return .none }
    let soonest = lastFailure + Self.leastPauseNanoseconds
    state = .waiting(retryAt: min(retryAt, soonest))
    return timeCame(now)
  }
}

// MARK: - Time

extension DeviceLife {
  private mutating func timeCame(_ now: Int64) -> Actions {
    switch state {
    case .acquiring(let tellAt?) where now >= tellAt:
      state = .acquiring(tellAt: nil)
      return Actions(news: unansweredNews())
    case .renewing(let retryAt, let tellAt?) where now >= tellAt:
      state = .renewing(retryAt: retryAt, tellAt: nil)
      return Actions(news: unansweredNews())
    case .listening(let until) where now >= until:
      pauses.countFailure()
      return giveUp(Self.silent(forNanoseconds: firstSampleSpan), retryAt: now)
    case .streaming(let since, let checkAt) where now >= checkAt:
      let silentAt = lastSample + silenceSpan
      guard now >= silentAt else {
        state = .streaming(since: since, checkAt: silentAt)
        return .none
      }
      return fellSilent(now)
    case .waiting(let retryAt) where now >= retryAt:
      return attempt(now)
    case .idle, .acquiring, .abandoning, .listening, .streaming, .renewing, .waiting, .releasing:
      return .none
    }
  }

  private mutating func fellSilent(_ now: Int64) -> Actions {
    forgive(now)
    let trouble = Self.silent(forNanoseconds: silenceSpan)
    guard pauses.nextNanoseconds > 0 else {
      pauses.countFailure()
      return giveUp(trouble, retryAt: now)
    }
    state = .listening(until: now + pauses.nextNanoseconds)
    return Actions(news: firstNews(trouble))
  }

  static func silent(forNanoseconds span: Int64) -> DeviceTrouble {
    let tenths = (span + 50_000_000) / 100_000_000
    let rest = tenths % 10 == 0 ? "" : ".\(tenths % 10)"
    return .lost("gave no sample for \(tenths / 10)\(rest) s")
  }
}

// MARK: - Steps

extension DeviceLife {
  private mutating func attempt(_ now: Int64) -> Actions {
    meanwhile = Meanwhile()
    state = .acquiring(tellAt: now + Self.answerNanoseconds)
    return Actions(job: .acquire)
  }

  /// Lets go of what is held, to be tried again.
  private mutating func giveUp(_ trouble: DeviceTrouble, retryAt: Int64) -> Actions {
    state = .renewing(retryAt: retryAt, tellAt: nil)
    return Actions(news: firstNews(trouble), job: .release)
  }

  private mutating func wasUnplugged(retryAt: Int64) -> Actions {
    pauses.reset()
    state = .renewing(retryAt: retryAt, tellAt: nil)
    return Actions(news: news(.trouble(Self.unplugged)), job: .release)
  }

  /// Nothing is told twice.
  private mutating func news(_ news: News) -> News? {
    guard told != news else { return nil }
    told = news
    return news
  }

  private mutating func news(_ trouble: DeviceTrouble) -> News? { news(.trouble(trouble)) }

  /// A reason that was told before says more than this.
  private mutating func unansweredNews() -> News? {
    told == nil ? news(Self.unanswered) : nil
  }

  /// What the machine notices itself, which says no more than a loss that was told before.
  private mutating func firstNews(_ trouble: DeviceTrouble) -> News? {
    told?.isLost == true ? nil : news(.trouble(trouble))
  }
}

extension DeviceLife.News {
  fileprivate var isLost: Bool {
    if case .trouble(.lost) = self { true } else { false }
  }
}
