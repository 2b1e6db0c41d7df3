// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import ParallaxConfig
import ParallaxView

/// `parallax tune`: the view with a cursor over the settings.
struct TuneCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tune",
    abstract: "Tune the settings by eye.",
    discussion: """
      Shows the motion beside its settings. The arrow keys select a setting and turn it; the \
      effect is visible at once and lasts until the daemon exits. 0 goes back to the configured \
      value, u undoes, w writes the changes to a file of the configuration, ? lists all keys. At \
      the end, it prints the changes as TOML. Needs a terminal.
      """)

  @Option(
    help: .init(
      "File that w writes; by default parallax.toml.d/50-tune.toml in the folder of the user's "
        + "configuration, or in /etc/parallax for the system's daemon.", valueName: "FILE"),
    completion: .path)
  var write: String?

  @OptionGroup var connection: ViewConnectionOptions

  func run() throws {
    guard let capabilities = ViewRunner.capabilities else {
      throw CommandFailure(
        .usage, "'parallax tune' needs a terminal; use 'parallax set' in scripts")
    }
    var options = connection.options
    let file = write ?? TuneFile.path(daemonSockets: options.controlPaths)
    options.tune = TuneModel(file: TuneFile.shortened(file))
    options.write = { TuneFile.write($0, to: file) }
    var loop = WatchLoop(capabilities, options)
    let end = try ViewRunner.report { try loop.run() }
    let settings = loop.model.changedSettings
    if !settings.isEmpty {
      try Console.print(
        "# \(TuneFile.shortened(file)); 'parallax set KEY auto' undoes a change\n"
          + TuneFile.toml(settings), terminator: "")
    }
    try ViewRunner.finish(end)
  }
}

/// The file of the configuration that `parallax tune` writes.
enum TuneFile {
  /// A drop-in of the configuration that the daemon on the first of these sockets reads.
  static func path(daemonSockets: [String]) -> String {
    let name = "parallax.toml.d/50-tune.toml"
    let first = daemonSockets.first { access($0, F_OK) == 0 }
    if first?.hasPrefix("/run/parallax/") == true { return "/etc/parallax/\(name)" }
    return ConfigLoader().defaultFile.map { "\($0).d/50-tune.toml" } ?? name
  }

  /// The path with `~` for the home folder.
  static func shortened(_ path: String) -> String {
    guard let home = getenv("HOME").map({ String(cString: $0) }), home.count > 1,
      path.hasPrefix(home + "/")
    else { return path }
    return "~" + path.dropFirst(home.count)
  }

  /// The settings as TOML, with their tables.
  static func toml(_ settings: [(key: String, value: String)]) -> String {
    let text = try? DropIn.text(keys(settings), comment: "")
    // Without the comment and the line after it.
    return text.map { String($0.drop { $0 != "[" }) } ?? ""
  }

  /// Adds the settings to the file and creates its folder. Returns a message.
  static func write(
    _ settings: [(key: String, value: String)], to path: String
  ) -> (text: String, isWritten: Bool) {
    do throws(ConfigurationErrors) {
      let existing = contents(path)
      let text = try DropIn.text(
        keys(settings), addedTo: existing, at: path, comment: "Written by 'parallax tune'.")
      guard let error = replace(path, with: text) else {
        return ("wrote \(shortened(path))", true)
      }
      let reason = String(cString: strerror(error))
      return ("\(path): \(reason); see --write", false)
    } catch {
      return (error.lines.first ?? "\(path) is not valid", false)
    }
  }

  private static func keys(
    _ settings: [(key: String, value: String)]
  ) -> [(key: SettingKey, value: String)] {
    settings.compactMap { setting in
      SetChange.settings.first { $0.name == setting.key }.map { ($0, setting.value) }
    }
  }

  private static func contents(_ path: String) -> [UInt8]? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = fread(&bytes, 1, bytes.count, file)
    return Array(bytes[..<count])
  }

  /// Writes a new file and puts it in the place of the old one. Returns the number of an error.
  private static func replace(_ path: String, with text: String) -> Int32? {
    let folders = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    for count in folders.indices {
      let folder = folders[...count].joined(separator: "/")
      if !folder.isEmpty, mkdir(folder, 0o755) != 0, errno != EEXIST {
        return errno
      }
    }
    let temporary = "\(path).new"
    guard let file = fopen(temporary, "we") else { return errno }
    let isWritten = fputs(text, file) >= 0 && fflush(file) == 0 && fsync(fileno(file)) == 0
    let error = errno
    fclose(file)
    guard isWritten, rename(temporary, path) == 0 else {
      let code = isWritten ? errno : error
      unlink(temporary)
      return code
    }
    return nil
  }
}
