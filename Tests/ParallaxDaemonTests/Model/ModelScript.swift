// SPDX-License-Identifier: Apache-2.0

/// A daemon's configuration and gyroscope, and what happens to it. As text it is a reproducer, for a
/// regression test.
package struct ModelScript: CustomStringConvertible {
  var settings: [String: String]
  var rateHertz: Double
  var operations: [ModelOperation] = []
  /// Rules whose violations do not count, to look for others.
  package var ignoredRules: Set<String> = []

  init(settings: [String: String], rateHertz: Double) {
    self.settings = settings
    self.rateHertz = rateHertz
  }

  /// Reads a script; nil if a line cannot be read.
  package init?(_ text: String) {
    self.init(settings: [:], rateHertz: 100)
    for line in text.split(separator: "\n") where !line.allSatisfy(\.isWhitespace) {
      let words = line.split(separator: " ", maxSplits: 1).map(String.init)
      switch words.first {
      case "gyroscope": rateHertz = Double(words.last ?? "") ?? rateHertz
      case "set":
        let parts = (words.last ?? "").split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return nil }
        settings[parts[0]] = parts[1]
      default:
        guard let operation = ModelOperation(line) else { return nil }
        operations.append(operation)
      }
    }
  }

  package var description: String {
    let head =
      ["gyroscope \(rateHertz)"]
      + settings.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }
      .map { "set \($0.key)=\($0.value)" }
    return (head + operations.map(\.description)).joined(separator: "\n")
  }

  // MARK: - Running

  /// The result of a script.
  package struct Result {
    package var violation: ModelViolation?
    /// The number of operations that were performed.
    package var operations = 0
    /// The number of frames that clients got.
    package var frames = 0
  }

  /// Performs the operations, up to the first violation.
  package func run(_ watch: (ModelOperation) -> Void = { _ in }) -> Result {
    let settings = settings.filter { !$0.value.isEmpty }
    guard let world = try? ModelWorld(settings: settings, rateHertz: rateHertz) else {
      return Result(violation: ModelViolation(rule: "script", text: "the settings are invalid"))
    }
    world.ignoredRules = ignoredRules
    var result = Result()
    for operation in operations where world.violation == nil {
      watch(operation)
      world.perform(operation)
      result.operations += 1
    }
    if world.violation == nil { world.finish() }
    result.violation = world.violation
    result.frames = world.frameCount
    return result
  }

  // MARK: - Shrinking

  /// Returns a script with as few operations and settings as possible that violates the same rule, by
  /// delta debugging: parts are left out as long as the rule is still violated.
  package func shrunk(_ rule: String) -> ModelScript {
    var script = self
    func isViolated(_ candidate: ModelScript) -> Bool { candidate.run().violation?.rule == rule }
    let performed = run().operations
    script.operations.removeSubrange(min(performed, script.operations.count)...)
    var size = max(1, script.operations.count / 2)
    while true {
      var start = 0
      var hasShrunk = false
      while start < script.operations.count {
        var candidate = script
        let end = min(start + size, script.operations.count)
        candidate.operations.removeSubrange(start..<end)
        if isViolated(candidate) {
          script = candidate
          hasShrunk = true
        } else {
          start = end
        }
      }
      if size > 1 { size /= 2 } else if !hasShrunk { break }
    }
    for key in script.settings.keys.sorted() {
      var candidate = script
      candidate.settings[key] = nil
      if isViolated(candidate) { script = candidate }
    }
    return script
  }
}
