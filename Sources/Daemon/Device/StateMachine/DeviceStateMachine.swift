// SPDX-License-Identifier: Apache-2.0

import Glibc
package import ParallaxBase

/// The state machine of one gyroscope: found, opened, streaming, silent, unplugged, found again.
///
/// Pure: `handle` takes an event and returns actions. The owner has a worker that does one job at a
/// time and may take any time for it, reports the news, and sends `.time` at `deadline`. Without udevd
/// no events about devices come; deadlines then suffice.
package struct DeviceStateMachine: Equatable, Sendable {
  package enum State: Equatable, Sendable {
    /// Not requested; nothing is held and the worker is free.
    case idle
    /// Requested; the worker is finding and opening the device. A missing answer is reported at
    /// `reportAt`; nil: it has been, and the answer is still awaited.
    case acquiring(reportAt: MotionInstant?)
    /// No longer requested while the worker is opening the device, which is released as soon as it is
    /// open.
    case abandoning
    /// Requested and held, without samples: the first has not come yet, or they have ceased. The next
    /// sample leads to `streaming`; at `until` the device is released and opened again.
    case listening(until: MotionInstant)
    /// Samples have arrived since `since`. Silence is checked at `checkAt`, which is moved lazily: a
    /// sample sets no timer.
    case streaming(since: MotionInstant, checkAt: MotionInstant)
    /// Requested; the worker is releasing a device that failed or was unplugged. The next attempt is at
    /// `retryAt`. `reportAt` as in `acquiring`.
    case renewing(retryAt: MotionInstant, reportAt: MotionInstant?)
    /// Requested; nothing is held and the worker is free. The next attempt is at `retryAt`.
    case waiting(retryAt: MotionInstant)
    /// Not requested; the worker is releasing the device.
    case releasing
  }

  /// A worker that has not answered for this long is reported.
  static let answerTimeout: MotionDuration = .seconds(3)
  /// The standard of `minPause`.
  package static let standardPause: MotionDuration = .milliseconds(250)
  /// A device that streamed for this long and disappears was unplugged; that is not a failure.
  static let provenSpan: MotionDuration = .seconds(1)

  /// `.time` that comes so late after its deadline shows that the program was held up.
  static let heldUpSpan: MotionDuration = .milliseconds(500)

  static let unplugged = DeviceError.lost("unplugged")
  static let unanswered = DeviceError.lost("does not answer")

  package private(set) var state = State.idle
  /// The last news since samples were requested.
  private var lastReported: News?
  private var held = Held()
  private var lastSample = MotionInstant.zero
  private var pauses = RetryPauses()
  private let minPause: MotionDuration
  private var lastFailure = MotionInstant.distantPast
  /// Whether a device was ever held: a missing one is then lost.
  private var wasHeld = false
  private var missed = MissedEvents()

  /// The device that the worker has open.
  private struct Held: Equatable, Sendable {
    var id = ""
    var silence = SilenceRule(period: .zero)
    var note: String?
  }

  /// Events about devices while the worker was looking, which it may have missed.
  private struct MissedEvents: Equatable, Sendable {
    /// A device was added or changed.
    var changed = false
    /// The removed devices. Bounded, whatever comes: a device that is left out falls silent.
    var removed: [String] = []
    static let maxRemoved = 16
  }

  /// - Parameter minPause: The shortest time between a failed attempt and the next, also in a storm of events.
  package init(minPause: MotionDuration = standardPause) {
    self.minPause = minPause
  }

  /// When to send `.time` if nothing happens before; nil: only an event leads on (the worker's answer,
  /// or a request).
  package var deadline: MotionInstant? {
    switch state {
    case .idle, .abandoning, .releasing: nil
    case .acquiring(let reportAt), .renewing(_, let reportAt): reportAt
    case .listening(let until): until
    case .streaming(_, let checkAt): checkAt
    case .waiting(let retryAt): retryAt
    }
  }

  /// Whether a device is held, or the worker has a job.
  package var isBusy: Bool {
    switch state {
    case .idle, .waiting: false
    case .acquiring, .abandoning, .listening, .streaming, .renewing, .releasing: true
    }
  }

  /// Whether a device is open and its samples are requested.
  package var acceptsSamples: Bool {
    switch state {
    case .listening, .streaming: true
    case .idle, .acquiring, .abandoning, .renewing, .releasing, .waiting: false
    }
  }

  /// Handles an event. A sample allocates nothing.
  package mutating func handle(_ event: Event, at now: MotionInstant) -> Actions {
    switch event {
    case .sample: handleSample(now)
    case .time: handleTime(now)
    case .start: start(now)
    case .stop: stop()
    case .acquired(let id, let period, let note):
      acquired(Held(id: id, silence: SilenceRule(period: period), note: note), now)
    case .failed(let error): failed(error, now)
    case .released: released(now)
    case .readFailed(let number): readFailed(number, now)
    case .deviceRemoved(let id): removed(id, now)
    case .devicesChanged: devicesChanged(now)
    }
  }
}

// MARK: - Requests

extension DeviceStateMachine {
  private mutating func start(_ now: MotionInstant) -> Actions {
    switch state {
    case .idle:
      return attempt(now)
    case .abandoning:
      state = .acquiring(reportAt: now + Self.answerTimeout)
    case .releasing:
      state = .renewing(retryAt: now, reportAt: now + Self.answerTimeout)
    case .acquiring, .listening, .streaming, .renewing, .waiting: break
    }
    return .none
  }

  private mutating func stop() -> Actions {
    // The next request gets every report, and a prompt first attempt.
    lastReported = nil
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

// MARK: - Answers of the worker

extension DeviceStateMachine {
  private mutating func acquired(_ device: Held, _ now: MotionInstant) -> Actions {
    switch state {
    case .acquiring:
      wasHeld = true
      held = device
      guard !missed.removed.contains(device.id) else {
        return wasUnplugged(
          retryAt: missed.changed ? now : now + RetryPauses.maxDuration)
      }
      // After each attempt without samples the next one listens longer.
      state = .listening(until: now + max(held.silence.firstSpan, pauses.next))
      return .none
    case .abandoning:
      wasHeld = true
      state = .releasing
      return Actions(job: .release)
    case .idle, .listening, .streaming, .renewing, .waiting, .releasing:
      return .none  // Not requested.
    }
  }

  private mutating func failed(_ error: DeviceError, _ now: MotionInstant) -> Actions {
    switch state {
    case .acquiring:
      lastFailure = now
      var pause = RetryPauses.maxDuration
      if case .lost = error {
        pause = max(pauses.next, minPause)
        pauses.countFailure()
      }
      if missed.changed || !missed.removed.isEmpty { pause = minPause }
      state = .waiting(retryAt: now + pause)
      guard case .none(let reason) = error, wasHeld else {
        return Actions(news: news(error))
      }
      // After "unplugged", "missing" adds nothing.
      return Actions(news: lastReported == .error(Self.unplugged) ? nil : news(.lost(reason)))
    case .abandoning:
      lastFailure = now
      state = .idle
      return .none
    case .idle, .listening, .streaming, .renewing, .waiting, .releasing:
      return .none  // Not requested.
    }
  }

  private mutating func released(_ now: MotionInstant) -> Actions {
    switch state {
    case .renewing(let retryAt, _):
      if retryAt <= now { return attempt(now) }
      state = .waiting(retryAt: retryAt)
      return .none
    case .releasing:
      state = .idle
      return .none
    case .idle, .acquiring, .abandoning, .listening, .streaming, .waiting:
      return .none  // Not requested.
    }
  }
}

// MARK: - The open device

extension DeviceStateMachine {
  private mutating func handleSample(_ now: MotionInstant) -> Actions {
    switch state {
    case .streaming:
      lastSample = now
      return .none
    case .listening:
      lastSample = now
      state = .streaming(since: now, checkAt: now + held.silence.span)
      return Actions(news: news(.streaming(note: held.note)))
    case .idle, .acquiring, .abandoning, .renewing, .waiting, .releasing:
      return .none  // Sent before the device was given up.
    }
  }

  private mutating func readFailed(_ number: Int32, _ now: MotionInstant) -> Actions {
    switch state {
    case .listening, .streaming:
      forgive(now)
      let isGone = number == ENODEV || number == ENXIO || number == ENOENT
      // Unplugging a device that streamed is not a failure.
      if isGone, case .streaming(let since, _) = state, now - since >= Self.provenSpan {
        pauses.reset()
        return giveUp(Self.unplugged, retryAt: now)
      }
      let pause = pauses.next
      pauses.countFailure()
      let error =
        isGone ? Self.unplugged : .lost("reading failed: \(String(cString: strerror(number)))")
      return giveUp(error, retryAt: now + pause)
    case .idle, .acquiring, .abandoning, .renewing, .waiting, .releasing:
      return .none  // Given up already.
    }
  }

  /// Forgets the failures of a device that has streamed for long enough.
  private mutating func forgive(_ now: MotionInstant) {
    if case .streaming(let since, _) = state, now - since >= RetryPauses.forgivingSpan {
      pauses.reset()
    }
  }
}

// MARK: - Events of the kernel

extension DeviceStateMachine {
  private mutating func removed(_ id: String, _ now: MotionInstant) -> Actions {
    switch state {
    case .listening, .streaming:
      guard id == held.id else { return .none }
      return wasUnplugged(retryAt: now + RetryPauses.maxDuration)
    case .acquiring, .abandoning:
      if missed.removed.count < MissedEvents.maxRemoved { missed.removed.append(id) }
    case .waiting:
      // A report that a device is busy or denied may be out of date.
      guard lastReported?.isLost != true else { return .none }
      return retrySoon(now)
    case .idle, .renewing, .releasing: break
    }
    return .none
  }

  private mutating func devicesChanged(_ now: MotionInstant) -> Actions {
    switch state {
    case .acquiring, .abandoning:
      missed.changed = true
    case .renewing(_, let reportAt):
      state = .renewing(retryAt: now, reportAt: reportAt)
    case .waiting:
      return retrySoon(now)
    case .listening(let until):
      // The new one may replace the silent one.
      state = .listening(until: min(until, now + held.silence.firstSpan))
    case .idle, .streaming, .releasing: break
    }
    return .none
  }

  /// Tries at once after an event, unless the last attempt has failed a moment ago.
  private mutating func retrySoon(_ now: MotionInstant) -> Actions {
    guard case .waiting(let retryAt) = state else { return .none }
    let soonest = lastFailure + minPause
    state = .waiting(retryAt: min(retryAt, soonest))
    return handleTime(now)
  }
}

// MARK: - Time

extension DeviceStateMachine {
  private mutating func handleTime(_ now: MotionInstant) -> Actions {
    switch state {
    case .acquiring(let reportAt?) where now >= reportAt:
      state = .acquiring(reportAt: nil)
      return Actions(news: unansweredNews())
    case .renewing(let retryAt, let reportAt?) where now >= reportAt:
      state = .renewing(retryAt: retryAt, reportAt: nil)
      return Actions(news: unansweredNews())
    case .listening(let until) where now >= until:
      pauses.countFailure()
      return giveUp(Self.silent(for: held.silence.firstSpan), retryAt: now)
    case .streaming(let since, let checkAt) where now >= checkAt:
      // Silence while the program itself was held up proves nothing: the kernel's queue may have
      // overflowed meanwhile.
      if now - checkAt >= Self.heldUpSpan {
        state = .streaming(since: since, checkAt: now + held.silence.span)
        return .none
      }
      let silentAt = lastSample + held.silence.span
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

  private mutating func fellSilent(_ now: MotionInstant) -> Actions {
    forgive(now)
    let error = Self.silent(for: held.silence.span)
    guard pauses.next > .zero else {
      pauses.countFailure()
      return giveUp(error, retryAt: now)
    }
    state = .listening(until: now + pauses.next)
    return Actions(news: firstNews(error))
  }

  static func silent(for span: MotionDuration) -> DeviceError {
    let tenths = (span + .milliseconds(50)).nanoseconds / 100_000_000
    let rest = tenths % 10 == 0 ? "" : ".\(tenths % 10)"
    return .lost("gave no sample for \(tenths / 10)\(rest) s")
  }
}

// MARK: - Steps

extension DeviceStateMachine {
  private mutating func attempt(_ now: MotionInstant) -> Actions {
    missed = MissedEvents()
    state = .acquiring(reportAt: now + Self.answerTimeout)
    return Actions(job: .acquire)
  }

  /// Releases the device, to try again later.
  private mutating func giveUp(_ error: DeviceError, retryAt: MotionInstant) -> Actions {
    state = .renewing(retryAt: retryAt, reportAt: nil)
    return Actions(news: firstNews(error), job: .release)
  }

  private mutating func wasUnplugged(retryAt: MotionInstant) -> Actions {
    pauses.reset()
    state = .renewing(retryAt: retryAt, reportAt: nil)
    return Actions(news: news(.error(Self.unplugged)), job: .release)
  }

  /// Drops what was reported last.
  private mutating func news(_ news: News) -> News? {
    guard lastReported != news else { return nil }
    lastReported = news
    return news
  }

  private mutating func news(_ error: DeviceError) -> News? { news(.error(error)) }

  /// Drops this news after any other, which says more.
  private mutating func unansweredNews() -> News? {
    lastReported == nil ? news(Self.unanswered) : nil
  }

  /// Drops a loss that the machine notices itself if a loss was reported last.
  private mutating func firstNews(_ error: DeviceError) -> News? {
    lastReported?.isLost == true ? nil : news(.error(error))
  }
}

extension DeviceStateMachine.News {
  fileprivate var isLost: Bool {
    if case .error(.lost) = self { true } else { false }
  }
}
