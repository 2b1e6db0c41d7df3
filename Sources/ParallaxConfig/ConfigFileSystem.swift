import Glibc

/// What configuration needs of the file system. `ProcessFiles` is the real one; tests bring one
/// in memory.
package protocol ConfigFileSystem: Sendable {
  /// A file's bytes; at most one more than `limit`, which shows that it is larger.
  func read(_ path: String, limit: Int) throws(ConfigFileError) -> [UInt8]
  /// The names in a folder, in any order, without `.` and `..`.
  func names(inFolder path: String) throws(ConfigFileError) -> [String]
  /// Who owns a folder; nil where there is no folder of that name.
  func owner(ofFolder path: String) -> UInt32?
}

/// Why a file or folder was not read.
package enum ConfigFileError: Error, Equatable, Sendable {
  case missing
  case denied
  case folder
  /// A FIFO or device on which nothing came for a second.
  case silent
  case failed(errno: Int32)

  init(errno code: Int32) {
    switch code {
    case ENOENT, ENOTDIR: self = .missing
    case EACCES, EPERM: self = .denied
    case EISDIR: self = .folder
    default: self = .failed(errno: code)
    }
  }
}

/// What the process knows of itself: who runs it, and its environment.
package struct ProcessFacts: Sendable {
  package var userID: UInt32
  package var variables: [String: String]

  package init(userID: UInt32, variables: [String: String]) {
    self.userID = userID
    self.variables = variables
  }

  /// This process, with the variables that tell where its files are.
  package static func current() -> ProcessFacts {
    var variables: [String: String] = [:]
    let names = [
      "HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR", "CONFIGURATION_DIRECTORY",
      "RUNTIME_DIRECTORY", "STATE_DIRECTORY", "XDG_STATE_HOME", "PARALLAX_SOCKET",
      "PARALLAX_CONTROL",
    ]
    for name in names {
      if let value = getenv(name) { variables[name] = String(cString: value) }
    }
    return ProcessFacts(userID: geteuid(), variables: variables)
  }

  /// A variable that names a folder: the first of several (systemd separates with colons), without
  /// slashes at its end. Relative ones count as absent, as the XDG specification has it.
  package func folder(_ variable: String) -> String? {
    guard let value = variables[variable], value.hasPrefix("/") else { return nil }
    var path = value.prefix { $0 != ":" }
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return String(path)
  }
}

/// The real file system.
package struct ProcessFiles: ConfigFileSystem {
  package init() {}

  package func read(_ path: String, limit: Int) throws(ConfigFileError) -> [UInt8] {
    // Without O_NONBLOCK, opening a FIFO nobody writes to would hang, and with it a reload.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw ConfigFileError(errno: errno) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16384)
    while bytes.count <= limit {
      let wanted = min(chunk.count, limit + 1 - bytes.count)
      let count = Glibc.read(descriptor, &chunk, wanted)
      if count > 0 {
        bytes += chunk[..<count]
      } else if count == 0 {
        break
      } else if errno == EAGAIN {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&request, 1, 1000) > 0 else { throw .silent }
      } else if errno != EINTR {
        throw ConfigFileError(errno: errno)
      }
    }
    return bytes
  }

  package func names(inFolder path: String) throws(ConfigFileError) -> [String] {
    guard let folder = opendir(path) else { throw ConfigFileError(errno: errno) }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { raw in
        String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  package func owner(ofFolder path: String) -> UInt32? {
    var facts = stat()
    guard stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR else { return nil }
    return facts.st_uid
  }
}
