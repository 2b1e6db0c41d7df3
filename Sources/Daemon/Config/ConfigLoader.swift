// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Reads the configuration files of this process, in their order.
///
///     let loader = ConfigLoader()
///     var builder = loader.builder(file: options.config)
///     for assignment in options.set { builder.set(assignment: assignment) }
///     let loaded = try builder.build()
///
/// To reload, repeat these calls.
package struct ConfigLoader: Sendable {
  private let files: any ConfigFileSystem
  private let process: ProcessEnvironment

  package init(
    process: ProcessEnvironment = .current(), files: any ConfigFileSystem = LocalFileSystem()
  ) {
    self.process = process
    self.files = files
  }

  /// Returns a builder with the settings of files and environment.
  ///
  /// - Parameter file: the file of `--config`, which must exist and is the only one. nil: the
  ///   default file and its drop-ins, of which any may be missing.
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

  /// `parallax.toml` in systemd's `CONFIGURATION_DIRECTORY`, else in `$XDG_CONFIG_HOME/parallax`,
  /// else in `/etc/parallax` for root and `~/.config/parallax` for other users. nil for a user
  /// without a home.
  package var defaultFile: String? {
    let name = "parallax.toml"
    if let folder = process.folder("CONFIGURATION_DIRECTORY") { return "\(folder)/\(name)" }
    if let folder = process.folder("XDG_CONFIG_HOME") { return "\(folder)/parallax/\(name)" }
    if process.userID == 0 { return "/etc/parallax/\(name)" }
    return process.folder("HOME").map { "\($0)/.config/parallax/\(name)" }
  }

  /// Returns the paths of the sockets for a configuration.
  package func socketPaths(_ configuration: Configuration) throws(ConfigurationErrors)
    -> SocketPaths
  {
    try SocketPaths(configuration.socket, process: process, files: files)
  }

  private func addDropIns(of main: String, to builder: inout ConfigurationBuilder) {
    let folder = main + ".d"
    do throws(ConfigFileError) {
      let names = try files.names(inFolder: folder)
        .filter { $0.hasSuffix(".toml") && !$0.hasPrefix(".") }
        // By bytes: 10-a.toml comes before 9-b.toml in every locale.
        .sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
      for name in names {
        add("\(folder)/\(name)", to: &builder, isRequired: true)
      }
    } catch .missing {
      return
    } catch {
      builder.add(Self.error(reading: folder, error))
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
      builder.add(Self.error(reading: path, error))
    }
  }

  private static func error(reading path: String, _ error: ConfigFileError) -> ConfigurationError {
    let origin = SettingOrigin.file(path: path, position: nil)
    let (kind, message): (ConfigurationError.Kind, String) =
      switch error {
      case .missing: (.missing, "no such file; check the path")
      case .denied: (.denied, "permission denied; give this user read access to it")
      case .folder: (.missing, "is a folder; name a file in it")
      case .silent: (.unreadable, "no data for a second; name a regular file")
      case .notRegular:
        (.missing, "is not a regular file; the daemon must be able to read it again")
      case .failed(let code):
        (.unreadable, "cannot be read: \(String(cString: strerror(code)))")
      }
    return ConfigurationError(kind: kind, origin: origin, key: nil, message: message)
  }
}
