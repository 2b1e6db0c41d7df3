// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxMotion
import ParallaxProtocol

/// Returns the daemon's line for a message, without the line feed.
func lineText(_ message: StreamMessage) -> String {
  var buffer = OutputBuffer()
  switch message {
  case .version(let version): buffer.appendLine(version)
  case .device(let device): buffer.appendLine(device)
  case .gate(let gate): buffer.appendLine(gate)
  case .offset(let offset): appendOffset(offset, to: &buffer)
  case .animation(let animation): buffer.appendLine(animation)
  case .watch(let watch): buffer.appendLine(watch)
  case .error(let error): buffer.appendLine(error)
  }
  return String(buffer.text.dropLast())
}

/// Returns the daemon's line for an answer, without the line feed.
func answerLine(_ answer: ControlAnswer) -> String {
  var buffer = OutputBuffer()
  buffer.appendLine(answer)
  return String(buffer.text.dropLast())
}

/// Appends an OFFSET without animations, whose layers and fractions are derived from its offset.
private func appendMotion(
  _ message: OffsetMessage, velocity: PixelVelocity, to buffer: inout OutputBuffer
) {
  let depths = message.layers.map { "\($0.name)=\($0.x / message.x)" }.joined(separator: ",")
  let reach = message.x / message.nx
  guard let layers = try? LayerSet(parsing: depths),
    let range = try? PixelRange(low: -reach, high: reach)
  else { return }
  let frame = OffsetFrame(
    seq: message.seq, time: message.time, motion: PixelOffset(x: message.x, y: message.y),
    velocity: velocity)
  OffsetEncoder(layers: layers, rangeX: range, rangeY: range)
    .append(frame, dropped: message.dropped ?? 0, to: &buffer)
}

/// Appends an OFFSET with any values. Fractions have 4 decimals, so in a range of 100 px they are
/// motion in whole hundredths; layers of depth 0 contain only what is added to them.
private func appendOffset(_ message: OffsetMessage, to buffer: inout OutputBuffer) {
  if let vx = message.vx, let vy = message.vy {
    return appendMotion(message, velocity: PixelVelocity(x: vx, y: vy), to: &buffer)
  }
  guard
    let layers = try? LayerSet(
      parsing: message.layers.map { "\($0.name)=0" }.joined(separator: ",")),
    let range = try? PixelRange(low: -100, high: 100)
  else { return }
  let motion = PixelOffset(x: message.nx * 100, y: message.ny * 100)
  let frame = OffsetFrame(
    seq: message.seq, time: message.time, motion: motion,
    overlay: OffsetOverlay(
      offset: PixelOffset(x: message.x - motion.x, y: message.y - motion.y),
      rotationDegrees: message.rotation, scale: message.scale,
      scaleY: message.scaleY, opacity: message.opacity),
    layerOverlays: message.layers.map { layer in
      OffsetOverlay(
        offset: PixelOffset(x: layer.x, y: layer.y), rotationDegrees: layer.rotation,
        scale: layer.scale, scaleY: layer.scaleY, opacity: layer.opacity)
    })
  OffsetEncoder(layers: layers, rangeX: range, rangeY: range)
    .append(frame, dropped: message.dropped ?? 0, to: &buffer)
}
