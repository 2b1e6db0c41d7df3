import Testing

@testable import ParallaxDevice

/// A device's life as lines `SECONDS EVENT -> ACTIONS`, from 0 s on:
///
///     0    wanted           -> acquire
///     0.1  acquired device0 ->
///     0.2  samples 5        -> streaming
///     6    time             -> lost(gave no sample for 1 s), release
///
/// `acquired ID [PERIOD ms] [note]`; `samples S`: the first now, then every 30 ms up to S seconds;
/// `time` stands where the machine has to act by a deadline of its own, at exactly that instant.
/// Between the lines its deadlines are kept, and nothing may come of them.
struct LifeScript {
  private var life = DeviceLife()
  private var now: Int64 = 0

  /// - Returns: the lines as they should have been.
  mutating func run(_ script: String) throws -> String {
    try script.split(separator: "\n").map { line in
      let parts = line.split(separator: " ", omittingEmptySubsequences: true)
      let arrow = try #require(parts.firstIndex(of: "->"), "\(line)")
      let at = Int64((try #require(Double(parts[0])) * 1e9).rounded())
      let actions = try play(parts[1..<arrow], at: at)
      return "\(parts[..<arrow].joined(separator: " ")) -> \(actions.joined(separator: ", "))"
    }.joined(separator: "\n")
  }

  /// A script as `run` gives it back.
  static func normal(_ script: String) -> String {
    script.split(separator: "\n").map { line in
      line.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
        + (line.hasSuffix("->") ? " " : "")
    }.joined(separator: "\n")
  }

  private mutating func play(_ words: ArraySlice<Substring>, at time: Int64) throws -> [String] {
    var actions: [String] = []
    switch words.first {
    case "time":
      actions += keepDeadlines(before: time)
      #expect(life.deadlineNanoseconds == time, "the deadline is another one")
      now = time
      actions += text(life.take(.time, atNanoseconds: now))
    case "samples":
      let until = Int64((try #require(Double(words[words.startIndex + 1])) * 1e9).rounded())
      for sample in stride(from: time, through: until, by: 30_000_000) {
        actions += keepDeadlines(before: sample)
        now = sample
        actions += text(life.take(.sample, atNanoseconds: now))
      }
    default:
      actions += keepDeadlines(before: time)
      now = time
      actions += text(life.take(try event(Array(words)), atNanoseconds: now))
    }
    return actions
  }

  /// What came of the deadlines before `time`, with its instant.
  private mutating func keepDeadlines(before time: Int64) -> [String] {
    var actions: [String] = []
    while let deadline = life.deadlineNanoseconds, deadline < time {
      now = max(now, deadline)
      actions += text(life.take(.time, atNanoseconds: now))
        .map { "at \(Double(now) / 1e9) already: \($0)" }
    }
    return actions
  }

  private func event(_ words: [Substring]) throws -> DeviceLife.Event {
    let rest = words.dropFirst().joined(separator: " ")
    return switch words.first {
    case "wanted": .wanted
    case "unwanted": .unwanted
    case "acquired":
      .acquired(
        deviceID: String(words[1]),
        periodNanoseconds: words.count > 2 ? try #require(Int64(words[2])) * 1_000_000 : 33_000_000,
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
    default: try #require(nil, "no event: \(words)")
    }
  }

  private func text(_ actions: DeviceLife.Actions) -> [String] {
    var words: [String] = []
    switch actions.news {
    case nil: break
    case .streaming(note: nil): words.append("streaming")
    case .streaming(let note?): words.append("streaming(\(note))")
    case .trouble(.none(let reason)): words.append("none(\(reason))")
    case .trouble(.busy(let reason)): words.append("busy(\(reason))")
    case .trouble(.denied(let reason)): words.append("denied(\(reason))")
    case .trouble(.lost(let reason)): words.append("lost(\(reason))")
    }
    switch actions.job {
    case nil: break
    case .acquire: words.append("acquire")
    case .release: words.append("release")
    }
    return words
  }
}
