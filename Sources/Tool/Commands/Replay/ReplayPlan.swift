// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The traces to read and the place of each table.
struct ReplayPlan: Equatable {
  struct Item: Equatable, Sendable {
    /// `-` is standard input.
    var trace: String
    /// nil: standard output.
    var output: String?
    /// Whether `-o` names the place: the table is then written beside a plot or a page, too.
    var isNamed = true
  }

  let items: [Item]

  /// Whether a table goes to a terminal, or to another device that may be one.
  var printsOnTerminal: Bool {
    items.contains { item in
      guard let output = item.output else { return isatty(STDOUT_FILENO) == 1 }
      var status = stat()
      return stat(output, &status) == 0 && status.st_mode & S_IFMT == S_IFCHR
    }
  }

  /// - Throws: `CommandFailure` with exit 64 if two tables would have the same place, 73 if the folder
  ///   cannot be created.
  /// - Parameter output: nil or `-`: standard output.
  init(traces: [String], output: String?, format: TableFormat) throws(CommandFailure) {
    // The value of an unset shell variable.
    guard !traces.contains(""), output != "" else {
      throw CommandFailure(
        .usage, "a name is empty; name a trace, '-' for standard input, and -o FILE")
    }
    guard traces.filter({ $0 == "-" }).count <= 1 else {
      throw CommandFailure(.usage, "standard input can be read only once; name '-' once")
    }
    guard let output, output != "-" else {
      guard traces.count == 1 else {
        let need = "\(traces.count) traces need a folder for their tables"
        throw CommandFailure(
          .usage,
          output == nil ? "\(need); add -o FOLDER" : "-o -: \(need); name one, as in -o tables")
      }
      items = [Item(trace: traces[0], output: nil, isNamed: output != nil)]
      return
    }
    guard traces.count > 1 || Self.isFolder(output) else {
      items = [Item(trace: traces[0], output: output)]
      try checkInputsAreSafe()
      return
    }
    if !Self.isFolder(output) {
      guard mkdir(output, 0o777) == 0 else {
        let problem =
          errno == EEXIST
          ? "is not a folder" : "this folder cannot be created: \(String(cString: strerror(errno)))"
        throw CommandFailure(.cannotCreate, "-o \(output): \(problem); name another one")
      }
    }
    let names = try Self.outputNames(for: traces, suffix: format.rawValue)
    items = zip(traces, names).map { Item(trace: $0, output: "\(output)/\($1)") }
    try checkInputsAreSafe()
  }

  /// Returns the names of the tables: `Gyroscope.csv` for `a/walk/Gyroscope.csv`, or
  /// `walk-Gyroscope.csv` if another trace has the same name.
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
            + "replay them one at a time")
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

  /// Checks that no table replaces a trace that is read.
  private func checkInputsAreSafe() throws(CommandFailure) {
    for item in items {
      guard let output = item.output, let place = Self.identity(of: output) else { continue }
      for trace in items.map(\.trace) where trace != "-" && Self.identity(of: trace) == place {
        throw CommandFailure(
          .usage, "-o \(output): this is one of the traces; write the table elsewhere")
      }
    }
  }

  /// Returns the device and inode of an existing regular file.
  private static func identity(of path: String) -> [UInt64]? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return [UInt64(status.st_dev), UInt64(status.st_ino)]
  }
}
