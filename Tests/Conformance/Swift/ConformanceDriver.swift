// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import ParallaxClient
import ParallaxProtocol

/// The program by which Tests/Conformance/run.py drives ParallaxClient: `table` or `stream`. clients.py describes
/// what it reads and prints.
@main
struct ConformanceDriver {
  static func main() {
    switch CommandLine.arguments.dropFirst().first {
    case "table": table()
    case "stream": stream()
    default:
      print("usage: ConformanceDriver table|stream")
      exit(64)
    }
  }

  private static func table() {
    var timeline = OffsetTimeline()
    while let command = Command.next() {
      switch command.name {
      case "reset": timeline = OffsetTimeline()
      case "line":
        if let message = StreamMessage(line: Array(command.text.utf8)[...]) {
          timeline.add(message)
        }
      default:
        let offset = timeline.offset(at: command.instant, ahead: command.ahead)
        show(offset.map(OffsetFields.init))
      }
    }
  }

  /// Callbacks rather than a task: messages and states are then printed in the order in which they happen.
  private static func stream() {
    var configuration = ParallaxStream.Configuration(
      watch: watch(Environment.value("DRIVER_WATCH")), reconnection: reconnection())
    configuration.onMessage = { show(["message": MessageFields(message: $0)]) }
    configuration.onState = { show(["state": "\($0)"]) }
    configuration.onEnd = { error in
      if let error { show(["error": name(of: error)]) }
      exit(0)
    }
    let stream = ParallaxStream(configuration)
    while let command = Command.next() {
      switch command.name {
      case "watch": watch(command.text).map(stream.send)
      case "poll": stream.poll()
      case "at":
        show(["at": stream.offset(at: command.instant).map(OffsetFields.init)])
      default: stream.close()
      }
    }
    while true { pause() }
  }

  /// The fields of a WATCH, as JSON.
  private static func watch(_ text: String?) -> WatchMessage? {
    guard let fields = text?.dropFirst() else { return nil }
    let line = Array((#"{"class":"WATCH","# + fields).utf8)
    guard case .watch(let watch) = StreamMessage(line: line[...]) else { return nil }
    return watch
  }

  /// `FIRST:LONGEST` in seconds, or `never`.
  private static func reconnection() -> ReconnectionPolicy {
    let text = Environment.value("DRIVER_BACKOFF") ?? "0.1:5"
    let seconds = text.split(separator: ":").compactMap { Double($0) }
    guard seconds.count == 2 else { return .never }
    return .exponential(from: .seconds(seconds[0]), to: .seconds(seconds[1]))
  }

  private static func name(of error: ParallaxError) -> String {
    switch error {
    case .incompatible: "incompatible"
    case .noDaemon: "no-daemon"
    default: "closed"
    }
  }

  /// Prints a value on one line.
  private static func show(_ value: some Encodable) {
    guard let data = try? JSONEncoder().encode(value) else { return }
    // One call a line: the threads' lines do not mix. print() would need a flush, which waits for readLine().
    Array(data + [UInt8(ascii: "\n")]).withUnsafeBytes {
      _ = write(STDOUT_FILENO, $0.baseAddress, $0.count)
    }
  }
}

private enum Environment {
  static func value(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}

/// A line of standard input: a name and the rest.
private struct Command {
  let name: Substring
  let text: String

  static func next() -> Command? {
    guard let line = readLine() else { return nil }
    let parts = line.split(separator: " ", maxSplits: 1)
    return Command(name: parts.first ?? "", text: parts.count > 1 ? String(parts[1]) : "")
  }

  /// Seconds, by default now.
  var instant: MonotonicInstant {
    nanoseconds(0).map { MonotonicInstant(nanoseconds: $0) } ?? .now
  }

  /// The second number, seconds.
  var ahead: Duration { .nanoseconds(nanoseconds(1) ?? 0) }

  private func nanoseconds(_ index: Int) -> Int64? {
    let numbers = text.split(separator: " ").compactMap { Double($0) }
    return numbers.indices.contains(index) ? Int64((numbers[index] * 1e9).rounded()) : nil
  }
}
