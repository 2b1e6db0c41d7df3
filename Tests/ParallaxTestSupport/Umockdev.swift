// SPDX-License-Identifier: Apache-2.0

import Glibc
package import Testing

/// Runs programs under umockdev, which gives one process a simulated /sys and /dev. These are only
/// files: there is no EBUSY, no EINVAL and no hotplug.
package enum Umockdev {
  private static let runner = "/usr/bin/umockdev-run"

  /// Whether tests that run programs under umockdev run. CI must have it. A sanitizer rules it out: both
  /// must be loaded first.
  package static let isNeeded =
    (access(runner, X_OK) == 0 || TestEnvironment.isContinuousIntegration)
    && !TestEnvironment.isSanitized

  /// Runs a program with these gyroscopes; the first is `iio:device0`.
  package static func run(
    _ program: Program, _ arguments: [String], seeing gyroscopes: [GyroLayout],
    environment: [String: String?] = [:]
  ) throws(TestSupportError) -> ProgramResult {
    let folder = try TemporaryFolder()
    let text = gyroscopes.enumerated().map { $1.umockdev(number: $0) }.joined()
    let description = try folder.write(text, to: "gyroscopes.umockdev")
    return try Program(path: runner)
      .run(["-d", description, "--", program.path] + arguments, environment: environment)
  }
}

extension Trait where Self == ConditionTrait {
  /// For tests that run programs under umockdev.
  package static var needsUmockdev: Self {
    .enabled(if: Umockdev.isNeeded, "needs umockdev-run, and no sanitizer")
  }
}
