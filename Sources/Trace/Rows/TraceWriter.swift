// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase
package import ParallaxMotion

/// Writes a recording: `# key: value` lines, the header, and one row per sample.
///
/// Lines go into a buffer, which the caller empties.
package struct TraceWriter: Sendable {
  private var firstTime: MotionInstant?

  package init() {}

  /// Appends the lines above the rows.
  package func append(_ header: TraceHeader, to buffer: inout OutputBuffer) {
    if let device = header.device {
      // A name from the kernel may contain line ends and what a terminal acts on.
      let name = PrintableText.line(device)
      buffer.append(text: "# device: \(name)\n")
    }
    if let rate = header.rateHertz {
      buffer.append(text: "# rate: \(SettingText.text(rate))\n")
    }
    if let matrix = header.mountMatrix {
      buffer.append(text: "# mount-matrix: \(matrix.text(number: Self.text))\n")
    }
    if let orientation = header.orientation {
      buffer.append(text: "# orientation: \(orientation.rawValue)\n")
    }
    if let bias = header.bias {
      // A recording always has the rates unless there is no estimate yet.
      buffer.append(text: "# bias: \(bias == .off ? "off,0,0,0" : bias.text(number: Self.text))\n")
    }
    buffer.append("t,x,y,z\n")
  }

  /// Appends a sample in the sensor's frame, before bias: the seconds since the first one with 9
  /// decimals, and rates at full precision.
  package mutating func append(_ sample: GyroSample, to buffer: inout OutputBuffer) {
    let first = firstTime ?? sample.time
    firstTime = first
    buffer.append(
      seconds: MotionDuration(nanoseconds: sample.time.nanoseconds &- first.nanoseconds))
    for rate in [sample.rateRadPerSec.x, sample.rateRadPerSec.y, sample.rateRadPerSec.z] {
      buffer.append(byte: UInt8(ascii: ","))
      buffer.append(shortest: rate)
    }
    buffer.append(byte: UInt8(ascii: "\n"))
  }

  /// As `SettingText.text`, but with the sign of a zero: a recording keeps every bit.
  private static func text(_ value: Double) -> String {
    value == 0 && value.sign == .minus ? "-0" : SettingText.text(value)
  }
}
