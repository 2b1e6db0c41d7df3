// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxConfig
import ParallaxDocuments

/// Warnings about files and animations that a valid configuration names and that do not exist, or that
/// the daemon could not play.
enum MissingPlaces {
  /// Returns one line per warning, with the place in the configuration.
  static func warnings(of loaded: LoadedConfiguration) -> [String] {
    var warnings: [String] = []
    func warn(_ key: String, _ message: String) {
      let origin = loaded.origins[key] ?? .builtIn
      warnings.append(
        ConfigurationError(origin: origin, key: key, message: message).description)
    }
    let source = loaded.configuration.source
    if source.kind == .trace, let trace = source.trace, kind(of: trace) != S_IFREG {
      warn("source.trace", "there is no file \(trace); check the path")
    }
    let animations = loaded.configuration.animations
    guard let folder = animations.directory else { return warnings }
    guard kind(of: folder) == S_IFDIR else {
      warn("animations.directory", "there is no folder \(folder); create it or change the path")
      return warnings
    }
    for (key, name) in [("on-connect", animations.onConnect), ("idle", animations.idle)] {
      // The server, or parallax itself, may have what the folder lacks.
      guard let name,
        let problem = problem(
          with: name, in: folder,
          isElsewhere: animations.url != nil
            || DocumentDirectory.shipped()?.ids.contains(name) == true)
      else { continue }
      warn("animations.\(key)", problem)
    }
    return warnings
  }

  private static func problem(with name: String, in folder: String, isElsewhere: Bool) -> String? {
    do throws(DocumentError) {
      guard let id = try? DocumentID(name) else { return nil }
      let text = try DocumentDirectory(path: folder).text(of: id)
      _ = try DocumentReader.read(text, name: "\(folder)/\(name).json")
      return nil
    } catch {
      return error.meaning == .noSuchAnimation && isElsewhere ? nil : error.description
    }
  }

  private static func kind(of path: String) -> mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
  }
}
