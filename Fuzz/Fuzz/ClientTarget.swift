// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
@testable import ParallaxClient
import ParallaxMotion
import ParallaxProtocol

/// Random bytes as what a daemon sends, in pieces. A message that is decoded, printed and decoded again
/// is the same; so is one made from the bytes and printed by the daemon's encoders.
enum ClientTarget {
  static func run(_ bytes: UnsafeRawBufferPointer) {
    let lines = split(bytes, pieces: max(1, bytes.count))
    require(lines == split(bytes, pieces: 3), "the lines depend on the pieces")
    for line in lines {
      if let message = StreamMessage(line: line[...]) { check(message) }
      if let answer = ControlAnswer(line: line[...]) { check(answer) }
      _ = LineClass.name(of: line[...])
    }
    var draw = Draw(bytes)
    checkOffset(&draw)
    checkMessages(&draw)
  }

  private static func split(_ bytes: UnsafeRawBufferPointer, pieces: Int) -> [[UInt8]] {
    var splitter = LineSplitter()
    var lines: [[UInt8]] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      splitter.append(UnsafeRawBufferPointer(rebasing: rest.prefix(pieces)))
      while let line = splitter.next() { lines.append(Array(line)) }
      rest = rest.dropFirst(pieces)
    }
    return lines
  }

  // MARK: - Decoded, printed, decoded

  /// Printing rounds some numbers, so the second text is compared with the first.
  private static func check(_ message: StreamMessage) {
    guard let text = print(message) else { return }
    guard let again = StreamMessage(line: text.dropLast()) else {
      fatalError("printed but not understood: \(String(decoding: text, as: UTF8.self))")
    }
    require(print(again) == text, "prints as something else the second time")
  }

  private static func check(_ answer: ControlAnswer) {
    let text = print(answer)
    guard let again = ControlAnswer(line: text.dropLast()) else {
      fatalError("printed but not understood: \(String(decoding: text, as: UTF8.self))")
    }
    require(print(again) == text, "prints as something else the second time")
  }

  /// Returns nil for OFFSET, whose encoder takes a frame.
  private static func print(_ message: StreamMessage) -> [UInt8]? {
    if case .offset = message { return nil }
    var buffer = OutputBuffer()
    switch message {
    case .version(let version): buffer.appendLine(version)
    case .device(let device): buffer.appendLine(device)
    case .gate(let gate): buffer.appendLine(gate)
    case .animation(let animation): buffer.appendLine(animation)
    case .watch(let watch): buffer.appendLine(watch)
    case .error(let error): buffer.appendLine(error)
    case .offset: break
    }
    return buffer.withBytes { Array($0) }
  }

  private static func print(_ answer: ControlAnswer) -> [UInt8] {
    var buffer = OutputBuffer()
    buffer.appendLine(answer)
    return buffer.withBytes { Array($0) }
  }

  // MARK: - Made, printed, decoded

  private static func checkMessages(_ draw: inout Draw) {
    while !draw.isAtEnd {
      let texts = (0..<draw.number(below: 3)).map { _ in draw.text(atMost: 20) }
      let messages: [StreamMessage] = [
        .error(ErrorMessage(message: draw.text(atMost: 40), code: .behind, details: texts)),
        .device(
          DeviceMessage(
            driver: draw.text(atMost: 8), name: draw.maybe { $0.text(atMost: 20) },
            state: draw.element(of: DeviceMessage.State.allCases), rateHertz: nil,
            reason: draw.maybe { $0.text(atMost: 20) })),
        .gate(GateMessage(open: draw.flag(), gain: 1, reasons: texts)),
        .version(
          VersionMessage(
            release: draw.text(atMost: 9), protoMajor: Int(draw.byte()),
            protoMinor: Int(Int64(bitPattern: draw.bits())))),
      ]
      for message in messages {
        guard let line = print(message) else { continue }
        require(StreamMessage(line: line.dropLast()) == message, "another message")
      }
      let sample = ControlAnswer.sample(
        SampleMessage(
          time: MotionInstant(nanoseconds: Int64(bitPattern: draw.bits())), x: draw.double(),
          y: draw.double(), z: draw.double()))
      require(
        ControlAnswer(line: print(sample).dropLast()) == sample, "another sample: \(sample)")
    }
  }

  private static func checkOffset(_ draw: inout Draw) {
    var layers: [Layer] = []
    for name in ["bg", "fg \u{e4}"].prefix(draw.number(below: 3)) {
      if let layer = try? Layer(name: name, depth: Double(draw.number(below: 21) - 10)) {
        layers.append(layer)
      }
    }
    guard let set = try? LayerSet(layers) else { return }
    let settings = MotionSettings()
    let encoder = OffsetEncoder(
      layers: set, rangeX: settings.rangeX, rangeY: settings.rangeY)
    let frame = OffsetFrame(
      seq: draw.bits(), time: MotionInstant(nanoseconds: Int64(bitPattern: draw.bits())),
      motion: PixelOffset(x: hundredths(&draw), y: hundredths(&draw)))
    let dropped = UInt64(draw.byte())
    var buffer = OutputBuffer()
    encoder.append(frame, dropped: dropped, to: &buffer)
    let line = buffer.withBytes { Array($0.dropLast()) }
    guard case .offset(let offset) = StreamMessage(line: line[...]) else {
      fatalError("not understood: \(String(decoding: line, as: UTF8.self))")
    }
    require(offset.seq == frame.seq && offset.time == frame.time, "another frame")
    require(offset.x == frame.motion.x && offset.y == frame.motion.y, "another place")
    require(offset.dropped == (dropped == 0 ? nil : dropped), "other drops")
    require(offset.layers.map(\.name) == set.layers.map(\.name).sorted(), "other layers")
  }

  /// Returns a number of px that its text states exactly.
  private static func hundredths(_ draw: inout Draw) -> Double {
    Double(draw.number(below: 1001) - 500) / 100
  }
}
