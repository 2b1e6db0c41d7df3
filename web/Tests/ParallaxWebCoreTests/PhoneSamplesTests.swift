// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ParallaxWebCore

@Suite("Samples of a phone")
struct PhoneSamplesTests {
  private func page(_ text: String) throws(PhoneSamples.ReadError) -> PhoneSamples {
    try PhoneSamples(page: Array(text.utf8))
  }

  @Test func linesAreWrittenFromTheNumbers() throws {
    let body = """
      {"samples": [[1700000000.25, 1e-2, -0.20, 0]], "class": "SAMPLES", "comment": "\\n{\\"class\\":\\"STOP\\"}"}
      {"class":"SAMPLES","samples":[[1700000000.266,0.5,0,-3],[1700000000.283,0,0,100]]}

      """
    let samples = try page(body)
    #expect(samples.samples.count == 3)
    #expect(
      samples.lines() == """
        {"class":"SAMPLES","samples":[[1700000000.25,0.01,-0.2,0.0],[1700000000.266,0.5,0.0,-3.0],\
        [1700000000.283,0.0,0.0,100.0]]}

        """)
  }

  @Test func longBodiesBecomeSeveralLines() throws {
    let samples = PhoneSamples(
      (0..<5).map { PhoneSamples.Sample(time: Double($0), x: 0, y: 0, z: 0) })
    let lines = samples.lines(count: 2).split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines[2] == #"{"class":"SAMPLES","samples":[[4.0,0.0,0.0,0.0]]}"#)
    // The most that a body can have stays below the limit of the daemon's lines.
    let longest = PhoneSamples(
      [PhoneSamples.Sample](
        repeating: .init(
          time: 1_700_000_000.123456, x: -12.345678901234567, y: -1.2345678901234567e-5,
          z: -0.12345678901234567), count: PhoneSamples.maxCount))
    #expect(longest.lines().split(separator: "\n").allSatisfy { $0.utf8.count < 64 << 10 })
  }

  @Test(arguments: [
    ("", "expected 1 to"),
    (#"{"class":"SAMPLES","samples":[]}"#, "expected 1 to"),
    (#"{"class":"SET","key":"scale","value":9}"#, "class SAMPLES"),
    (#"{"class":"SAMPLES"}"#, "class SAMPLES"),
    (#"{"class":"SAMPLES","samples":[[1,2,3]]}"#, "[time, x, y, z]"),
    (#"{"class":"SAMPLES","samples":[[1,2,3,4,5]]}"#, "[time, x, y, z]"),
    (#"{"class":"SAMPLES","samples":[[1,2,3,"4"]]}"#, "[time, x, y, z]"),
    (#"{"class":"SAMPLES","samples":[[1,2,3,null]]}"#, "[time, x, y, z]"),
    (#"{"class":"SAMPLES","samples":[[1,2,3,1e999]]}"#, "[time, x, y, z]"),
    (#"{"class":"SAMPLES","samples":[[1,2,3,100.1]]}"#, "out of range"),
    (#"{"class":"SAMPLES","samples":[[-1,2,3,4]]}"#, "out of range"),
    // The daemon would refuse each line, and the phone would not learn of it.
    (#"{"class":"SAMPLES","samples":[[2305843010,2,3,4]]}"#, "out of range"),
    (#"{"class":"SAMPLES","samples":[[NaN,2,3,4]]}"#, "[time, x, y, z]"),
    (#"[1]"#, "class SAMPLES"),
    ("{\"class\":\"SAMPLES\",\"samples\":[[1,2,3,4]]}\nSTATUS", "class SAMPLES"),
  ])
  func anythingElseIsRefused(body: String, reason: String) {
    #expect {
      try page(body)
    } throws: { error in
      (error as? PhoneSamples.ReadError)?.message.contains(reason) == true
    }
  }

  @Test func tooManySamplesAreRefused() {
    let rows = [String](repeating: "[1,0,0,0]", count: PhoneSamples.maxCount + 1)
    #expect(throws: PhoneSamples.ReadError.self) {
      try page("{\"class\":\"SAMPLES\",\"samples\":[\(rows.joined(separator: ","))]}")
    }
  }

  // MARK: - Sensor Logger

  /// As the app sends it (PUSHING.md of its repository).
  private static let push = """
    {"messageId": 3, "sessionId": "5d2e", "deviceId": "a1-b2", "payload": [
      {"name": "accelerometer", "time": 1698501144401773000, "values": {"x": 9.5, "y": 0, "z": 0}},
      {"name": "gyroscope", "time": 1698501144411773000, "accuracy": 3,
       "values": {"z": 0.3, "y": -0.2, "x": 0.1}},
      {"name": "gyroscope", "time": 1698501144401773000, "values": {"x": 0.5, "y": 0, "z": 0}},
      {"name": "gyroscopeuncalibrated", "time": 1698501144401773000, "values": {"x": 7, "y": 7, "z": 7}}]}
    """

  @Test func sensorLogger() throws {
    let push = try SensorLoggerPush(Array(Self.push.utf8))
    #expect(push.device == "a1-b2")
    let samples = try #require(push.samples).samples
    // In the order of their times.
    #expect(samples.map(\.x) == [0.5, 0.1])
    #expect([samples[1].y, samples[1].z] == [-0.2, 0.3])
    // Doubles resolve 0.25 us there.
    #expect(abs(samples[0].time - 1_698_501_144.401773) < 1e-6)
    #expect(abs(samples[1].time - samples[0].time - 0.01) < 1e-6)
  }

  @Test func aPushWithoutGyroscopeIsNoError() throws {
    #expect(try SensorLoggerPush(Array(#"{"payload":[]}"#.utf8)).samples == nil)
  }

  @Test(arguments: [
    "{}", #"{"payload":{}}"#, #"{"payload":[{"name":"gyroscope","time":1}]}"#,
    #"{"payload":[{"name":"gyroscope","time":1,"values":{"x":1,"y":2}}]}"#,
    #"{"payload":[{"name":"gyroscope","values":{"x":1,"y":2,"z":3}}]}"#,
    #"{"payload":[{"name":"gyroscope","time":1,"values":{"x":1,"y":2,"z":300}}]}"#, "no",
  ])
  func malformedPushes(body: String) {
    #expect(throws: PhoneSamples.ReadError.self) { try SensorLoggerPush(Array(body.utf8)) }
  }

  /// No text causes a trap.
  @Test func everyPrefixAndEveryChangeIsHandled() {
    let text = Array(Self.push.utf8)
    for end in text.indices { _ = try? SensorLoggerPush(Array(text[..<end])) }
    for index in text.indices {
      for byte in [UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "}"), 0xFF, 0x20] {
        var changed = text
        changed[index] = byte
        _ = try? SensorLoggerPush(changed)
      }
    }
  }
}
