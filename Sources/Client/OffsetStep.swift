// SPDX-License-Identifier: Apache-2.0

import ParallaxProtocol

/// The velocities of a frame, px/s.
struct OffsetVelocity: Equatable, Sendable {
  var x = 0.0
  var y = 0.0
  /// Of the layers with a velocity, by name.
  var layers: [String: Axes] = [:]

  struct Axes: Equatable, Sendable {
    var x: Double
    var y: Double

    static let zero = Axes(x: 0, y: 0)
  }

  static let zero = OffsetVelocity()

  private init() {}

  /// Takes the velocities of a frame; nil if it has none.
  init?(_ message: OffsetMessage) {
    guard let vx = message.vx, let vy = message.vy, vx.isFinite, vy.isFinite else { return nil }
    x = vx
    y = vy
    for layer in message.layers {
      if let vx = layer.vx, let vy = layer.vy { layers[layer.name] = Axes(x: vx, y: vy) }
    }
  }
}

/// The range on one axis, as DEVICE gave it. From an older daemon it is found from frames: it reaches at least as
/// far as an offset over its fraction of the range, which has 4 decimals. An end that no frame was on the side of
/// counts as far as the other end.
struct AxisBounds: Equatable {
  private var isGiven = false
  /// px, as magnitudes; 0 before a frame was on that side.
  private var low = 0.0
  private var high = 0.0

  private static let largestRounding = 0.00005

  init() {}

  init(_ range: ClosedRange<Double>) {
    isGiven = true
    low = -range.lowerBound
    high = range.upperBound
  }

  /// Takes the offset of a frame and its fraction.
  mutating func add(_ offset: Double, fraction: Double) {
    guard offset.isFinite, offset * fraction > 0 else { return }
    let distance = offset.magnitude
    let end = max(distance, distance / (fraction.magnitude + Self.largestRounding))
    if offset > 0 { high = max(high, end) } else { low = max(low, end) }
  }

  /// The magnitudes of both ends; nil if the range is unknown.
  private var ends: (low: Double, high: Double)? {
    if isGiven { return (low, high) }
    return low > 0 || high > 0 ? (low > 0 ? low : high, high > 0 ? high : low) : nil
  }

  func clamp(_ offset: Double) -> Double {
    guard let ends else { return offset }
    return min(max(offset, -ends.low), ends.high)
  }

  /// Returns the fraction of the range, -1...1; nil if the range is unknown.
  func fraction(of offset: Double) -> Double? {
    guard let ends else { return nil }
    let end = offset < 0 ? ends.low : ends.high
    return end > 0 ? min(max(offset / end, -1), 1) : 0
  }
}

/// The way from a frame to an instant after it.
struct OffsetStep {
  /// How long the frame's velocity has been followed.
  var seconds: Double
  /// How long the velocity of the frame before had been followed when this frame arrived.
  var missedSeconds = 0.0
  /// How long the frame's velocity is followed in the first picture that shows it.
  var firstSeconds = 0.0
  /// The share of the miss that is left, 0...1.
  var missedShare = 0.0

  /// Where one axis is: on the frame's line, with the rest of what the line of the frame before missed.
  ///
  /// - Parameters:
  ///   - axis: The offset in the frame, px, and its velocity, px/s.
  ///   - before: The same in the frame before; nil if there is none.
  func position(
    _ axis: (offset: Double, velocity: Double), after before: (offset: Double, velocity: Double)?
  ) -> Double {
    let first = axis.offset + axis.velocity * firstSeconds
    let miss = before.map { $0.offset + $0.velocity * missedSeconds - first } ?? 0
    return axis.offset + axis.velocity * seconds + miss * missedShare
  }
}
