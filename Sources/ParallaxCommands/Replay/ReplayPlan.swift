import Glibc

/// Which traces are read and where each table goes.
struct ReplayPlan: Equatable {
  struct Item: Equatable, Sendable {
    /// `-` is standard input.
    var trace: String
    /// nil: standard output.
    var output: String?
  }

  let items: [Item]

  /// - Throws: exit 64 where several tables have no place each of its own, 66 and 73 for folders
  ///   that are not what they should be.
  init(traces: [String], output: String?, format: TableFormat) throws(CommandFailure) {
    // As an unset variable gives one.
    guard !traces.contains(""), output != "" else {
      throw CommandFailure(
        .usage, "an empty name is no file's; name a trace, '-' for standard input, and -o FILE")
    }
    guard traces.filter({ $0 == "-" }).count <= 1 else {
      throw CommandFailure(.usage, "standard input can be read once; name '-' once")
    }
    guard let output else {
      guard traces.count == 1 else {
        throw CommandFailure(
          .usage, "\(traces.count) traces need a folder each table can go to; add -o FOLDER")
      }
      items = [Item(trace: traces[0], output: nil)]
      return
    }
    guard traces.count > 1 || Self.isFolder(output) else {
      items = [Item(trace: traces[0], output: output)]
      try checkInputsAreSafe()
      return
    }
    if !Self.isFolder(output) {
      guard mkdir(output, 0o777) == 0 else {
        let reason = errno == EEXIST ? "it is no folder" : String(cString: strerror(errno))
        throw CommandFailure(
          .cannotCreate, "-o \(output): cannot make this folder: \(reason); name another one")
      }
    }
    let names = try Self.outputNames(for: traces, suffix: format.rawValue)
    items = zip(traces, names).map { Item(trace: $0, output: "\(output)/\($1)") }
    try checkInputsAreSafe()
  }

  /// `a/walk/Gyroscope.csv` becomes `Gyroscope.csv`, or `walk-Gyroscope.csv` where another trace
  /// is called the same.
  static func outputNames(
    for traces: [String], suffix: String
  ) throws(CommandFailure) -> [String] {
    let plain = traces.map { stem(of: $0) }
    let long = traces.map { trace in
      let parts = trace.split(separator: "/").filter { $0 != "." }
      guard parts.count > 1, trace != "-" else { return stem(of: trace) }
      return "\(parts[parts.count - 2])-\(stem(of: trace))"
    }
    let names = zip(plain, long).map { plainName, longName in
      plain.filter { $0 == plainName }.count > 1 ? longName : plainName
    }
    for (index, name) in names.enumerated() {
      if let other = names[..<index].firstIndex(of: name) {
        throw CommandFailure(
          .usage,
          "\(traces[other]) and \(traces[index]) would both be written to \(name).\(suffix); "
            + "work on them in two calls")
      }
    }
    return names.map { "\($0).\(suffix)" }
  }

  private static func stem(of trace: String) -> String {
    guard trace != "-" else { return "stdin" }
    let name = trace.split(separator: "/").last.map(String.init) ?? trace
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
    return String(name[..<dot])
  }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// A table must never replace a trace that it, or another one, is made of.
  private func checkInputsAreSafe() throws(CommandFailure) {
    for item in items {
      guard let output = item.output, let place = Self.identity(of: output) else { continue }
      for trace in items.map(\.trace) where trace != "-" && Self.identity(of: trace) == place {
        throw CommandFailure(
          .usage, "-o \(output): this is the trace itself; write the table elsewhere")
      }
    }
  }

  /// Device and inode of a regular file that is there.
  private static func identity(of path: String) -> [UInt64]? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return [UInt64(status.st_dev), UInt64(status.st_ino)]
  }
}
