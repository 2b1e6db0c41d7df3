// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxTestSupport
import Testing

/// What clients of an earlier version meet: `Conversations` has what an earlier daemon answered, line by
/// line. The lines that come today may have more fields, and other values only where time passes or a text
/// explains.
struct CompatibilityTests {
  /// Fields whose values depend on the time or on the wording.
  private static let volatile: Set<String> = [
    "message", "proto_minor", "seq", "time", "x", "y", "nx", "ny", "uptime", "measured_rate",
    "frames", "drops", "latency", "note", "subscribers",
  ]

  private struct Exchange {
    var socket: Substring
    /// Empty for what comes without a request.
    var request: Substring
    var answers: [Line] = []
  }

  private static func conversation(_ name: String) throws -> [Exchange] {
    let path = TestEnvironment.packageRoot + "/Tests/ParallaxDaemonTests/Conversations/" + name
    var exchanges: [Exchange] = []
    for line in try text(ofFile: path).split(separator: "\n") where !line.hasPrefix("#") {
      let mark = try #require(line.firstIndex { "<>".contains($0) })
      let text = line[line.index(after: mark)...].drop { $0 == " " }
      if line[mark] == ">" {
        exchanges.append(Exchange(socket: line[..<mark], request: text))
      } else {
        exchanges[exchanges.count - 1].answers.append(try #require(Line(text)))
      }
    }
    return exchanges
  }

  @Test(arguments: [("1.0.txt", 30), ("1.1.txt", 12)])
  func earlierClientsMeetWhatTheyKnow(_ file: String, _ requests: Int) throws {
    let rig = try Rig(["source.kind=synthetic", "layers=sky=0.1,hill=0.5"])
    let clients = ["control": rig.control(), "stream": rig.subscribe()]
    let exchanges = try Self.conversation(file)
    #expect(exchanges.count > requests)
    for exchange in exchanges {
      let client = try #require(clients[String(exchange.socket)])
      if !exchange.request.isEmpty {
        _ = client.lines()
        client.send(String(exchange.request))
      }
      // The fade of 0.3 s ends within it.
      rig.run(seconds: 0.5)
      // Frames come with or without a request.
      let wanted = exchange.answers
      let awaitsFrame = wanted.contains { $0.name == "OFFSET" }
      var isFirst = true
      let lines = client.lines().filter { line in
        guard line.name == "OFFSET" else { return true }
        defer { isFirst = false }
        return awaitsFrame && isFirst
      }
      #expect(lines.map(\.name) == wanted.map(\.name), "\(exchange.request)")
      for (line, old) in zip(lines, wanted) {
        for member in old.object.members {
          let value = try #require(line.object[member.key], "\(exchange.request): \(member.key)")
          let isEqual =
            Self.volatile.contains(member.key)
            ? value.kind == member.value.kind || line.number(member.key) != nil
            : Self.contains(value, member.value)
          #expect(isEqual, "\(exchange.request): \(member.key) in \(line)")
        }
      }
    }
  }

  /// Whether a value has everything that the earlier one had.
  private static func contains(_ value: JSONValue, _ old: JSONValue) -> Bool {
    guard case .object(let new) = value, case .object(let old) = old else { return value == old }
    return old.members.allSatisfy { member in
      guard let value = new[member.key] else { return false }
      return volatile.contains(member.key) || contains(value, member.value)
    }
  }
}
