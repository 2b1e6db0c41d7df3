import ArgumentParser
import ParallaxConfig

/// `parallax config`: what is configured, and whether it can be.
struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Check or show the configuration.",
    subcommands: [ConfigCheckCommand.self, ConfigShowCommand.self])
}

struct ConfigOptions: ParsableArguments {
  @Option(
    help: .init(
      "Read this file alone, not the one that parallaxd would read.", valueName: "FILE"))
  var config: String?

  @Option(help: .init("As parallaxd's --set. May be repeated.", valueName: "TABLE.KEY=VALUE"))
  var set: [String] = []

  func load() throws -> (loaded: LoadedConfiguration, loader: ConfigLoader) {
    let loader = ConfigLoader()
    var builder = loader.builder(file: config)
    for assignment in set { builder.set(assignment: assignment) }
    do {
      return (try builder.build(), loader)
    } catch {
      throw CommandFailure(reporting: error)
    }
  }
}

struct ConfigCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Tell all that is wrong in the configuration, with file, line and key; exit 78 then.")

  @OptionGroup var options: ConfigOptions

  func run() throws {
    let (loaded, loader) = try options.load()
    if loaded.files.isEmpty {
      let place = loader.defaultFile.map { " (\($0) is not there)" } ?? ""
      try Console.print("no configuration file\(place): the built-in defaults hold")
    } else {
      for file in loaded.files { try Console.print("\(file): ok") }
    }
  }
}

struct ConfigShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Print the configuration as it holds, and where each value comes from.")

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
