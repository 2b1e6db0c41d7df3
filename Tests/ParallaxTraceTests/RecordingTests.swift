// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxMotion
import ParallaxTestSupport
import Testing

@testable import ParallaxTrace

@Suite("Recordings")
struct RecordingTests {
  @Test func writtenSamplesReadBack() throws {
    var generator = SeededGenerator.forTest()
    var header = TraceHeader(device: "gyro_3d", rateHertz: 99.7, orientation: .rightUp)
    header.mountMatrix = try MountMatrix(parsing: "0,1,0;0,0,-1;-1,0,0")
    header.bias = .auto(AngularRate(x: 0.1, y: -2.5e-17, z: 1.0 / 3))
    var written: [GyroSample] = []
    var time = MotionInstant(
      nanoseconds: .random(in: -(1 << 60)...1 << 60, using: &generator))
    for _ in 0..<2_000 {
      func rate() -> Double {
        let value = Double(bitPattern: .random(in: 0...UInt64.max, using: &generator))
        return value.isNaN || Bool.random(using: &generator)
          ? Double.random(in: -10...10, using: &generator) : value
      }
      written.append(sample(time, rate(), rate(), rate()))
      time += .nanoseconds(.random(in: 1...20_000_000, using: &generator))
    }
    var buffer = OutputBuffer()
    var writer = TraceWriter()
    writer.append(header, to: &buffer)
    for sample in written { writer.append(sample, to: &buffer) }

    let reading = read(buffer.text)
    #expect(reading.error == nil)
    #expect(reading.header == header)
    #expect(reading.dialect == .native)
    let first = written[0].time
    let expected = written.map { sample in
      GyroSample(
        time: .zero + (sample.time - first), rateRadPerSec: sample.rateRadPerSec)
    }
    #expect(reading.samples == expected, "\(generator.note)")
  }

  @Test func writtenFormIsExact() throws {
    var buffer = OutputBuffer()
    var writer = TraceWriter()
    let header = TraceHeader(
      device: "bmi\n160", rateHertz: 30, mountMatrix: .identity, orientation: .leftUp, bias: .off)
    writer.append(header, to: &buffer)
    writer.append(sample(1_000_000_000, 0.1, -0.0, 1e-7), to: &buffer)
    writer.append(sample(1_033_333_333, 2, 3, 4), to: &buffer)
    let text = buffer.text
    #expect(
      text == """
        # device: bmi 160
        # rate: 30
        # mount-matrix: 1,0,0;0,1,0;0,0,1
        # orientation: left-up
        # bias: off,0,0,0
        t,x,y,z
        0.000000000,0.1,-0.0,1e-07
        0.033333333,2.0,3.0,4.0

        """)
  }

  @Test(arguments: [
    "q,t,x,y,z", "t,x,y,z", "q;t;x;y", "a\tt\tx\ty\tz", "Time (s),X (rad/s),Y (rad/s)",
  ])
  func aDeviceMayBeCalledAsColumnsAre(name: String) throws {
    var buffer = OutputBuffer()
    var writer = TraceWriter()
    writer.append(TraceHeader(device: name), to: &buffer)
    writer.append(sample(0, 1, 2, 3), to: &buffer)
    let reading = read(buffer.text)
    #expect(reading.error == nil)
    #expect(reading.header?.device == name.replacing("\t", with: " "))
    #expect(reading.samples == [sample(0, 1, 2, 3)])
  }

  @Test func headerKeepsTheSignOfZero() throws {
    var buffer = OutputBuffer()
    let header = TraceHeader(
      mountMatrix: try MountMatrix(parsing: "0,-1,-0;1,0,0;-0.0,0,1"),
      bias: .auto(AngularRate(x: -0.0, y: 0, z: 0.5)))
    TraceWriter().append(header, to: &buffer)
    #expect(
      buffer.text == """
        # mount-matrix: 0,-1,-0;1,0,0;-0,0,1
        # bias: auto,-0,0,0.5
        t,x,y,z

        """)
  }

  @Test(
    arguments: [
      ("off", .off), ("off,0,0,0", .off), ("auto", .auto(nil)),
      ("auto, 0.1,-0.2, 3e-3", .auto(AngularRate(x: 0.1, y: -0.2, z: 3e-3))),
    ] as [(String, BiasState)])
  func biasReadsBack(text: String, expected: BiasState) {
    let reading = read("# bias: \(text)\nt,x,y,z\n0,1,2,3\n")
    #expect(reading.header?.bias == expected)
    var buffer = OutputBuffer()
    TraceWriter().append(TraceHeader(bias: expected), to: &buffer)
    #expect(read(buffer.text + "0,1,2,3\n").header?.bias == expected)
  }

  @Test func invalidCommentsOfOtherProgramsAreIgnored() {
    let reading = read(
      "# rate: about 100\n# Device: Pixel\n#orientation: portrait\nTime (s),X (rad/s),Y (rad/s)\n"
        + "0,1,2\n1,2,3\n", needsZ: false)
    #expect(reading.error == nil)
    #expect(reading.header == TraceHeader(device: "Pixel"))
  }

  @Test func nominalRateIsTheHeadersOrTheMedianAndKeepsTheSamples() throws {
    func opened(
      _ text: String, rate: Double? = nil
    ) throws -> (rate: Double?, samples: [GyroSample]) {
      var reader = try TraceReader(
        TraceInput(pipe(holding: Array(text.utf8)), name: "pipe"),
        options: given(rate: rate), blockSize: 7)
      let rate = reader.findNominalRate(frameRate: .standard)
      var samples: [GyroSample] = []
      while let sample = try reader.next() { samples.append(sample) }
      return (rate, samples)
    }
    let rows = (0..<30).map { "\($0 * 20),0.5,0.25\n" }.joined()
    let units = "Time (ms),X (rad/s),Y (rad/s)\n"
    let found = try opened(units + rows)
    #expect(found.rate == 50)
    #expect(found.samples.count == 30)
    #expect(found.samples[29].time == 580_000_000)
    #expect(try opened("# rate: 49.5\n" + units + rows).rate == 49.5)
    let evenly = try opened("# rate: 49.5\n" + units + rows, rate: 25)
    #expect(evenly.rate == 25)
    #expect(evenly.samples[29].time == 1_160_000_000)
    // Duplicates and nonfinite samples do not count.
    let odd = "0,1,1\n0,1,1\n10,nan,1\n20,1,1\n20,1,1\n40,1,1\n"
    #expect(try opened(units + odd).rate == 50)
    #expect(try opened(units + "0,1,1\n").rate == nil)
    // A bad row is reported in its place, not earlier.
    var reader = try TraceReader(
      TraceInput(
        pipe(holding: Array("t,x,y\n0,1,2\n1,1,2\nx,1,2\n3,1,2\n".utf8)), name: "p"))
    let rate = reader.findNominalRate(frameRate: .standard)
    #expect(rate == 1)
    let times = [try reader.next()?.time, try reader.next()?.time]
    #expect(times == [0, 1_000_000_000])
    do throws(TraceError) {
      _ = try reader.next()
      Issue.record("the third row is bad")
    } catch {
      #expect(error.line == 4)
    }
  }

  @Test func fileRestartsAndStreamDoesNot() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("# note\nt,x,y,z\n0,1,2,3\n1,4,5,6\n2,7,8", to: "t.csv")
    var reader = try TraceReader(path: path)
    let canRewind = reader.canRewind
    #expect(canRewind)
    for _ in 0..<3 {
      var times: [MotionInstant] = []
      while let sample = try reader.next() { times.append(sample.time) }
      #expect(times == [0, 1_000_000_000])
      try reader.rewind()
    }
    let counts = reader.counts
    #expect(counts.rows == 9)
    #expect(counts.footer == 3)

    let stream = pipe(holding: Array("t,x,y\n0,1,2\n1,2,3\n".utf8))
    var once = try TraceReader(TraceInput(stream, name: "standard input"))
    let streamCanRewind = once.canRewind
    #expect(!streamCanRewind)
    do throws(TraceError) {
      try once.rewind()
      Issue.record("a pipe cannot restart")
    } catch {
      #expect(error.meaning == .usage)
      #expect(
        error.description
          == "standard input: cannot restart for --loop; use a file instead of a stream")
    }
  }
}
