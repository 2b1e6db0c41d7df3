// SPDX-License-Identifier: Apache-2.0

import ParallaxConfig

/// Loads a file's text and assignments.
func load(
  _ text: String = "", path: String = "p.toml", set: [String] = []
) throws(ConfigurationErrors) -> LoadedConfiguration {
  var builder = ConfigurationBuilder()
  builder.add(file: path, bytes: Array(text.utf8))
  for assignment in set { builder.set(assignment: assignment) }
  return try builder.build()
}

/// Returns the errors of a file's text and assignments, one line each.
func errors(in text: String = "", set: [String] = []) -> [String] {
  do throws(ConfigurationErrors) {
    _ = try load(text, set: set)
    return []
  } catch {
    return error.lines
  }
}

/// A file system of texts. A file of nil has no read permission.
struct InMemoryFileSystem: ConfigFileSystem {
  var files: [String: String?] = [:]
  var owners: [String: UInt32] = [:]

  func read(_ path: String, limit: Int) throws(ConfigFileError) -> [UInt8] {
    guard let text = files[path] else { throw .missing }
    guard let text else { throw .denied }
    return Array(text.utf8.prefix(limit + 1))
  }

  func names(inFolder path: String) throws(ConfigFileError) -> [String] {
    let names = files.keys.filter { $0.hasPrefix(path + "/") }.map { $0.dropFirst(path.count + 1) }
    guard !names.isEmpty else { throw .missing }
    // Backwards: the caller must sort them.
    return names.map(String.init).sorted(by: >)
  }

  func owner(ofFolder path: String) -> UInt32? { owners[path] }
}
