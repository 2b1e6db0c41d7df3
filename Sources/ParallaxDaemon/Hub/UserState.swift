package import ParallaxMotion
package import ParallaxWire

/// What the receivers of one uid have in common: the gate's second factor, and a screen of their
/// own where their agent says how it is turned. Lives as long as one of them is connected.
package final class UserState {
  package let uid: UInt32
  /// How many connections hold it.
  package var connections = 0
  /// The last GATE, as every receiver of this uid knows it.
  package internal(set) var gate: GateMessage
  /// Whether motion may flow to it, as far as that does not depend on the source.
  package internal(set) var isOpen: Bool
  package internal(set) var fade: GainFade
  /// nil: everybody's.
  package internal(set) var screen: MotionEngine.Screen?
  /// Both factors at the newest frame.
  package internal(set) var gain: Double

  init(uid: UInt32, isOpen: Bool, fade: GainFade, gate: GateMessage, gain: Double) {
    self.isOpen = isOpen
    self.uid = uid
    self.fade = fade
    self.gate = gate
    self.gain = gain
  }
}

/// Samples a second as they really come.
package struct RateMeter: Sendable {
  /// Long enough for a steady figure, short enough to show a change.
  private static let windowNanoseconds: Int64 = 2_000_000_000

  private var first: Int64?
  private var latest: Int64 = 0
  private var intervals = 0
  private var complete: Double?

  package init() {}

  package mutating func add(atNanoseconds time: Int64) {
    guard let begin = first, time > latest, time - latest < Self.windowNanoseconds else {
      self = RateMeter()
      first = time
      latest = time
      return
    }
    intervals += 1
    latest = time
    if latest - begin >= Self.windowNanoseconds {
      complete = Double(intervals) * 1e9 / Double(latest - begin)
      first = latest
      intervals = 0
    }
  }

  /// Hz; nil where none came lately.
  package func hertz(atNanoseconds now: Int64) -> Double? {
    guard let begin = first, now - latest < Self.windowNanoseconds else { return nil }
    if let complete { return complete }
    return latest > begin ? Double(intervals) * 1e9 / Double(latest - begin) : nil
  }
}
