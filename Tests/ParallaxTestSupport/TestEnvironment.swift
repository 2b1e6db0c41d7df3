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

  /// In CI a test fails rather than leave something out.
  package static let isContinuousIntegration = environmentVariable("CI") == "true"

  /// Whether a sanitizer is built in: it replaces malloc and changes the memory of the programs.
  package static let isSanitized = !AllocationCount.isAvailable

  package static let isRoot = geteuid() == 0
}

extension Trait where Self == ConditionTrait {
  /// For tests that run processes of other users.
  package static var needsRoot: Self {
    .enabled(if: TestEnvironment.isRoot, "needs root to act as another user")
  }
}

/// Returns the path of a file in `Tests`: `testDataPath("Golden/replay/gap-mean.csv")`.
package func testDataPath(_ relative: String) -> String {
  TestEnvironment.packageRoot + "/Tests/" + relative
}
