import ParallaxTestSupport

@testable import ParallaxDevice

/// A device, the worker and the kernel's events around one `DeviceLife`, all by chance, with the
/// rules that the machine keeps whatever happens.
struct LifeModel {
  /// What can be wrong with the device.
  enum Fault: CaseIterable {
    case none, busy, denied, mute
  }

  private var generator: SeededGenerator
  private(set) var life = DeviceLife()
  private(set) var now: Int64
  private var queue: [(at: Int64, event: DeviceLife.Event)] = []

  // The world.
  /// Counts how often it was plugged; nil while there is none.
  private(set) var plugged: Int?
  private var plugs = 0
  private var number = 0
  private(set) var fault = Fault.none
  private let hasUdev: Bool
  private let samplePeriod: Int64

  // The worker.
  private var jobEnds: Int64?
  private var job: DeviceLife.Job?
  private var isSlow = false
  /// Which plugging of the device is held.
  private(set) var held: Int?
  private var nextSample: Int64 = .max

  /// Whether everything that the kernel had to say has been heard.
  var isQuiet: Bool { queue.isEmpty }

  // The receivers.
  private(set) var isWanted = false
  private(set) var told: DeviceLife.News?
  /// The rules that were broken.
  private(set) var broken: [String] = []

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    now = Int64.random(in: 0...1 << 50, using: &generator)
    hasUdev = Bool.random(using: &generator)
    samplePeriod = .random(in: 100_000_000...600_000_000, using: &generator)
    if Bool.random(using: &generator) { plug() }
  }

  // MARK: What may happen

  mutating func disturb() {
    switch Int.random(in: 0..<13, using: &generator) {
    case 0, 1: want(true)
    case 2: want(false)
    case 3, 4: plugged == nil ? plug() : unplug()
    case 5:
      unplug()
      plug()
    case 6: fault = Fault.allCases.randomElement(using: &generator) ?? .none
    case 7: fault = .none
    case 8: isSlow.toggle()
    case 9 where held != nil:
      take(.readFailed(errno: .random(in: 1...40, using: &generator)))
    case 10: announce(.devicesChanged)
    case 11: announce(.deviceRemoved(id: "trigger\(number)"))
    default: take(.time)
    }
  }

  /// From here on everything behaves; what is left for the machine is to find out.
  mutating func settle(wanted: Bool, plugged isPlugged: Bool, fault final: Fault) {
    isSlow = false
    fault = final
    if isPlugged, plugged == nil { plug() }
    if !isPlugged { unplug() }
    want(wanted)
  }

  private mutating func want(_ wanted: Bool) {
    if wanted != isWanted { told = nil }
    isWanted = wanted
    take(wanted ? .wanted : .unwanted)
  }

  private mutating func plug() {
    guard plugged == nil else { return }
    plugs += 1
    plugged = plugs
    if Bool.random(using: &generator) { number += 1 }
    announce(.devicesChanged)
  }

  private mutating func unplug() {
    guard plugged != nil else { return }
    plugged = nil
    announce(.deviceRemoved(id: "iio:device\(number)"))
  }

  /// The kernel's events come a little later, in order, or not at all.
  private mutating func announce(_ event: DeviceLife.Event) {
    guard hasUdev else { return }
    let at = now + .random(in: 0...300_000_000, using: &generator)
    queue.append((max(at, queue.last?.at ?? at), event))
  }

  // MARK: Time

  /// Lives on until `end`, or until nothing more can happen.
  mutating func live(until end: Int64, unless isDone: (Self) -> Bool = { _ in false }) {
    resumeSamples()
    var steps = 0
    while broken.isEmpty, !isDone(self) {
      let deadline = life.deadlineNanoseconds ?? .max
      let next = min(min(deadline, nextSample), min(jobEnds ?? .max, queue.first?.at ?? .max))
      guard next < end else {
        if end != .max { now = max(now, end) }
        return
      }
      let before = now
      now = max(now, next)
      if let event = queue.first, event.at <= now {
        queue.removeFirst()
        take(event.event)
      } else if let ends = jobEnds, ends <= now {
        finishJob()
      } else if nextSample <= now {
        sample()
      } else {
        take(.time)
        if let again = life.deadlineNanoseconds, again <= now {
          broken.append("a deadline that has passed stays")
        }
      }
      steps = now > before ? 0 : steps + 1
      if steps > 50 { broken.append("time stands still") }
    }
  }

  private mutating func sample() {
    guard let held, held == plugged, fault != .mute else {
      nextSample = .max
      return
    }
    nextSample = now + samplePeriod
    take(.sample)
  }

  /// A device that was mute for a while goes on.
  private mutating func resumeSamples() {
    if held != nil, held == plugged, fault != .mute, nextSample == .max {
      nextSample = now + samplePeriod
    }
  }

  // MARK: The worker

  private mutating func start(_ job: DeviceLife.Job) {
    if self.job != nil { broken.append("two jobs at once") }
    switch job {
    case .acquire where held != nil: broken.append("opened while it is open")
    case .release where held == nil: broken.append("let go of nothing")
    case .acquire, .release: break
    }
    if job == .release { nextSample = .max }
    self.job = job
    jobEnds =
      now + .random(in: 0...(isSlow ? 40_000_000_000 : 900_000_000), using: &generator)
  }

  private mutating func finishJob() {
    let ended = job
    job = nil
    jobEnds = nil
    switch ended {
    case .release?:
      held = nil
      take(.released)
    case .acquire?:
      acquire()
    case nil: break
    }
  }

  private mutating func acquire() {
    guard let plugged else { return take(.failed(.none("none"))) }
    switch fault {
    case .busy: return take(.failed(.busy("busy")))
    case .denied: return take(.failed(.denied("denied")))
    case .none, .mute: break
    }
    if isSlow, Bool.random(using: &generator) { return take(.failed(.lost("went meanwhile"))) }
    held = plugged
    nextSample = now + .random(in: 1...samplePeriod, using: &generator)
    take(
      .acquired(
        deviceID: "iio:device\(number)", periodNanoseconds: samplePeriod,
        note: Bool.random(using: &generator) ? "polled" : nil))
  }

  // MARK: The rules

  private mutating func take(_ event: DeviceLife.Event) {
    let actions = life.take(event, atNanoseconds: now)
    if let news = actions.news {
      if !isWanted { broken.append("told to nobody") }
      if news == told { broken.append("told twice: \(news)") }
      if case .streaming = news, event != .sample { broken.append("streams without a sample") }
      told = news
    }
    if let job = actions.job { start(job) }
    if isWanted {
      if job == nil, life.deadlineNanoseconds == nil { broken.append("waits for nothing") }
    } else if job == nil, held != nil || life.state != .idle {
      broken.append("nobody wants it, and it is not let go of")
    }
  }
}
