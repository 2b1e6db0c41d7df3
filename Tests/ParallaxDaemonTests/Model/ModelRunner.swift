// SPDX-License-Identifier: Apache-2.0

/// Runs random scripts, each with a seed of its own, until one finds a violation.
package struct ModelRunner {
  package var seed: UInt64
  /// The number of operations over all scripts.
  package var operations: Int
  package var operationsPerScript = 400
  package var ignoredRules: Set<String> = []
  /// Called before each script with its seed.
  package var begins: (UInt64) -> Void = { _ in }

  package init(seed: UInt64, operations: Int) {
    self.seed = seed
    self.operations = operations
  }

  package struct Report {
    package var operations = 0
    package var frames = 0
    package var scripts = 0
    /// What was found, with the seed of its script.
    package var failure: Failure?
  }

  package struct Failure: CustomStringConvertible {
    package var seed: UInt64
    package var violation: ModelViolation
    package var script: ModelScript

    /// The violation and a reproducer that can be pasted into a test.
    package var description: String {
      "seed \(seed): \(violation.rule): \(violation.text)\n\(script)"
    }
  }

  package func run() -> Report {
    var report = Report()
    var next = seed
    while report.operations < operations {
      begins(next)
      var script = ModelGenerator.script(seed: next, operations: operationsPerScript)
      script.ignoredRules = ignoredRules
      let result = script.run()
      report.operations += result.operations
      report.frames += result.frames
      report.scripts += 1
      if let violation = result.violation {
        let shrunk = script.shrunk(violation.rule)
        report.failure = Failure(
          seed: next, violation: shrunk.run().violation ?? violation, script: shrunk)
        return report
      }
      next &+= 1
    }
    return report
  }
}
