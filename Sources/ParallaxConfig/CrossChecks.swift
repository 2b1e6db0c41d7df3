/// What only several keys together can get wrong.
enum CrossChecks {
  /// - Parameter found: what is wrong already. A key that was not understood, or a file that was
  ///   not read to its end, is no proof that something is missing.
  static func problems(
    in loaded: LoadedConfiguration, besides found: [ConfigProblem]
  ) -> [ConfigProblem] {
    var problems: [ConfigProblem] = []
    func report(_ key: String, _ message: String, about others: [String] = []) {
      let isMoot = found.contains { problem in
        guard let wrong = problem.key else { return true }
        return ([key] + others).contains(wrong)
      }
      if isMoot { return }
      problems.append(
        ConfigProblem(origin: loaded.origins[key] ?? .builtIn, key: key, message: message))
    }
    let configuration = loaded.configuration
    if configuration.source.kind == .trace, configuration.source.trace == nil {
      report(
        "source.kind", "\"trace\" needs a recording; add trace = \"FILE\" to [source]",
        about: ["source.trace"])
    }
    let socket = configuration.socket
    for (key, path) in [("socket.path", socket.path), ("socket.control", socket.control)] {
      if let path, let message = SocketPaths.problem(with: path) { report(key, message) }
    }
    if let path = socket.path, SocketPaths.problem(with: path) == nil {
      let control = socket.control ?? SocketPaths.control(beside: path)
      if control == path {
        report(
          socket.control == nil ? "socket.path" : "socket.control",
          "both sockets would be '\(path)'; give each a path of its own",
          about: ["socket.path", "socket.control"])
      } else if socket.control == nil, SocketPaths.problem(with: control) != nil {
        report(
          "socket.path",
          "the control socket beside it, '\(control)', is over \(SocketPaths.lengthLimit) bytes; "
            + "use a shorter folder, or set socket.control",
          about: ["socket.control"])
      }
    }
    return problems
  }
}
