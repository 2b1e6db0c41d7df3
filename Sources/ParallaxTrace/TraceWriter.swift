package import ParallaxMotion

/// The written form of a recording: `# key: value` lines, the names of the columns, a row a sample.
///
/// Lines go into a buffer that the caller empties where it likes.
package struct TraceWriter: Sendable {
  private var firstTime: Int64?

  package init() {}

  /// Appends the lines above the rows.
  package func append(_ header: TraceHeader, to buffer: inout OutputBuffer) {
    if let device = header.device {
      // One line, whatever the kernel calls it.
      let name = String(device.map { $0.isNewline ? " " : $0 })
      buffer.append(text: "# device: \(name)\n")
    }
    if let rate = header.rateHertz {
      buffer.append(text: "# rate: \(Self.text(rate))\n")
    }
    if let matrix = header.mountMatrix {
      let entries = matrix.rowMajor.map(Self.text)
      let rows = stride(from: 0, to: 9, by: 3).map { entries[$0..<$0 + 3].joined(separator: ",") }
      buffer.append(text: "# mount-matrix: \(rows.joined(separator: ";"))\n")
    }
    if let orientation = header.orientation {
      buffer.append(text: "# orientation: \(orientation.rawValue)\n")
    }
    switch header.bias {
    case .none: break
    case .off:
      buffer.append("# bias: off,0,0,0\n")
    case .auto(nil):
      // No estimate yet is not the same as one of zero.
      buffer.append("# bias: auto\n")
    case .auto(let rate?):
      let rates = [rate.x, rate.y, rate.z].map(Self.text).joined(separator: ",")
      buffer.append(text: "# bias: auto,\(rates)\n")
    }
    buffer.append("t,x,y,z\n")
  }

  /// Appends a sample in the sensor's frame, before bias: seconds since the first one with 9
  /// decimals, rates as short as they read back the same.
  package mutating func append(_ sample: GyroSample, to buffer: inout OutputBuffer) {
    let first = firstTime ?? sample.timeNanoseconds
    firstTime = first
    buffer.append(secondsFromNanoseconds: sample.timeNanoseconds &- first)
    for rate in [sample.rateRadPerSec.x, sample.rateRadPerSec.y, sample.rateRadPerSec.z] {
      buffer.append(byte: UInt8(ascii: ","))
      buffer.append(shortest: rate)
    }
    buffer.append(byte: UInt8(ascii: "\n"))
  }

  /// As short as it reads back the same, without the `.0` of whole numbers.
  private static func text(_ value: Double) -> String {
    let text = value.description
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
