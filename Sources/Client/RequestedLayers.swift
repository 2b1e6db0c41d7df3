// SPDX-License-Identifier: Apache-2.0

import ParallaxProtocol

/// The layers that a stream has requested. Until the daemon has answered the request, its frames have other
/// layers, maybe with the same names, or none; the requested ones are then computed.
struct RequestedLayers: Equatable {
  /// Names and depths; nil: the daemon's layers.
  var depths: [WatchMessage.LayerDepth]?
  /// Whether the daemon has answered a request of this connection.
  var isAnswered = false

  /// Returns an OFFSET that has the requested layers.
  ///
  /// - Parameters:
  ///   - rangeX: The limits of the motion in px, left and right; nil if unknown.
  ///   - rangeY: The limits of the motion in px, up and down; nil if unknown.
  func complete(
    _ message: OffsetMessage, rangeX: ClosedRange<Double>?, rangeY: ClosedRange<Double>?
  ) -> OffsetMessage {
    guard let depths else { return message }
    let hasAll = depths.allSatisfy { depth in message.layers.contains { $0.name == depth.name } }
    guard !isAnswered || !hasAll else { return message }
    // Without what an animation adds; a frame without a velocity may be of one.
    func motion(_ offset: Double, _ fraction: Double, _ range: ClosedRange<Double>?) -> Double {
      guard message.vx == nil, let range else { return offset }
      return fraction * (fraction < 0 ? -range.lowerBound : range.upperBound)
    }
    let x = motion(message.x, message.nx, rangeX)
    let y = motion(message.y, message.ny, rangeY)
    var result = message
    result.layers = depths.sorted { $0.name < $1.name }.map { layer in
      // A layer moves by its depth, and an animation adds as much to each.
      OffsetMessage.LayerOffset(
        name: layer.name, x: message.x + (layer.depth - 1) * x,
        y: message.y + (layer.depth - 1) * y, vx: message.vx.map { layer.depth * $0 },
        vy: message.vy.map { layer.depth * $0 })
    }
    return result
  }
}
