import ParallaxConfig

/// Loads one file's text and assignments.
func load(
  _ text: String = "", path: String = "p.toml", set: [String] = []
) throws(ConfigError) -> LoadedConfiguration {
  var builder = ConfigurationBuilder()
  builder.add(file: path, bytes: Array(text.utf8))
  for assignment in set { builder.set(assignment: assignment) }
  return try builder.build()
}

/// The lines of what is wrong; none where all is well.
func problems(in text: String = "", set: [String] = []) -> [String] {
  do throws(ConfigError) {
    _ = try load(text, set: set)
    return []
  } catch {
    return error.lines
  }
}

/// A file system of texts. Files that "may not be read" are there with nil.
struct MemoryFiles: ConfigFileSystem {
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
    // Backwards: whoever wants an order has to make it.
    return names.map(String.init).sorted(by: >)
  }

  func owner(ofFolder path: String) -> UInt32? { owners[path] }
}
