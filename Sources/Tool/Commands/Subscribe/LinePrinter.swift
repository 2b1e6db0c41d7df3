// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxClient

/// Lines of the stream as text: as they are, with control characters escaped, or offsets as columns.
struct LinePrinter {
  /// The layers that have columns; nil until they are known.
  private var layers: [String]?

  /// - Parameter layers: The requested layers, in their order; nil takes those of the first OFFSET.
  init(layers: [String]?) {
    self.layers = layers
  }

  /// The line with the names of the columns; empty until they are known.
  var header: [UInt8] { layers.map { Array(Self.header($0).utf8) } ?? [] }

  /// Appends a line as it is.
  func append(json line: ArraySlice<UInt8>, to buffer: inout [UInt8]) {
    PrintableText.append(json: line, to: &buffer)
    buffer.append(UInt8(ascii: "\n"))
  }

  /// Appends the row of an OFFSET. Returns false for other messages.
  mutating func append(csv message: StreamMessage?, to buffer: inout [UInt8]) -> Bool {
    guard case .offset(let offset) = message else { return false }
    let columns = layers ?? offset.layers.map(\.name)
    if layers == nil {
      buffer.append(contentsOf: Self.header(columns).utf8)
      layers = columns
    }
    buffer.append(contentsOf: Self.row(offset, columns))
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
