// SPDX-License-Identifier: Apache-2.0

import ParallaxClient
import ParallaxMotion
import ParallaxText

/// Prints lines of the stream: as they are, with control characters escaped, or offsets as columns.
struct LinePrinter {
  private let format: SubscribeCommand.Format
  /// The layers that have columns; nil until they are known.
  private var layers: [String]?
  private var buffer = [UInt8]()

  /// - Parameter layers: The requested layers, in their order; nil takes those of the first OFFSET.
  init(format: SubscribeCommand.Format, layers: [String]?) {
    self.format = format
    self.layers = layers
    if format == .csv, let layers { buffer = Array(Self.header(layers).utf8) }
  }

  /// Prints a line, or its row in CSV. Returns false if it has no row.
  mutating func print(_ line: ArraySlice<UInt8>, _ decoder: MessageDecoder) throws -> Bool {
    switch format {
    case .json:
      PrintableText.append(json: line, to: &buffer)
      buffer.append(UInt8(ascii: "\n"))
    case .csv:
      guard case .offset(let offset) = decoder.message(line) else { return false }
      let columns = layers ?? offset.layers.map(\.name)
      if layers == nil {
        buffer.append(contentsOf: Self.header(columns).utf8)
        layers = columns
      }
      buffer.append(contentsOf: Self.row(offset, columns))
    }
    try Console.write(buffer)
    buffer.removeAll(keepingCapacity: true)
    return true
  }

  private static func header(_ layers: [String]) -> String {
    "time,x,y" + layers.map { PrintableText.escaped(",\($0)_x,\($0)_y") }.joined() + "\n"
  }

  /// Seconds with 9 decimals, px without trailing zeros. The columns of a missing layer are empty.
  private static func row(_ offset: OffsetMessage, _ layers: [String]) -> [UInt8] {
    var buffer = OutputBuffer()
    func append(_ px: Double, decimals: Int) {
      buffer.append(byte: UInt8(ascii: ","))
      buffer.append(
        scaled: DecimalText.scaled(px, decimals: decimals), trimmedDecimals: decimals)
    }
    buffer.append(seconds: offset.time)
    append(offset.x, decimals: 2)
    append(offset.y, decimals: 2)
    for name in layers {
      if let layer = offset.layers.first(where: { $0.name == name }) {
        append(layer.x, decimals: 4)
        append(layer.y, decimals: 4)
      } else {
        buffer.append(",,")
      }
    }
    buffer.append(byte: UInt8(ascii: "\n"))
    return buffer.withBytes { Array($0) }
  }
}
