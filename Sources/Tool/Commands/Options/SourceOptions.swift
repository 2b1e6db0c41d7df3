// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import ParallaxTrace

/// The source of motion, for the commands that start a daemon.
struct SourceOptions: ParsableArguments {
  @Option(
    help: .init(
      """
      Source of motion: iio waits for a gyroscope, feed for a program that sends samples; auto uses \
      a feed while there is one, otherwise the first gyroscope, and synthetic motion until it finds \
      one; a trace starts when the first client subscribes.
      """, valueName: "iio|feed|trace:FILE|synthetic|auto"),
    completion: .source)
  var source: String?

  @Flag(help: "Repeat the trace.")
  var loop = false

  @Option(setting: "source.device", "NAME")
  var device: SettingAssignment?

  @Option(setting: "source.uri", "URI")
  var uri: SettingAssignment?

  /// Reports an unreadable trace now instead of with the first subscriber.
  static func checkTrace(_ assignments: [SettingAssignment]) throws(CommandFailure) {
    guard let trace = assignments.first(where: { $0.key == "source.trace" })?.text else { return }
    var status = stat()
    // Only a file can be replayed; the daemon reports anything else.
    if stat(trace, &status) == 0, status.st_mode & S_IFMT != S_IFREG,
      status.st_mode & S_IFMT != S_IFDIR
    {
      return
    }
    do throws(TraceError) {
      _ = try TraceReader(path: trace)
    } catch {
      throw CommandFailure(error)
    }
  }

  func assignments() throws -> [SettingAssignment] {
    var result: [SettingAssignment] = []
    func set(_ key: String, _ text: String, _ option: String) {
      result.append(SettingAssignment(key: key, text: text, option: option))
    }
    if let source {
      let kind = source.prefix { $0 != ":" }
      if kind == "trace" {
        let file = String(source.dropFirst("trace:".count))
        guard !file.isEmpty, file != "-" else {
          throw CommandFailure(
            .usage, "--source: expected trace:FILE, as in --source trace:walk.csv")
        }
        set("source.kind", "trace", "--source")
        set("source.trace", file, "--source")
      } else {
        set("source.kind", source, "--source")
      }
    }
    if loop { set("source.loop", "true", "--loop") }
    return result + [device, uri].compactMap(\.self)
  }
}
