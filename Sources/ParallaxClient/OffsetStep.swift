// SPDX-License-Identifier: Apache-2.0

import ParallaxWire

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

/// The range on one axis, found from frames: an offset over its fraction of the range. An end that no frame
/// was on the side of counts as far as the other end.
struct AxisBounds: Equatable {
  private var low: End?
  private var high: End?

  private struct End: Equatable {
    /// px, as a magnitude.
    var distance: Double
    /// The fraction from which it was found: a greater one is rounded less.
    var fraction: Double
  }

  /// Takes the offset of a frame and its fraction.
  mutating func add(_ offset: Double, fraction: Double) {
    guard offset / fraction > 0, offset.isFinite else { return }
    let end = End(distance: offset / fraction, fraction: fraction.magnitude)
    if offset > 0, end.fraction > high?.fraction ?? 0 { high = end }
    if offset < 0, end.fraction > low?.fraction ?? 0 { low = end }
  }

  func clamp(_ offset: Double) -> Double {
    guard let low = low ?? high, let high = high ?? self.low else { return offset }
    return min(max(offset, -low.distance), high.distance)
  }

  /// Returns the fraction of the range, -1...1; nil if the range is unknown.
  func fraction(of offset: Double) -> Double? {
    (offset < 0 ? low ?? high : high ?? low).map { min(max(offset / $0.distance, -1), 1) }
  }
}

/// The way from a frame to an instant after it.
struct OffsetStep {
  /// How long the frame's velocity has been followed.
  var seconds: Double
  /// How long that of the frame before was followed.
  var missedSeconds = 0.0
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
    let miss = before.map { $0.offset + $0.velocity * missedSeconds - axis.offset } ?? 0
    return axis.offset + axis.velocity * seconds + miss * missedShare
  }
}
