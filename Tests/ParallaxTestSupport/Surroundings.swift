package import Testing
import Glibc

/// A variable of the environment, nil where it is not set or empty.
package func environmentVariable(_ name: String) -> String? {
  guard let text = getenv(name), text.pointee != 0 else { return nil }
  return String(cString: text)
}

/// One line to the run's standard error, for what a reader of the log has to know.
package func announce(_ line: String) {
  let bytes = Array("parallax tests: \(line)\n".utf8)
  _ = bytes.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
}

/// Where things are around the tests.
package enum Surroundings {
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

  /// The material that stands beside the repository (real traces, golden tables), without a slash
  /// at the end: `PARALLAX_SHARED`, else `../shared`. Nil where there is none.
  package static let sharedFolder: String? = {
    let folder = environmentVariable("PARALLAX_SHARED") ?? packageRoot + "/../shared"
    if access(folder + "/traces/golden", R_OK) == 0 { return folder }
    announce(
      "NO GOLDEN TABLES: \(folder)/traces/golden is not there; the tests that need it are off")
    return nil
  }()

  /// In CI nothing may be left out for want of material.
  package static let isContinuousIntegration = environmentVariable("CI") == "true"

  /// Whether a sanitizer was built in: it owns malloc, and the programs' memory is no ordinary one.
  package static let isSanitized = !AllocationCount.isAvailable

  package static let isRoot = geteuid() == 0
}

extension Trait where Self == ConditionTrait {
  /// For tests that read the material beside the repository. Without it they are off, which the
  /// log says; in CI they run nevertheless, and fail.
  package static var needsShared: Self {
    .enabled(
      if: Surroundings.sharedFolder != nil || Surroundings.isContinuousIntegration,
      "needs ../shared (or PARALLAX_SHARED=FOLDER), which is not there")
  }

  /// For tests that make other users' processes.
  package static var needsRoot: Self {
    .enabled(if: Surroundings.isRoot, "needs root to act as another user")
  }
}

/// The path of something in the shared material: `sharedPath("traces/golden/gap-mean.csv")`.
package func sharedPath(_ relative: String) -> String {
  (Surroundings.sharedFolder ?? Surroundings.packageRoot + "/../shared") + "/" + relative
}
