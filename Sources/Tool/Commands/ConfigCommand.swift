// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ParallaxConfig

/// `parallax config`: checks and shows the configuration.
struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Check or show the configuration.",
    subcommands: [ConfigCheckCommand.self, ConfigShowCommand.self])
}

struct ConfigOptions: ParsableArguments {
  @Option(
    help: .init(
      "Read only this file, instead of the one that parallaxd reads.", valueName: "FILE"),
    completion: .path)
  var config: String?

  @Option(
    help: .init("Setting, as in parallaxd's --set; repeatable.", valueName: "TABLE.KEY=VALUE"),
    completion: .assignment)
  var set: [String] = []

  func load() throws -> (loaded: LoadedConfiguration, loader: ConfigLoader) {
    let loader = ConfigLoader()
    var builder = loader.builder(file: config)
    for assignment in set { builder.set(assignment: assignment) }
    return (try builder.checked(), loader)
  }
}

struct ConfigCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check the configuration; print errors with file, line and key, and exit 78.",
    discussion: "Files and animations that do not exist are warnings: they may appear later.")

  @OptionGroup var options: ConfigOptions

  func run() throws {
    let (loaded, loader) = try options.load()
    for warning in MissingPlaces.warnings(of: loaded) { Console.report("warning: \(warning)") }
    if loaded.files.isEmpty {
      let place = loader.defaultFile.map { " (\($0) does not exist)" } ?? ""
      try Console.print("no configuration file\(place): the built-in defaults apply")
    } else {
      for file in loaded.files { try Console.print("\(file): ok") }
    }
  }
}

struct ConfigShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Print the configuration in effect and the origin of each value.")

  @OptionGroup var options: ConfigOptions

  func run() throws {
    let (loaded, loader) = try options.load()
    let paths: SocketPaths
    do {
      paths = try loader.socketPaths(loaded.configuration)
    } catch {
      throw CommandFailure(reporting: error)
    }
    try Console.print(loaded.toml(paths: paths), terminator: "")
  }
}
