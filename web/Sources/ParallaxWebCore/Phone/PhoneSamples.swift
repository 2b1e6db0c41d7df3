// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// Samples of a phone's gyroscope: reads the body that the phone's page posts, and writes the lines for the daemon.
///
/// No byte of a phone reaches the daemon: the line is written from the numbers that were read.
package struct PhoneSamples: Equatable, Sendable {
  package struct Sample: Equatable, Sendable {
    /// Seconds of the phone's clock.
    package var time: Double
    /// Rates in rad/s, in the device frame: x to the right, y up, z out of the screen.
    package var x: Double
    package var y: Double
    package var z: Double

    package init(time: Double, x: Double, y: Double, z: Double) {
      (self.time, self.x, self.y, self.z) = (time, x, y, z)
    }

    /// The latest time that the daemon takes, in seconds: the clock of a phone counts from 1970.
    private static let maxTime = 2_305_843_009.0

    /// Whether a gyroscope can have measured it: gyroscopes of phones end at 2000 deg/s, 35 rad/s.
    var isPlausible: Bool {
      (0...Self.maxTime).contains(time) && [x, y, z].allSatisfy { abs($0) <= 100 }
    }
  }

  /// Why a body was not read.
  package struct ReadError: Error, Equatable, Sendable {
    package let message: String
  }

  /// The maximum number of bytes in a body of the page, and of samples in any body.
  package static let (maxBytes, maxCount) = (64 << 10, 2_000)

  package let samples: [Sample]

  package init(_ samples: [Sample]) {
    self.samples = samples
  }

  private struct Line: Decodable {
    let `class`: String
    let samples: [[Double]]
  }

  /// Reads the body that the phone's page posts: lines of the protocol with the class SAMPLES.
  package init(page body: [UInt8]) throws(ReadError) {
    var samples: [Sample] = []
    for text in body.split(separator: UInt8(ascii: "\n")) {
      guard let line = try? JSONDecoder().decode(Line.self, from: Data(text)),
        line.class == "SAMPLES", line.samples.allSatisfy({ $0.count == 4 })
      else {
        throw ReadError(
          message: "expected lines of the class SAMPLES, with samples as [time, x, y, z]")
      }
      samples += line.samples.map { Sample(time: $0[0], x: $0[1], y: $0[2], z: $0[3]) }
    }
    try self.init(checking: samples)
  }

  /// - Throws: `ReadError` if there are no samples, too many, or one that no gyroscope can have measured.
  init(checking samples: [Sample]) throws(ReadError) {
    guard (1...Self.maxCount).contains(samples.count) else {
      throw ReadError(message: "expected 1 to \(Self.maxCount) samples")
    }
    guard samples.allSatisfy(\.isPlausible) else {
      throw ReadError(message: "a sample is out of range; send seconds and rad/s")
    }
    self.samples = samples
  }

  /// The lines for the daemon, each with at most `count` samples.
  package func lines(count: Int = 500) -> String {
    stride(from: 0, to: samples.count, by: count).map { start in
      let rows = samples[start..<min(start + count, samples.count)]
        .map { "[\($0.time),\($0.x),\($0.y),\($0.z)]" }.joined(separator: ",")
      return "{\"class\":\"SAMPLES\",\"samples\":[\(rows)]}\n"
    }.joined()
  }
}
