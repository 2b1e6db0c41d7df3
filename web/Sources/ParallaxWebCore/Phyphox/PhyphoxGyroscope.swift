// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// The gyroscope of an experiment that phyphox runs, polled for new rows over its remote interface. Pure: takes
/// answers and returns rows of a recording.
///
/// Source: phyphox, "Remote interface", https://phyphox.org/wiki/index.php/Remote-interface_communication
package struct PhyphoxGyroscope: Sendable {
  /// A sample: seconds since the start of the experiment, and rad/s.
  package struct Row: Equatable, Sendable {
    package var time: Double
    package var x: Double
    package var y: Double
    package var z: Double

    /// The line of a recording.
    package var text: String { "\(time),\(x),\(y),\(z)\n" }
  }

  /// The content of an answer to `target`.
  package struct Answer: Equatable, Sendable {
    package var rows: [Row]
    /// Whether the experiment is running.
    package var isMeasuring: Bool
    /// Whether another experiment was opened on the phone: read its configuration.
    package var isOtherExperiment: Bool
  }

  /// Why an answer cannot be used.
  package enum Failure: Error, Equatable, Sendable {
    /// It is not from phyphox.
    case malformed
    /// The experiment with this title does not record a gyroscope.
    case noGyroscope(title: String)
  }

  /// The path and query of the configuration.
  package static let configurationTarget = "/config"
  /// The path and query of the facts about the phone.
  package static let phoneTarget = "/meta"
  /// The path and query that start the experiment.
  package static let startTarget = "/control?cmd=start"

  /// After this number of answers without a row, the experiment may have been cleared: its time began again.
  static let emptyAnswersBeforeReset = 50

  /// The names of the buffers: time, x, y and z.
  private let buffers: [String]
  private var session: String?
  /// The time of the newest row; only later ones are new.
  private var newest: Double?
  /// Whether all the rows since `newest` are wanted, and not only the last one.
  private var isFollowing = false
  private var emptyAnswers = 0

  /// - Parameter configuration: The answer to `configurationTarget`.
  package init(configuration: [UInt8]) throws(Failure) {
    let experiment: Experiment = try Self.decode(configuration)
    var names: [String: String] = [:]
    for input in experiment.inputs where input.source == "gyroscope" {
      for output in input.outputs ?? [] { names.merge(output) { first, _ in first } }
    }
    let buffers = ["t", "x", "y", "z"].compactMap { names[$0] }
    guard buffers.count == 4 else { throw .noGyroscope(title: experiment.title ?? "") }
    self.buffers = buffers
  }

  /// The path and query to request next: the newest row first, then all that are later. What the phone has
  /// recorded before is not live.
  package var target: String {
    let names = buffers.map { Self.encoded($0) }
    guard isFollowing, let newest else {
      return "/get?" + names.map { $0 + "=" }.joined(separator: "&")
    }
    let threshold = "\(newest)"
    let others = names.dropFirst().map { "\($0)=\(threshold)%7C\(names[0])" }
    return "/get?" + (["\(names[0])=\(threshold)"] + others).joined(separator: "&")
  }

  /// Takes the answer to `target`.
  package mutating func receive(_ body: [UInt8]) throws(Failure) -> Answer {
    let reply: Reply = try Self.decode(body)
    let isOther = session != nil && session != reply.status.session
    session = reply.status.session
    let columns = buffers.map { reply.buffer[$0]?.buffer ?? [] }
    var rows: [Row] = []
    for index in 0..<(columns.map(\.count).min() ?? 0) {
      // A missing value is null.
      guard let time = columns[0][index], let x = columns[1][index], let y = columns[2][index],
        let z = columns[3][index], time != newest
      else { continue }
      rows.append(Row(time: time, x: x, y: y, z: z))
    }
    if let last = rows.last {
      newest = last.time
      isFollowing = true
      emptyAnswers = 0
    } else if reply.status.measuring {
      emptyAnswers += 1
      if emptyAnswers >= Self.emptyAnswersBeforeReset {
        isFollowing = false
        emptyAnswers = 0
      }
    }
    return Answer(rows: rows, isMeasuring: reply.status.measuring, isOtherExperiment: isOther)
  }

  /// Returns the name of the phone, from the answer to `phoneTarget`, as `PhoneName.printable`; nil if it has none.
  package static func phoneName(_ body: [UInt8]) -> String? {
    guard let phone = try? JSONDecoder().decode(Phone.self, from: Data(body)) else { return nil }
    return phone.deviceModel.flatMap { PhoneName.printable($0) }
  }

  /// Returns whether phyphox has started the experiment, from the answer to `startTarget`.
  package static func hasStarted(_ body: [UInt8]) -> Bool {
    (try? JSONDecoder().decode(Control.self, from: Data(body)))?.result ?? false
  }

  private static func decode<Value: Decodable>(_ body: [UInt8]) throws(Failure) -> Value {
    guard let value = try? JSONDecoder().decode(Value.self, from: Data(body)) else {
      throw .malformed
    }
    return value
  }

  /// Percent-encodes the name of a buffer, which may have any characters.
  private static func encoded(_ name: String) -> String {
    name.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
        UInt8(ascii: "."):
        return String(UnicodeScalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        return "%" + (digits.count < 2 ? "0" : "") + digits
      }
    }.joined()
  }
}

// MARK: - Answers of phyphox

private struct Experiment: Decodable {
  struct Input: Decodable {
    var source: String
    /// The name of the buffer of each component, by the component's name.
    var outputs: [[String: String]]?
  }

  var title: String?
  var inputs: [Input]
}

private struct Reply: Decodable {
  struct Buffer: Decodable {
    var buffer: [Double?]
  }

  struct Status: Decodable {
    var session: String
    var measuring: Bool
  }

  var buffer: [String: Buffer]
  var status: Status
}

private struct Phone: Decodable {
  var deviceModel: String?
}

private struct Control: Decodable {
  var result: Bool
}
