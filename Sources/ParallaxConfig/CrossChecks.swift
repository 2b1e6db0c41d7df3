/// What only several keys together can get wrong.
enum CrossChecks {
  static func problems(in loaded: LoadedConfiguration) -> [ConfigProblem] {
    var problems: [ConfigProblem] = []
    func report(_ key: String, _ message: String) {
      problems.append(
        ConfigProblem(origin: loaded.origins[key] ?? .builtIn, key: key, message: message))
    }
    let configuration = loaded.configuration
    if configuration.source.kind == .trace, configuration.source.trace == nil {
      report("source.kind", "\"trace\" needs a recording; add trace = \"FILE\" to [source]")
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
          "both sockets would be '\(path)'; give each a path of its own")
      } else if socket.control == nil, SocketPaths.problem(with: control) != nil {
        report(
          "socket.path",
          "the control socket beside it, '\(control)', is over \(SocketPaths.lengthLimit) bytes; "
            + "use a shorter folder, or set socket.control")
      }
    }
    return problems
  }
}
