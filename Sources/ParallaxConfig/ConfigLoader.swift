import Glibc

/// Reads the files that count for this process, in their order.
///
///     let loader = ConfigLoader()
///     var builder = loader.builder(file: options.config)
///     for assignment in options.set { builder.set(assignment: assignment) }
///     let loaded = try builder.build()
///
/// To reload, do the same again.
package struct ConfigLoader: Sendable {
  private let files: any ConfigFileSystem
  private let process: ProcessFacts

  package init(
    process: ProcessFacts = .current(), files: any ConfigFileSystem = ProcessFiles()
  ) {
    self.process = process
    self.files = files
  }

  /// A builder that holds the files' settings and the environment's.
  /// - Parameter file: `--config`: this file alone, which then has to be there. nil: the default
  ///   file and its drop-ins, where any may be missing.
  package func builder(file: String? = nil) -> ConfigurationBuilder {
    var builder = ConfigurationBuilder()
    builder.add(environment: { process.variables[$0] })
    if let file {
      add(file, to: &builder, isRequired: true)
    } else if let main = defaultFile {
      add(main, to: &builder, isRequired: false)
      addDropIns(of: main, to: &builder)
    }
    return builder
  }

  /// `parallax.toml` in the folder that systemd names (`CONFIGURATION_DIRECTORY`), else in
  /// `$XDG_CONFIG_HOME/parallax`, else for root `/etc/parallax`, for others `~/.config/parallax`.
  /// nil for a user without a home.
  package var defaultFile: String? {
    let name = "parallax.toml"
    if let folder = process.folder("CONFIGURATION_DIRECTORY") { return "\(folder)/\(name)" }
    if let folder = process.folder("XDG_CONFIG_HOME") { return "\(folder)/parallax/\(name)" }
    if process.userID == 0 { return "/etc/parallax/\(name)" }
    return process.folder("HOME").map { "\($0)/.config/parallax/\(name)" }
  }

  /// The sockets' places for a configuration.
  package func socketPaths(_ configuration: Configuration) throws(ConfigError) -> SocketPaths {
    try SocketPaths(configuration.socket, process: process, files: files)
  }

  private func addDropIns(of main: String, to builder: inout ConfigurationBuilder) {
    let folder = main + ".d"
    do throws(ConfigFileError) {
      let names = try files.names(inFolder: folder)
        .filter { $0.hasSuffix(".toml") && !$0.hasPrefix(".") }
        // By bytes, so that 10-a.toml comes before 9-b.toml in every locale.
        .sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
      for name in names {
        add("\(folder)/\(name)", to: &builder, isRequired: true)
      }
    } catch .missing {
      return
    } catch {
      builder.add(problem(with: folder, error))
    }
  }

  private func add(
    _ path: String, to builder: inout ConfigurationBuilder, isRequired: Bool
  ) {
    do throws(ConfigFileError) {
      builder.add(
        file: path, bytes: try files.read(path, limit: TomlDocument.sizeLimit))
    } catch .missing where !isRequired {
      return
    } catch {
      builder.add(problem(with: path, error))
    }
  }

  private func problem(with path: String, _ error: ConfigFileError) -> ConfigProblem {
    let origin = SettingOrigin.file(path: path, position: nil)
    let (kind, message): (ConfigProblem.Kind, String) =
      switch error {
      case .missing: (.missing, "there is no such file; check the path, or leave it out")
      case .denied: (.denied, "may not be read; give this user read access to it")
      case .folder: (.missing, "this is a folder; name a file in it")
      case .silent: (.unreadable, "nothing came from it for a second; name a plain file")
      case .failed(let code):
        (.unreadable, "cannot be read: \(String(cString: strerror(code)))")
      }
    return ConfigProblem(kind: kind, origin: origin, key: nil, message: message)
  }
}
