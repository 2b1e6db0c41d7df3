package import ParallaxMotion

/// One frame on its way to a receiver.
package struct OffsetFrame: Equatable, Sendable {
  /// The daemon's frame number.
  package var seq: UInt64
  /// CLOCK_MONOTONIC for what the daemon publishes; of the trace in replay.
  package var timeNanoseconds: Int64
  /// Motion times the receiver's gain, px, not yet rounded.
  package var motion: PixelOffset
  /// What animations without a layer add; nil where none drives the picture.
  package var overlay: OffsetOverlay?
  /// For each of the encoder's layers, in their order, what is added to it in place of `overlay`
  /// (which it has in it); nil where no animation of its own drives it. Empty: none does.
  package var layerOverlays: [OffsetOverlay?]

  @inlinable
  package init(
    seq: UInt64, timeNanoseconds: Int64, motion: PixelOffset, overlay: OffsetOverlay? = nil,
    layerOverlays: [OffsetOverlay?] = []
  ) {
    self.seq = seq
    self.timeNanoseconds = timeNanoseconds
    self.motion = motion
    self.overlay = overlay
    self.layerOverlays = layerOverlays
  }

  /// The frame's motion as it is published. Two frames with the same one (and overlays) print the
  /// same values.
  package var published: (x: Hundredths, y: Hundredths) {
    (Hundredths(px: motion.x), Hundredths(px: motion.y))
  }
}

/// What animations add to the motion while they drive it.
package struct OffsetOverlay: Equatable, Sendable {
  /// px, added to x, y and every layer; of a layer's own, to that layer.
  package var offset: PixelOffset
  /// Degrees clockwise; nil: none of them turns.
  package var rotationDegrees: Double?
  /// 1 is unscaled; nil: none of them scales.
  package var scale: Double?
  /// 0...1; nil: none of them fades.
  package var opacity: Double?

  package init(
    offset: PixelOffset = .zero, rotationDegrees: Double? = nil, scale: Double? = nil,
    opacity: Double? = nil
  ) {
    self.offset = offset
    self.rotationDegrees = rotationDegrees
    self.scale = scale
    self.opacity = opacity
  }
}

/// Writes OFFSET lines for one set of layers and one range, without allocating: what does not change
/// from frame to frame is put together once, in `init`.
///
///     {"class":"OFFSET","seq":42,"time":12.345678901,"x":1.23,"y":-0.5,"nx":0.246,"ny":-0.1,"layers":{"bg":{"x":0.246,"y":-0.1}}}
///
/// x and y are whole hundredths of a px and everything else follows from them (nx = x / bound, a
/// layer = depth times x), so that no field tells more about the motion than another.
package struct OffsetEncoder: Sendable {
  /// How many decimals are written, and of what.
  package enum Precision: Equatable, Sendable {
    /// The stream's: x and y in hundredths, the others with 4 decimals from those; trailing zeros
    /// are left out.
    case published
    /// Replay's: 6 decimals, of motion that is not rounded before.
    case replay
  }

  private struct PreparedLayer: Sendable {
    /// Where its bytes end in `keys`.
    let keyEnd: Int
    let depth: Double
  }

  private let rangeX: PixelRange
  private let rangeY: PixelRange
  private let precision: Precision
  private let layers: [PreparedLayer]
  /// `,"layers":{"bg":{"x":` for the first layer, `},"fg":{"x":` for those behind it.
  private let keys: [UInt8]

  /// - Parameters:
  ///   - layers: what `layers` holds, in this order; without layers the key is left out.
  ///   - rangeX: what nx is a share of.
  ///   - rangeY: what ny is a share of.
  ///   - precision: the stream's, unless replay asks.
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
  ///   - frame: what it says.
  ///   - dropped: OFFSET lines that were due to this receiver since the last one and not sent; 0
  ///     leaves the key out.
  ///   - buffer: where it goes.
  package func append(
    _ frame: OffsetFrame, dropped: UInt64 = 0, to buffer: inout OutputBuffer
  ) {
    appendBody(frame, to: &buffer)
    Self.appendEnd(dropped: dropped, to: &buffer)
  }

  /// Appends a line up to where receivers differ, so that it can be written once for many of them.
  /// `appendEnd` completes it.
  package func appendBody(_ frame: OffsetFrame, to buffer: inout OutputBuffer) {
    buffer.append("{\"class\":\"OFFSET\",\"seq\":")
    buffer.append(unsigned: frame.seq)
    buffer.append(",\"time\":")
    buffer.append(secondsFromNanoseconds: frame.timeNanoseconds)
    switch precision {
    case .published: appendPublished(frame, to: &buffer)
    case .replay: appendExact(frame, to: &buffer)
    }
    if let overlay = frame.overlay { buffer.append(turnsOf: overlay) }
  }

  /// Appends what follows a body: `dropped` where it is above 0, and the end of the line.
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
    buffer.append(tenThousandths: rangeX.normalized(x.px))
    buffer.append(",\"ny\":")
    buffer.append(tenThousandths: rangeY.normalized(y.px))
    appendLayers(of: frame, to: &buffer) { depth, added, buffer in
      buffer.append(tenThousandths: depth * x.px + added.x)
      buffer.append(",\"y\":")
      buffer.append(tenThousandths: depth * y.px + added.y)
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
    appendLayers(of: frame, to: &buffer) { depth, added, buffer in
      buffer.append(depth * motion.x + added.x, fixedDecimals: 6)
      buffer.append(",\"y\":")
      buffer.append(depth * motion.y + added.y, fixedDecimals: 6)
    }
  }

  /// Walks the layers; `values` writes what stands behind `"x":` from the depth and what is added.
  @inline(__always)
  private func appendLayers(
    of frame: OffsetFrame, to buffer: inout OutputBuffer,
    values: (Double, PixelOffset, inout OutputBuffer) -> Void
  ) {
    guard !layers.isEmpty else { return }
    // Indices, not an iterator: without optimisation an iterator allocates, and the test that shows
    // that nothing does runs there too.
    var start = 0
    var index = 0
    while index < layers.count {
      let layer = layers[index]
      keys.withUnsafeBytes { bytes in
        buffer.append(bytes: UnsafeRawBufferPointer(rebasing: bytes[start..<layer.keyEnd]))
      }
      let own = index < frame.layerOverlays.count ? frame.layerOverlays[index] : nil
      values(layer.depth, own?.offset ?? frame.overlay?.offset ?? .zero, &buffer)
      if let own { buffer.append(turnsOf: own) }
      start = layer.keyEnd
      index += 1
    }
    buffer.append("}}")
  }
}

extension OutputBuffer {
  /// A published length and what animations add to it, px in hundredths.
  fileprivate mutating func append(hundredths motion: Hundredths, plus added: Double) {
    let (sum, overflow) = motion.count.addingReportingOverflow(Hundredths(px: added).count)
    append(scaled: overflow ? motion.count : sum, trimmedDecimals: 2)
  }

  /// `,"rotation":45.5,"scale":1,"opacity":0.25`, those that are driven.
  fileprivate mutating func append(turnsOf overlay: OffsetOverlay) {
    if let degrees = overlay.rotationDegrees {
      append(",\"rotation\":")
      append(tenThousandths: degrees)
    }
    if let scale = overlay.scale {
      append(",\"scale\":")
      append(tenThousandths: scale)
    }
    if let opacity = overlay.opacity {
      append(",\"opacity\":")
      append(tenThousandths: opacity)
    }
  }

  fileprivate mutating func append(tenThousandths value: Double) {
    append(scaled: DecimalText.scaled(value, decimals: 4), trimmedDecimals: 4)
  }
}
