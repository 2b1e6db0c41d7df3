// SPDX-License-Identifier: Apache-2.0

/// Checks of keys that depend on each other.
enum ConsistencyChecks {
  /// Returns the errors of a configuration.
  ///
  /// - Parameter known: the errors found before. A key with an error, or a file that was not read
  ///   to its end, does not prove that a setting is missing.
  static func errors(
    in loaded: LoadedConfiguration, besides known: [ConfigurationError]
  ) -> [ConfigurationError] {
    var errors: [ConfigurationError] = []
    func report(_ key: String, _ message: String, involving others: [String] = []) {
      let isMoot = known.contains { error in
        guard let wrong = error.key else { return true }
        return ([key] + others).contains(wrong)
      }
      if isMoot { return }
      errors.append(
        ConfigurationError(origin: loaded.origins[key] ?? .builtIn, key: key, message: message))
    }
    let configuration = loaded.configuration
    if configuration.source.kind == .trace, configuration.source.trace == nil {
      report(
        "source.kind", "\"trace\" needs a recording; add trace = \"FILE\" to [source]",
        involving: ["source.trace"])
    }
    let socket = configuration.socket
    for (key, path) in [("socket.path", socket.path), ("socket.control", socket.control)] {
      guard let path else { continue }
      do {
        try SocketPaths.validate(path)
      } catch {
        report(key, error.message)
      }
    }
    if let path = socket.path, isValid(path) {
      let control = socket.control ?? SocketPaths.control(beside: path)
      if control == path {
        report(
          socket.control == nil ? "socket.path" : "socket.control",
          "both sockets have the path '\(path)'; use two paths",
          involving: ["socket.path", "socket.control"])
      } else if socket.control == nil, !isValid(control) {
        report(
          "socket.path",
          "the control socket beside it, '\(control)', has more than \(SocketPaths.lengthLimit) "
            + "bytes; use a folder with a shorter path, or set socket.control",
          involving: ["socket.control"])
      }
    }
    return errors
  }

  private static func isValid(_ path: String) -> Bool {
    (try? SocketPaths.validate(path)) != nil
  }
}
