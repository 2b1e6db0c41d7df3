// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import ParallaxMotion
import ParallaxTestSupport
import Testing

@testable import ParallaxTrace

/// Rows of a pipe, taken as they arrive.
@Suite struct ArrivingRowsTests {
  /// A pipe, and the reader of its other end.
  private final class Pipe {
    private let input: Int32
    private var reader: TraceReader

    private init(_ input: Int32, _ reader: consuming TraceReader) {
      self.input = input
      self.reader = reader
    }

    /// Opens a pipe whose header has been read.
    static func opened(options: TraceOptions = TraceOptions()) throws -> Pipe {
      var ends: [Int32] = [0, 0]
      try #require(Glibc.pipe(&ends) == 0)
      let input = ends[1]
      write("t,x,y,z\n", to: input)
      var reader = try TraceReader(
        TraceInput(FileDescriptor(owning: ends[0]), name: "pipe"), options: options)
      try reader.requireZ()
      return Pipe(input, reader)
    }

    var unreadableRows: UInt64 { reader.counts.unreadable }
    var isRegularFile: Bool { reader.isRegularFile }

    func write(_ text: String) { Self.write(text, to: input) }

    func end() { close(input) }

    private static func write(_ text: String, to descriptor: Int32) {
      _ = Array(text.utf8).withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    }

    /// Takes everything that has arrived: a time in ms for each row, then `-` or `end`.
    func arrived() throws -> String {
      var words: [String] = []
      while true {
        switch try reader.nextArrived() {
        case .sample(let sample): words.append(String(sample.time.nanoseconds / 1_000_000))
        case .pending: return (words + ["-"]).joined(separator: " ")
        case .end: return (words + ["end"]).joined(separator: " ")
        }
      }
    }
  }

  @Test func wholeRowsAreTakenAtOnce() throws {
    let pipe = try Pipe.opened()
    #expect(try pipe.arrived() == "-")
    pipe.write("0.01,1,2,3\n0.02,1,2,3\n0.0")
    #expect(try pipe.arrived() == "10 20 -")
    #expect(try pipe.arrived() == "-")
    pipe.write("3,1,2")
    #expect(try pipe.arrived() == "-")
    pipe.write(",3\n")
    #expect(try pipe.arrived() == "30 -")
    pipe.write("0.04,1,2,3\n")
    pipe.end()
    #expect(try pipe.arrived() == "40 end")
    #expect(try pipe.arrived() == "end")
  }

  @Test func theLastRowNeedsNoLineFeed() throws {
    let pipe = try Pipe.opened()
    pipe.write("0.01,1,2,3\n0.02,1,2,3")
    #expect(try pipe.arrived() == "10 -")
    pipe.end()
    #expect(try pipe.arrived() == "20 end")
  }

  @Test func aBadRowIsAnErrorOnceAGoodOneFollows() throws {
    let pipe = try Pipe.opened()
    pipe.write("0.01,1,2,3\nnoise\n")
    #expect(try pipe.arrived() == "10 -")
    pipe.write("0.02,1,2,3\n")
    #expect(throws: TraceError.self) { try pipe.arrived() }

    let skipping = try Pipe.opened(options: given(skip: true))
    skipping.write("0.01,1,2,3\nnoise\n0.02,1,2,3\n")
    #expect(try skipping.arrived() == "10 20 -")
    #expect(skipping.unreadableRows == 1)
    skipping.end()
    #expect(try skipping.arrived() == "end")
  }

  @Test func theHeaderAloneIsAnErrorAtItsEnd() throws {
    let pipe = try Pipe.opened()
    pipe.end()
    #expect(throws: TraceError.self) { try pipe.arrived() }
  }

  @Test func aFileHasArrived() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("t,x,y,z\n1,1,2,3\n2,1,2,3\n", to: "t.csv")
    var reader = try TraceReader(path: path)
    let isFile = reader.isRegularFile
    #expect(isFile)
    var count = 0
    while case .sample = try reader.nextArrived() { count += 1 }
    #expect(count == 2)
    #expect(try !Pipe.opened().isRegularFile)
  }
}
