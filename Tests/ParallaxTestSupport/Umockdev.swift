import Glibc
package import Testing

/// Programs that see other devices than this machine's, by the tool umockdev: a made-up /sys and /dev
/// for one process. It is files only: there is no EBUSY, no EINVAL, and nothing is plugged in later.
package enum Umockdev {
  private static let runner = "/usr/bin/umockdev-run"

  /// Whether tests that run programs under it shall run. In CI it has to be there. It is loaded before
  /// everything else, which is where a sanitizer wants to be.
  package static let isNeeded =
    (access(runner, X_OK) == 0 || Surroundings.isContinuousIntegration)
    && !Surroundings.isSanitized

  /// Runs a program that sees these gyroscopes, the first being `iio:device0`.
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
