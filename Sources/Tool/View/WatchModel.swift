// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxClient
import ParallaxMotion
import ParallaxProtocol

/// What `parallax watch` knows: everything that the daemon has sent, and what the keys have asked for.
///
/// It has no clock and no socket: the time is an argument.
struct WatchModel {
  /// The connection to the stream.
  enum Connection: Equatable, Sendable {
    /// Not yet connected.
    case connecting
    case connected
    /// Between two attempts, with the reason why the last one failed.
    case waiting(String)
  }

  /// The raw rates.
  enum Rates: Equatable, Sendable {
    /// Not requested yet.
    case unknown
    case shown
    /// The daemon does not send them, with its reason.
    case refused(String)
  }

  /// A line at the bottom for some seconds.
  struct Notice: Equatable, Sendable {
    var text: String
    var isError: Bool
    var until: MotionInstant
  }

  private(set) var connection = Connection.connecting
  private(set) var rates = Rates.unknown
  private(set) var device: DeviceMessage?
  private(set) var gate: GateMessage?
  private(set) var status: StatusMessage?
  /// Frames per second, from two STATUS lines.
  private(set) var frameHertz: Double?
  private(set) var timeline = OffsetTimeline()
  /// x, y in px.
  private(set) var offsets = History()
  /// x, y, z in rad/s, in the sensor's frame.
  private(set) var angularRates = History()
  private(set) var notice: Notice?
  var isHelpShown = false
  /// The bound that the offsets seen so far imply, until STATUS has the settings.
  private var reach = SIMD2<Double>(0, 0)

  /// The values that keys have requested, until a STATUS that is later than the answer.
  private var requests: [String: (value: String, time: MotionInstant)] = [:]

  init() {}

  // MARK: - The daemon's lines

  mutating func receive(_ message: StreamMessage) {
    timeline.add(message)
    switch message {
    case .version:
      offsets.removeAll()
      connection = .connected
    case .device(let device): self.device = device
    case .gate(let gate): self.gate = gate
    case .offset(let offset): receive(offset)
    case .error(let error): connection = .waiting(error.message)
    case .animation, .watch: break
    }
  }

  private mutating func receive(_ offset: OffsetMessage) {
    let value = SIMD3(offset.x, offset.y, 0)
    // No lines come while the picture is at rest: it was there until one period ago.
    if let last = offsets.last, offset.time - last.time > .milliseconds(100) {
      offsets.add(last.value, at: offset.time - .milliseconds(33))
    }
    offsets.add(value, at: offset.time)
    if offset.nx != 0 { reach.x = max(reach.x, (offset.x / offset.nx).magnitude.rounded()) }
    if offset.ny != 0 { reach.y = max(reach.y, (offset.y / offset.ny).magnitude.rounded()) }
  }

  /// - Parameter now: When it arrived; requests that are older count no longer.
  mutating func receive(_ status: StatusMessage, at now: MotionInstant = .distantFuture) {
    requests = requests.filter { now - $0.value.time < .milliseconds(200) }
    if let before = self.status, status.uptime > before.uptime, status.frames >= before.frames {
      frameHertz =
        Double(status.frames - before.frames) / (status.uptime - before.uptime).seconds
    } else {
      frameHertz = nil
    }
    self.status = status
    device = status.device
    gate = status.gate
  }

  mutating func receive(_ sample: SampleMessage) {
    rates = .shown
    let rate = sample.rateRadPerSec
    angularRates.add(SIMD3(rate.x, rate.y, rate.z), at: sample.time)
  }

  mutating func ratesGranted() { rates = .shown }

  mutating func ratesRefused(_ reason: String) {
    rates = .refused(reason)
    angularRates.removeAll()
  }

  mutating func lostConnection(_ reason: String) {
    connection = .waiting(reason)
    timeline = OffsetTimeline()
    offsets.removeAll()
    angularRates.removeAll()
    rates = .unknown
    status = nil
    frameHertz = nil
    gate = nil
    device = nil
  }

  // MARK: - Notices

  mutating func show(_ text: String, isError: Bool = false, at now: MotionInstant) {
    notice = Notice(text: text, isError: isError, until: now + .seconds(isError ? 6 : 3))
  }

  /// When the notice disappears.
  var noticeEnd: MotionInstant? { notice?.until }

  mutating func removeOldNotice(at now: MotionInstant) {
    if let notice, notice.until <= now { self.notice = nil }
  }

  // MARK: - What the screen shows

  /// The place of the picture, px.
  func offset(at now: MotionInstant) -> ParallaxOffset {
    timeline.offset(at: now) ?? ParallaxOffset(x: 0, y: 0)
  }

  /// Whether anything on the screen moves by itself: the picture, or a curve that leaves its graph.
  func isMoving(at now: MotionInstant) -> Bool {
    guard connection == .connected, let last = offsets.last else { return false }
    return now - last.time < .milliseconds(200) || !isFlat(offsets, at: now)
  }

  /// Whether no graph shows a change.
  private func isFlat(_ history: History, at now: MotionInstant) -> Bool {
    guard let last = history.last else { return true }
    return history.points(since: now - History.span).allSatisfy { $0.value == last.value }
  }

  /// The limits of the motion, px.
  func range(_ key: String) -> PixelRange {
    // STATUS comes once per second, DEVICE at once.
    if let bounds = key == "range-x" ? device?.rangeX : device?.rangeY,
      let range = try? PixelRange(low: bounds.lowerBound, high: bounds.upperBound)
    {
      return range
    }
    if let text = setting(key), let range = try? PixelRange(parsing: text) { return range }
    let seen = key == "range-x" ? reach.x : reach.y
    return (try? PixelRange(low: -max(seen, 1), high: max(seen, 1))) ?? .standard
  }

  /// Notes a value that was requested: it counts at once, so that a key may be pressed again before the
  /// daemon has answered.
  mutating func request(_ key: String, _ value: String, at now: MotionInstant) {
    requests[key] = (value, now)
  }

  /// The keys that differ from the configuration because of SET.
  var overrides: Set<String> {
    var keys = Set(status?.overrides ?? [])
    for (key, request) in requests where setting(key) != nil {
      if request.value == "auto" { keys.remove(key) } else { keys.insert(key) }
    }
    return keys
  }

  /// The settings that differ from the configuration because of SET, in the order of STATUS.
  var changedSettings: [(key: String, value: String)] {
    let keys = overrides
    return (status?.settings ?? []).filter { keys.contains($0.key) }.map { setting in
      (setting.key, self.setting(setting.key) ?? setting.value.text)
    }
  }

  /// The value of a setting in effect; nil if the daemon does not say.
  func setting(_ key: String) -> String? {
    if let requested = requests[key], requested.value != "auto" { return requested.value }
    return status?.settings.first { $0.key == key }?.value.text
  }
}
