// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
@testable import ParallaxDevice
import ParallaxTestSupport

/// A random device, worker and kernel around one `DeviceStateMachine`, with the rules that the machine
/// always keeps.
struct DeviceModel {
  /// The condition of the device.
  enum Fault: CaseIterable {
    case none, busy, denied, silent
  }

  private var generator: SeededGenerator
  private(set) var machine = DeviceStateMachine()
  private(set) var now: MotionInstant
  private var queue: [(at: MotionInstant, event: DeviceStateMachine.Event)] = []

  // The device.
  /// How often a device was plugged in; nil while there is none.
  private(set) var plugged: Int?
  private var plugs = 0
  private var number = 0
  private(set) var fault = Fault.none
  private let hasUdev: Bool
  private let samplePeriod: MotionDuration

  // The worker.
  private var jobEnd: MotionInstant?
  private var job: DeviceStateMachine.Job?
  private var isSlow = false
  /// The device that is held, as its count.
  private(set) var held: Int?
  private var nextSample = MotionInstant.distantFuture

  /// Whether every event of the kernel was handled.
  var isQuiet: Bool { queue.isEmpty }

  // The requests.
  private(set) var isRequested = false
  private(set) var lastReported: DeviceStateMachine.News?
  /// The broken rules.
  private(set) var broken: [String] = []

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    now = MotionInstant(nanoseconds: .random(in: 0...1 << 50, using: &generator))
    hasUdev = Bool.random(using: &generator)
    samplePeriod = .nanoseconds(.random(in: 100_000_000...600_000_000, using: &generator))
    if Bool.random(using: &generator) { plug() }
  }

  // MARK: - Disturbances

  mutating func disturb() {
    switch Int.random(in: 0..<13, using: &generator) {
    case 0, 1: request(true)
    case 2: request(false)
    case 3, 4: plugged == nil ? plug() : unplug()
    case 5:
      unplug()
      plug()
    case 6: fault = Fault.allCases.randomElement(using: &generator) ?? .none
    case 7: fault = .none
    case 8: isSlow.toggle()
    case 9 where held != nil:
      handle(.readFailed(errno: .random(in: 1...40, using: &generator)))
    case 10: announce(.devicesChanged)
    case 11: announce(.deviceRemoved(id: "trigger\(number)"))
    default: handle(.time)
    }
  }

  /// Ends the disturbances; the machine has to find out.
  mutating func settle(requested isRequested: Bool, plugged isPlugged: Bool, fault final: Fault) {
    isSlow = false
    fault = final
    if isPlugged, plugged == nil { plug() }
    if !isPlugged { unplug() }
    request(isRequested)
  }

  private mutating func request(_ isRequested: Bool) {
    if isRequested != self.isRequested { lastReported = nil }
    self.isRequested = isRequested
    handle(isRequested ? .start : .stop)
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

  /// Sends an event of the kernel: a little later, in order, or not at all.
  private mutating func announce(_ event: DeviceStateMachine.Event) {
    guard hasUdev else { return }
    let at = now + .nanoseconds(.random(in: 0...300_000_000, using: &generator))
    queue.append((max(at, queue.last?.at ?? at), event))
  }

  // MARK: - Time

  /// Runs until `end`, or until nothing more can happen.
  mutating func run(until end: MotionInstant, unless isDone: (Self) -> Bool = { _ in false }) {
    resumeSamples()
    var steps = 0
    while broken.isEmpty, !isDone(self) {
      let deadline = machine.deadline ?? .distantFuture
      let next = min(
        min(deadline, nextSample), min(jobEnd ?? .distantFuture, queue.first?.at ?? .distantFuture))
      guard next < end else {
        if end != .distantFuture { now = max(now, end) }
        return
      }
      let before = now
      now = max(now, next)
      if let event = queue.first, event.at <= now {
        queue.removeFirst()
        handle(event.event)
      } else if let end = jobEnd, end <= now {
        finishJob()
      } else if nextSample <= now {
        sample()
      } else {
        handle(.time)
        if let again = machine.deadline, again <= now {
          broken.append("a past deadline remains")
        }
      }
      steps = now > before ? 0 : steps + 1
      if steps > 50 { broken.append("time stops") }
    }
  }

  private mutating func sample() {
    guard let held, held == plugged, fault != .silent else {
      nextSample = .distantFuture
      return
    }
    nextSample = now + samplePeriod
    handle(.sample)
  }

  /// Resumes the samples after a silence.
  private mutating func resumeSamples() {
    if held != nil, held == plugged, fault != .silent, nextSample == .distantFuture {
      nextSample = now + samplePeriod
    }
  }

  // MARK: - The worker

  private mutating func start(_ job: DeviceStateMachine.Job) {
    if self.job != nil { broken.append("two jobs at once") }
    switch job {
    case .acquire where held != nil: broken.append("opened while it is open")
    case .release where held == nil: broken.append("released without a device")
    case .acquire, .release: break
    }
    if job == .release { nextSample = .distantFuture }
    self.job = job
    let maxDuration: Int64 = isSlow ? 40_000_000_000 : 900_000_000
    jobEnd = now + .nanoseconds(.random(in: 0...maxDuration, using: &generator))
  }

  private mutating func finishJob() {
    let ended = job
    job = nil
    jobEnd = nil
    switch ended {
    case .release?:
      held = nil
      handle(.released)
    case .acquire?:
      acquire()
    case nil: break
    }
  }

  private mutating func acquire() {
    guard let plugged else { return handle(.failed(.none("none"))) }
    switch fault {
    case .busy: return handle(.failed(.busy("busy")))
    case .denied: return handle(.failed(.denied("denied")))
    case .none, .silent: break
    }
    if isSlow, Bool.random(using: &generator) { return handle(.failed(.lost("unplugged"))) }
    held = plugged
    nextSample = now + .nanoseconds(.random(in: 1...samplePeriod.nanoseconds, using: &generator))
    handle(
      .acquired(
        deviceID: "iio:device\(number)", period: samplePeriod,
        note: Bool.random(using: &generator) ? "polled" : nil))
  }

  // MARK: - The rules

  private mutating func handle(_ event: DeviceStateMachine.Event) {
    let actions = machine.handle(event, at: now)
    if let news = actions.news {
      if !isRequested { broken.append("reported without a request") }
      if news == lastReported { broken.append("reported twice: \(news)") }
      if case .streaming = news, event != .sample { broken.append("streams without a sample") }
      lastReported = news
    }
    if let job = actions.job { start(job) }
    if isRequested {
      if job == nil, machine.deadline == nil { broken.append("waits for nothing") }
    } else if job == nil, held != nil || machine.state != .idle {
      broken.append("not requested and not released")
    }
  }
}
