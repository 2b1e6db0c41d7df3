// SPDX-License-Identifier: Apache-2.0

import Glibc
package import Testing

/// Returns a variable of the environment; nil if it is not set or empty.
package func environmentVariable(_ name: String) -> String? {
  guard let text = getenv(name), text.pointee != 0 else { return nil }
  return String(cString: text)
}

/// Writes a line to standard error that a reader of the log has to know.
package func announce(_ line: String) {
  let bytes = Array("parallax tests: \(line)\n".utf8)
  _ = bytes.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
}

/// Announces that a test leaves something out. In CI it is an error instead.
///
/// - Parameter what: what this machine cannot do, then what is left out.
package func leaveOut(_ what: String) throws(TestSupportError) {
  guard !TestEnvironment.isContinuousIntegration else { throw TestSupportError("no \(what)") }
  announce("NO \(what)")
}

/// The environment of the tests.
package enum TestEnvironment {
  /// The package's folder, without a slash at the end.
  package static let packageRoot: String = {
    var folder = #filePath[...]
    for _ in 0..<3 { folder = folder[..<(folder.lastIndex(of: "/") ?? folder.startIndex)] }
    return String(folder)
  }()

  /// The folder of the built programs: the one that holds the test bundle.
  package static let productsFolder: String = {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = readlink("/proc/self/exe", &buffer, buffer.count)
    let path = String(
      decoding: buffer.prefix(max(0, length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
  }()

  /// The folder of real traces and golden tables, without a slash at the end: `PARALLAX_SHARED`, else
  /// `../shared` beside the repository. Nil if it does not exist.
  package static let sharedFolder: String? = {
    let folder = environmentVariable("PARALLAX_SHARED") ?? packageRoot + "/../shared"
    if access(folder + "/traces/golden", R_OK) == 0 { return folder }
    announce(
      "NO GOLDEN TABLES: \(folder)/traces/golden does not exist; tests that need it are skipped")
    return nil
  }()

  /// In CI a test fails rather than leave something out.
  package static let isContinuousIntegration = environmentVariable("CI") == "true"

  /// CI has `../shared`, unless `PARALLAX_WITHOUT_SHARED=true` says otherwise.
  package static let requiresShared =
    isContinuousIntegration && environmentVariable("PARALLAX_WITHOUT_SHARED") != "true"

  /// Whether a sanitizer is built in: it replaces malloc and changes the memory of the programs.
  package static let isSanitized = !AllocationCount.isAvailable

  package static let isRoot = geteuid() == 0
}

extension Trait where Self == ConditionTrait {
  /// For tests that read `../shared`. They are skipped without it; in CI they run anyway and fail.
  package static var needsShared: Self {
    .enabled(
      if: TestEnvironment.sharedFolder != nil || TestEnvironment.requiresShared,
      "needs ../shared or PARALLAX_SHARED=FOLDER")
  }

  /// For tests that run processes of other users.
  package static var needsRoot: Self {
    .enabled(if: TestEnvironment.isRoot, "needs root to act as another user")
  }
}

/// Returns the path of a file in the shared folder: `sharedPath("traces/golden/gap-mean.csv")`.
package func sharedPath(_ relative: String) -> String {
  (TestEnvironment.sharedFolder ?? TestEnvironment.packageRoot + "/../shared") + "/" + relative
}
