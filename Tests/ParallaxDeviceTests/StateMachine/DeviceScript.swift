// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
@testable import ParallaxDevice
import Testing

/// Events and actions of a `DeviceStateMachine` as lines `SECONDS EVENT -> ACTIONS`, starting at 0 s:
///
///     0    start            -> acquire
///     0.1  acquired device0 ->
///     0.2  samples 5        -> streaming
///     6    time             -> lost(gave no sample for 1 s), release
///
/// `acquired ID [PERIOD ms] [note]`; `samples S`: the first now, then every 30 ms up to S seconds;
/// `time`: the machine's deadline is exactly then; `late`: it was earlier, and the program was held up.
/// The deadlines between the lines must lead to no action.
struct DeviceScript {
  private var machine = DeviceStateMachine()
  private var now = MotionInstant.zero

  /// Runs the script.
  ///
  /// - Returns: The lines with the actual actions.
  mutating func run(_ script: String) throws -> String {
    try script.split(separator: "\n").map { line in
      let parts = line.split(separator: " ", omittingEmptySubsequences: true)
      let arrow = try #require(parts.firstIndex(of: "->"), "\(line)")
      let actions = try play(parts[1..<arrow], at: try instant(parts[0]))
      return "\(parts[..<arrow].joined(separator: " ")) -> \(actions.joined(separator: ", "))"
    }.joined(separator: "\n")
  }

  /// A script in the form that `run` returns.
  static func normal(_ script: String) -> String {
    script.split(separator: "\n").map { line in
      line.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
        + (line.hasSuffix("->") ? " " : "")
    }.joined(separator: "\n")
  }

  private func instant(_ seconds: Substring) throws -> MotionInstant {
    .zero + MotionDuration(seconds: try #require(Double(seconds)))
  }

  private mutating func play(
    _ words: ArraySlice<Substring>, at time: MotionInstant
  ) throws -> [String] {
    var actions: [String] = []
    switch words.first {
    case "time":
      actions += keepDeadlines(before: time)
      #expect(machine.deadline == time, "another deadline")
      now = time
      actions += text(machine.handle(.time, at: now))
    case "late":
      now = time
      actions += text(machine.handle(.time, at: now))
    case "samples":
      let end = try instant(words[words.startIndex + 1])
      var sample = time
      while sample <= end {
        actions += keepDeadlines(before: sample)
        now = sample
        actions += text(machine.handle(.sample, at: now))
        sample += .milliseconds(30)
      }
    default:
      actions += keepDeadlines(before: time)
      now = time
      actions += text(machine.handle(try event(Array(words)), at: now))
    }
    return actions
  }

  /// The actions of the deadlines before `time`, with their instants.
  private mutating func keepDeadlines(before time: MotionInstant) -> [String] {
    var actions: [String] = []
    while let deadline = machine.deadline, deadline < time {
      now = max(now, deadline)
      actions += text(machine.handle(.time, at: now))
        .map { "already at \(now.seconds): \($0)" }
    }
    return actions
  }

  private func event(_ words: [Substring]) throws -> DeviceStateMachine.Event {
    let rest = words.dropFirst().joined(separator: " ")
    return switch words.first {
    case "start": .start
    case "stop": .stop
    case "acquired":
      .acquired(
        deviceID: String(words[1]),
        period: .milliseconds(words.count > 2 ? try #require(Int64(words[2])) : 33),
        note: words.count > 3 ? words[3...].joined(separator: " ") : nil)
    case "none": .failed(.none(rest))
    case "busy": .failed(.busy(rest))
    case "denied": .failed(.denied(rest))
    case "lost": .failed(.lost(rest))
    case "released": .released
    case "sample": .sample
    case "read-failed": .readFailed(errno: try #require(Int32(rest)))
    case "removed": .deviceRemoved(id: rest)
    case "changed": .devicesChanged
    default: try #require(nil, "not an event: \(words)")
    }
  }

  private func text(_ actions: DeviceStateMachine.Actions) -> [String] {
    var words: [String] = []
    switch actions.news {
    case nil: break
    case .streaming(note: nil): words.append("streaming")
    case .streaming(let note?): words.append("streaming(\(note))")
    case .error(.none(let reason)): words.append("none(\(reason))")
    case .error(.busy(let reason)): words.append("busy(\(reason))")
    case .error(.denied(let reason)): words.append("denied(\(reason))")
    case .error(.lost(let reason)): words.append("lost(\(reason))")
    }
    switch actions.job {
    case nil: break
    case .acquire: words.append("acquire")
    case .release: words.append("release")
    }
    return words
  }
}
