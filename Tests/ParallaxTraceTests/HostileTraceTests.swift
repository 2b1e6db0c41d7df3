// SPDX-License-Identifier: Apache-2.0

import ParallaxMotion
import ParallaxTestSupport
import ParallaxTrace
import Testing

/// Any file results in samples or in an error, and the result does not depend on the block size.
@Suite("Hostile traces")
struct HostileTraceTests {
  /// Pieces of text: headers, numbers, line endings, quotes, control characters.
  static let pieces: [String] = [
    "t,x,y,z\n", "time,seconds_elapsed,z,y,x\n", "GYROFLOW IMU LOG\n", "tscale,1e-3\n",
    "gscale,0.5\n", "orientation,xYz\n", "t,gx,gy,gz\n",
    "\"Time (s)\";\"X (rad/s)\";\"Y (rad/s)\"\n",
    "Creation_Time\tx\ty\tz\n", "#timestamp [ns],w_RS_S_x [rad s^-1],w_RS_S_y [rad s^-1]\n",
    "rotationRate.x,rotationRate.y\n", "# rate: 100\n", "# bias: auto\n", "#", "\n", "\r\n",
    "\r\r\n", "\r", ",", ";", "\t", " ", "\"", "\"\"", "0", "1", "-1.5", "1e9", "1e999", "-",
    "1,2,3,4\n", "2;3;4;5\n", "3\t4\t5\t6\n", "5,6,7,8", "nan", "inf", "0x1p3", "\u{FEFF}", "\u{0}",
    "1.6232e-035", "99999999999999999999999", "1e", "abc", "é", "0.0000000000000000000000001",
  ]

  @Test func randomPiecesDoNotDependOnBlockSize() {
    var generator = SeededGenerator.forTest()
    var sampled = 0
    for index in 0..<3_000 {
      var text = Bool.random(using: &generator) ? "t,x,y,z\n0,1,2,3\n" : ""
      for _ in 0..<Int.random(in: 1...40, using: &generator) {
        text += Self.pieces.randomElement(using: &generator) ?? ""
      }
      let options = given(
        rate: index % 5 == 0 ? 99.5 : nil, skip: Bool.random(using: &generator))
      let whole = read(text, options: options, needsZ: index % 2 == 0)
      let inBlocks = read(
        text, options: options, needsZ: index % 2 == 0,
        blockSize: Int.random(in: 1...50, using: &generator))
      sampled += whole.samples.count
      // NaN is not equal to itself; its description is.
      if "\(whole)" != "\(inBlocks)" {
        Issue.record("\(text.debugDescription): \(whole) or \(inBlocks) \(generator.note)")
        return
      }
    }
    #expect(sampled > 1_000, "too few of these texts are traces")
  }

  @Test func randomBytesAreReadOrAnError() {
    var generator = SeededGenerator.forTest(salt: 2)
    for _ in 0..<1_000 {
      let head = Array("t,x,y,z\n".utf8)
      let body = (0..<Int.random(in: 0...300, using: &generator)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
      _ = read(bytes: body)
      let reading = read(bytes: head + body, options: given(skip: true))
      #expect(reading.error != nil || !reading.samples.isEmpty, "\(generator.note)")
    }
  }

  @Test func changedByteResultsInSamplesOrAnError() {
    var generator = SeededGenerator.forTest(salt: 3)
    for expected in DialectCase.all {
      for _ in 0..<100 {
        var bytes = Array(expected.text.utf8)
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        bytes[place] = UInt8.random(in: 0...255, using: &generator)
        let reading = read(bytes: bytes, options: expected.options)
        #expect(
          reading.error != nil || !reading.samples.isEmpty,
          "\(expected.name), byte \(place) \(generator.note)")
      }
    }
  }

  @Test func linesOfLongTraceAreCounted() {
    var text = "t,x,y,z\n"
    for row in 0..<20_000 { text += "\(row),0.25,-0.5,1\n" }
    text += "bad,1,2,3\n20000,1,2,3\n"
    let reading = read(text)
    #expect(reading.samples.count == 20_000)
    #expect(reading.samples.last == sample(19_999_000_000_000, 0.25, -0.5, 1))
    #expect(reading.error?.line == 20_002)
  }
}
