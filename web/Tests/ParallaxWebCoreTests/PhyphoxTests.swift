// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ParallaxWebCore

/// The answers of phyphox, in the form of its documentation.
@Suite("phyphox")
struct PhyphoxTests {
  private static let configuration = #"""
    {"crc32":"1a2b","title":"Gyroscope (rotation rate)","localTitle":"Gyroskop","category":"Raw Sensors",
     "localCategory":"Sensoren","buffers":[{"name":"gyrX","size":0},{"name":"gyr_time","size":0}],
     "inputs":[{"source":"accelerometer","outputs":[{"x":"accX"},{"t":"acc_time"}]},{"source":"bluetooth"},
       {"source":"gyroscope","outputs":[{"x":"gyrX"},{"y":"gyrY"},{"z":"gyr Z"},{"t":"gyr_time"},{"abs":"gyr"}]}],
     "export":[]}
    """#

  private func gyroscope() throws -> PhyphoxGyroscope {
    try PhyphoxGyroscope(configuration: Array(Self.configuration.utf8))
  }

  /// An answer with these columns.
  private func answer(
    t: String, x: String, y: String, z: String, measuring: Bool = true, session: String = "a"
  ) -> [UInt8] {
    let columns = [("gyr_time", t), ("gyrX", x), ("gyrY", y), ("gyr Z", z)]
    let buffers = columns.map {
      #""\#($0.0)":{"size":0,"updateMode":"partial","buffer":[\#($0.1)]}"#
    }.joined(separator: ",")
    return Array(
      (#"{"buffer":{\#(buffers)},"status":{"session":"\#(session)","measuring":\#(measuring),"#
        + #""timedRun":false,"countDown":0}}"#).utf8)
  }

  @Test func theNewestRowComesFirstThenWhatIsLater() throws {
    var gyroscope = try gyroscope()
    let first = "/get?gyr_time=&gyrX=&gyrY=&gyr%20Z="
    #expect(gyroscope.target == first)
    // Before the first measurement, buffers are empty.
    let empty = try gyroscope.receive(answer(t: "", x: "", y: "", z: "", measuring: false))
    #expect(empty == .init(rows: [], isMeasuring: false, isOtherExperiment: false))
    #expect(gyroscope.target == first)
    let one = try gyroscope.receive(answer(t: "12.5", x: "0.1", y: "-2e-3", z: "0"))
    #expect(one.rows.map(\.text) == ["12.5,0.1,-0.002,0.0\n"])
    #expect(one.isMeasuring)
    #expect(
      gyroscope.target
        == "/get?gyr_time=12.5&gyrX=12.5%7Cgyr_time&gyrY=12.5%7Cgyr_time&gyr%20Z=12.5%7Cgyr_time")
    let two = try gyroscope.receive(
      answer(t: "12.51,12.52", x: "1,2", y: "3,4", z: "5,6"))
    #expect(
      two.rows == [.init(time: 12.51, x: 1, y: 3, z: 5), .init(time: 12.52, x: 2, y: 4, z: 6)])
    #expect(gyroscope.target.hasPrefix("/get?gyr_time=12.52&"))
  }

  @Test func missingValuesAndShortColumnsAreLeftOut() throws {
    var gyroscope = try gyroscope()
    let answer = try gyroscope.receive(
      answer(t: "1,2,3,4", x: "1,null,3", y: "1,2,3,4", z: "1,2,3,4"))
    #expect(answer.rows.map(\.time) == [1, 3])
  }

  @Test func aRowIsNotPrintedTwice() throws {
    var gyroscope = try gyroscope()
    #expect(try gyroscope.receive(answer(t: "1", x: "1", y: "1", z: "1")).rows.count == 1)
    #expect(try gyroscope.receive(answer(t: "1", x: "1", y: "1", z: "1")).rows.isEmpty)
  }

  @Test func aClearedExperimentIsFollowedAgain() throws {
    var gyroscope = try gyroscope()
    _ = try gyroscope.receive(answer(t: "100", x: "1", y: "1", z: "1"))
    for _ in 0..<49 { _ = try gyroscope.receive(answer(t: "", x: "", y: "", z: "")) }
    #expect(gyroscope.target.contains("=100.0"))
    _ = try gyroscope.receive(answer(t: "", x: "", y: "", z: ""))
    #expect(gyroscope.target == "/get?gyr_time=&gyrX=&gyrY=&gyr%20Z=")
    #expect(try gyroscope.receive(answer(t: "0.5", x: "1", y: "1", z: "1")).rows.count == 1)
    #expect(gyroscope.target.contains("=0.5"))
  }

  @Test func anotherExperimentIsNoticed() throws {
    var gyroscope = try gyroscope()
    let first = try gyroscope.receive(answer(t: "1", x: "1", y: "1", z: "1"))
    #expect(!first.isOtherExperiment)
    let other = try gyroscope.receive(answer(t: "", x: "", y: "", z: "", session: "b"))
    #expect(other.isOtherExperiment)
  }

  @Test func whatIsNotPhyphoxIsRefused() throws {
    #expect(throws: PhyphoxGyroscope.Failure.malformed) {
      try PhyphoxGyroscope(configuration: Array("<html>".utf8))
    }
    #expect(throws: PhyphoxGyroscope.Failure.noGyroscope(title: "Light")) {
      try PhyphoxGyroscope(
        configuration: Array(#"{"title":"Light","inputs":[{"source":"light","outputs":[]}]}"#.utf8))
    }
    var gyroscope = try gyroscope()
    #expect(throws: PhyphoxGyroscope.Failure.malformed) {
      try gyroscope.receive(Array(#"{"error":"Invalid threshold."}"#.utf8))
    }
  }

  @Test func whatElsePhyphoxSays() {
    #expect(PhyphoxGyroscope.phoneName(Array(#"{"deviceModel":"Pixel 8"}"#.utf8)) == "Pixel 8")
    #expect(PhyphoxGyroscope.phoneName(Array(#"{"deviceModel":null}"#.utf8)) == nil)
    #expect(PhyphoxGyroscope.phoneName(Array(#"{"deviceModel":""}"#.utf8)) == nil)
    #expect(
      PhyphoxGyroscope.phoneName(Array(#"{"deviceModel":"a\r\nt,x\u001b]0;b\u0007"}"#.utf8))
        == "at,x]0;b")
    let long = #"{"deviceModel":"\#(String(repeating: "a", count: 100_000))"}"#
    #expect(PhyphoxGyroscope.phoneName(Array(long.utf8))?.utf8.count == 64)
    #expect(PhyphoxGyroscope.phoneName(Array("{}".utf8)) == nil)
    #expect(PhyphoxGyroscope.hasStarted(Array(#"{"result":true}"#.utf8)))
    #expect(!PhyphoxGyroscope.hasStarted(Array(#"{"result": false}"#.utf8)))
    #expect(!PhyphoxGyroscope.hasStarted(Array("no".utf8)))
  }

  @Test(arguments: [
    ("http://192.168.0.42", "192.168.0.42", [8080, 80] as [UInt16]),
    ("http://192.168.0.42:8081/", "192.168.0.42", [8081]),
    ("http://phone.local:80", "phone.local", [80]),
    ("http://[fe80::1]:8080", "fe80::1", [8080]),
  ])
  func addresses(text: String, host: String, ports: [UInt16]) throws {
    let address = try #require(PhoneAddress(text))
    #expect(address.host == host && address.ports == ports)
  }

  @Test(arguments: [
    "https://192.168.0.42", "192.168.0.42", "http://", "http://phone:0", "http://phone:x",
    "http://phone:99999", "http://phone/get", "http://a b", "http://user@phone",
  ])
  func otherAddressesAreRefused(text: String) { #expect(PhoneAddress(text) == nil) }

  @Test func httpAnswers() {
    let answer = HTTPAnswer(Array("HTTP/1.1 200 OK\r\nA: b\r\n\r\n{}\r\n\r\n".utf8))
    #expect(answer?.status == 200)
    #expect(answer?.body == Array("{}\r\n\r\n".utf8))
    #expect(HTTPAnswer(Array("HTTP/1.0 404 Not Found\r\n\r\n".utf8))?.status == 404)
    for text in ["", "SSH-2.0\r\n\r\n", "HTTP/1.1 200 OK\r\nA: b\r\n", "HTTP/1.1 x\r\n\r\n"] {
      #expect(HTTPAnswer(Array(text.utf8)) == nil)
    }
    let fields = String(repeating: "A: b\r\n", count: 20_000)
    #expect(HTTPAnswer(Array("HTTP/1.1 200 OK\r\n\(fields)\r\n{}".utf8)) == nil)
    #expect(
      String(decoding: HTTPAnswer.request("/config", host: "phone"), as: UTF8.self)
        == "GET /config HTTP/1.0\r\nHost: phone\r\nAccept: application/json\r\n\r\n")
  }
}
