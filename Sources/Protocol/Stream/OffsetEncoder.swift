// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase
package import ParallaxMotion

/// One frame for a subscriber.
package struct OffsetFrame: Equatable, Sendable {
  /// The daemon's frame number.
  package var seq: UInt64
  /// On CLOCK_MONOTONIC in the daemon, on the trace's clock in replay.
  package var time: MotionInstant
  /// Motion times the subscriber's gain, in px, not rounded.
  package var motion: PixelOffset
  /// Of the motion, times the same gain, in px/s, not rounded; nil if it is unknown.
  package var velocity: PixelVelocity?
  /// The sum of the animations of all layers; nil if there is none.
  package var overlay: OffsetOverlay?
  /// For each of the encoder's layers, in their order: what is added to it instead of `overlay`, and
  /// includes it; nil if no animation drives this layer separately. Empty: none of them.
  package var layerOverlays: [OffsetOverlay?]

  @inlinable
  package init(
    seq: UInt64, time: MotionInstant, motion: PixelOffset, velocity: PixelVelocity? = nil,
    overlay: OffsetOverlay? = nil, layerOverlays: [OffsetOverlay?] = []
  ) {
    self.seq = seq
    self.time = time
    self.motion = motion
    self.velocity = velocity
    self.overlay = overlay
    self.layerOverlays = layerOverlays
  }

  /// The motion as it is published. Two frames with the same published motion and overlays print the
  /// same values.
  package var published: (x: Hundredths, y: Hundredths) {
    (Hundredths(px: motion.x), Hundredths(px: motion.y))
  }

  /// The velocity as it is published, in tenths of a px/s: 0 where nothing is displaced; nil while
  /// animations drive something, which move the picture in their own way.
  package var publishedVelocity: (x: Int64, y: Int64)? {
    guard let velocity, !isAnimated else { return nil }
    let (x, y) = published
    if x.count == 0, y.count == 0 { return (0, 0) }
    return (
      DecimalText.scaled(velocity.x, decimals: 1), DecimalText.scaled(velocity.y, decimals: 1)
    )
  }

  private var isAnimated: Bool {
    overlay != nil || layerOverlays.contains { $0 != nil }
  }

  /// The velocity that replay prints, px/s.
  var exactVelocity: PixelVelocity? {
    guard let velocity, !isAnimated else { return nil }
    return motion == .zero ? .zero : velocity
  }
}

/// What animations add to the motion.
package struct OffsetOverlay: Equatable, Sendable {
  /// px, added to x, y and every layer, or to one layer.
  package var offset: PixelOffset
  /// Degrees clockwise; nil if no animation drives it.
  package var rotationDegrees: Double?
  /// 1 is unscaled; nil if no animation drives it.
  package var scale: Double?
  /// The scale downward where it differs from `scale`; else nil.
  package var scaleY: Double?
  /// 0...1; nil if no animation drives it.
  package var opacity: Double?

  package init(
    offset: PixelOffset = .zero, rotationDegrees: Double? = nil, scale: Double? = nil,
    scaleY: Double? = nil, opacity: Double? = nil
  ) {
    self.offset = offset
    self.rotationDegrees = rotationDegrees
    self.scale = scale
    self.scaleY = scaleY
    self.opacity = opacity
  }
}

/// Writes OFFSET lines for one set of layers and one range, without allocating: `init` prepares what
/// does not change from frame to frame.
///
///     {"class":"OFFSET","seq":42,"time":12.345678901,"x":1.23,"y":-0.5,"nx":0.246,"ny":-0.1,"vx":4.2,"vy":0,"layers":{"bg":{"x":0.246,"y":-0.1,"vx":0.8,"vy":0}}}
///
/// x and y are whole hundredths of a px, vx and vy whole tenths of a px/s, and all other fields are derived
/// from them (nx = x / bound, a layer = depth times x): no field reveals more about the motion than
/// another.
package struct OffsetEncoder: Sendable {
  /// The rounding of the numbers.
  package enum Precision: Equatable, Sendable {
    /// For the stream: x and y in hundredths, the other fields derived from those with 4 decimals;
    /// without trailing zeros.
    case published
    /// For replay: 6 decimals of unrounded motion.
    case replay
  }

  private struct PreparedLayer: Sendable {
    /// The end of its bytes in `keys`.
    let keyEnd: Int
    let depth: Double
  }

  /// Of the motion, px.
  package var ranges: (x: PixelRange, y: PixelRange) { (rangeX, rangeY) }

  private let rangeX: PixelRange
  private let rangeY: PixelRange
  private let precision: Precision
  private let layers: [PreparedLayer]
  /// `,"layers":{"bg":{"x":` for the first layer, `},"fg":{"x":` for the following ones.
  private let keys: [UInt8]

  /// Prepares an encoder.
  ///
  /// - Parameters:
  ///   - layers: The layers to print, in this order; without layers the field is omitted.
  ///   - rangeX: The range of which nx is a fraction.
  ///   - rangeY: The range of which ny is a fraction.
  ///   - precision: The rounding of the numbers; by default that of the stream.
  package init(
    layers: LayerSet, rangeX: PixelRange, rangeY: PixelRange, precision: Precision = .published
  ) {
    self.rangeX = rangeX
    self.rangeY = rangeY
    self.precision = precision
    var buffer = OutputBuffer()
    var prepared: [PreparedLayer] = []
    for layer in layers.layers {
      buffer.append(prepared.isEmpty ? ",\"layers\":{" : "},")
      buffer.append(jsonString: layer.name)
      buffer.append(":{\"x\":")
      prepared.append(PreparedLayer(keyEnd: buffer.count, depth: layer.depth))
    }
    self.layers = prepared
    keys = buffer.withBytes { Array($0) }
  }

  /// Appends a whole line.
  ///
  /// - Parameters:
  ///   - frame: The frame to print.
  ///   - dropped: The number of OFFSETs not sent to this subscriber since the last one; 0 omits the
  ///     field.
  ///   - buffer: The destination.
  package func append(
    _ frame: OffsetFrame, dropped: UInt64 = 0, to buffer: inout OutputBuffer
  ) {
    appendBody(frame, to: &buffer)
    Self.appendEnd(dropped: dropped, to: &buffer)
  }

  /// Appends the part of a line that is the same for all subscribers with these layers. `appendEnd`
  /// completes it.
  package func appendBody(_ frame: OffsetFrame, to buffer: inout OutputBuffer) {
    buffer.append("{\"class\":\"OFFSET\",\"seq\":")
    buffer.append(unsigned: frame.seq)
    buffer.append(",\"time\":")
    buffer.append(seconds: frame.time)
    switch precision {
    case .published: appendPublished(frame, to: &buffer)
    case .replay: appendExact(frame, to: &buffer)
    }
    if let overlay = frame.overlay { buffer.append(rotationScaleOpacityOf: overlay) }
  }

  /// Appends the rest of a line: `dropped` if it is above 0, and the end of the line.
  package static func appendEnd(dropped: UInt64, to buffer: inout OutputBuffer) {
    if dropped > 0 {
      buffer.append(",\"dropped\":")
      buffer.append(unsigned: dropped)
    }
    buffer.append("}\n")
  }

  private func appendPublished(_ frame: OffsetFrame, to buffer: inout OutputBuffer) {
    let (x, y) = frame.published
    let added = frame.overlay?.offset ?? .zero
    buffer.append(",\"x\":")
    buffer.append(hundredths: x, plus: added.x)
    buffer.append(",\"y\":")
    buffer.append(hundredths: y, plus: added.y)
    buffer.append(",\"nx\":")
    buffer.append(fraction: rangeX.normalized(x.px))
    buffer.append(",\"ny\":")
    buffer.append(fraction: rangeY.normalized(y.px))
    let velocity = frame.publishedVelocity
    if let velocity {
      buffer.append(",\"vx\":")
      buffer.append(scaled: velocity.x, trimmedDecimals: 1)
      buffer.append(",\"vy\":")
      buffer.append(scaled: velocity.y, trimmedDecimals: 1)
    }
    appendLayers(of: frame, to: &buffer) { depth, added, buffer in
      buffer.append(tenThousandths: depth * x.px + added.x)
      buffer.append(",\"y\":")
      buffer.append(tenThousandths: depth * y.px + added.y)
      guard let velocity else { return }
      buffer.append(",\"vx\":")
      buffer.append(tenths: depth * Double(velocity.x) / 10)
      buffer.append(",\"vy\":")
      buffer.append(tenths: depth * Double(velocity.y) / 10)
    }
  }

  private func appendExact(_ frame: OffsetFrame, to buffer: inout OutputBuffer) {
    let (motion, added) = (frame.motion, frame.overlay?.offset ?? .zero)
    buffer.append(",\"x\":")
    buffer.append(motion.x + added.x, fixedDecimals: 6)
    buffer.append(",\"y\":")
    buffer.append(motion.y + added.y, fixedDecimals: 6)
    buffer.append(",\"nx\":")
    buffer.append(rangeX.normalized(motion.x), fixedDecimals: 6)
    buffer.append(",\"ny\":")
    buffer.append(rangeY.normalized(motion.y), fixedDecimals: 6)
    let velocity = frame.exactVelocity
    if let velocity {
      buffer.append(",\"vx\":")
      buffer.append(velocity.x, fixedDecimals: 6)
      buffer.append(",\"vy\":")
      buffer.append(velocity.y, fixedDecimals: 6)
    }
    appendLayers(of: frame, to: &buffer) { depth, added, buffer in
      buffer.append(depth * motion.x + added.x, fixedDecimals: 6)
      buffer.append(",\"y\":")
      buffer.append(depth * motion.y + added.y, fixedDecimals: 6)
      guard let velocity else { return }
      buffer.append(",\"vx\":")
      buffer.append(depth * velocity.x, fixedDecimals: 6)
      buffer.append(",\"vy\":")
      buffer.append(depth * velocity.y, fixedDecimals: 6)
    }
  }

  /// Appends the layers. `values` appends a layer's x and y, given its depth and what is added.
  @inline(__always)
  private func appendLayers(
    of frame: OffsetFrame, to buffer: inout OutputBuffer,
    values: (Double, PixelOffset, inout OutputBuffer) -> Void
  ) {
    guard !layers.isEmpty else { return }
    var start = 0
    for (index, layer) in layers.enumerated() {
      keys.withUnsafeBytes { bytes in
        buffer.append(bytes: UnsafeRawBufferPointer(rebasing: bytes[start..<layer.keyEnd]))
      }
      let own = index < frame.layerOverlays.count ? frame.layerOverlays[index] : nil
      values(layer.depth, own?.offset ?? frame.overlay?.offset ?? .zero, &buffer)
      if let own { buffer.append(rotationScaleOpacityOf: own) }
      start = layer.keyEnd
    }
    buffer.append("}}")
  }
}

extension OutputBuffer {
  /// Appends a published length plus what animations add to it, in hundredths of a px.
  fileprivate mutating func append(hundredths motion: Hundredths, plus added: Double) {
    let (sum, overflow) = motion.count.addingReportingOverflow(Hundredths(px: added).count)
    append(scaled: overflow ? motion.count : sum, trimmedDecimals: 2)
  }

  /// Appends `,"rotation":45.5,"scale":1,"scale_y":0.8,"opacity":0.25`, without those that are nil and
  /// without a `scale_y` that prints as `scale` does.
  fileprivate mutating func append(rotationScaleOpacityOf overlay: OffsetOverlay) {
    if let degrees = overlay.rotationDegrees {
      append(",\"rotation\":")
      append(tenThousandths: degrees)
    }
    if let scale = overlay.scale {
      append(",\"scale\":")
      append(tenThousandths: scale)
      if let scaleY = overlay.scaleY,
        DecimalText.scaled(scaleY, decimals: 4) != DecimalText.scaled(scale, decimals: 4)
      {
        append(",\"scale_y\":")
        append(tenThousandths: scaleY)
      }
    }
    if let opacity = overlay.opacity {
      append(",\"opacity\":")
      append(tenThousandths: opacity)
    }
  }

  fileprivate mutating func append(tenths value: Double) {
    append(scaled: DecimalText.scaled(value, decimals: 1), trimmedDecimals: 1)
  }

  /// Appends a fraction of the range. Where the range ends between two hundredths of a px, the rounded offset may
  /// lie beyond its end; the fraction does not.
  fileprivate mutating func append(fraction: Double) {
    append(tenThousandths: min(max(fraction, -1), 1))
  }

  fileprivate mutating func append(tenThousandths value: Double) {
    append(scaled: DecimalText.scaled(value, decimals: 4), trimmedDecimals: 4)
  }
}
