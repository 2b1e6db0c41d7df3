// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxWebCore
import Synchronization

/// A command of `parallax`.
///
/// Its descriptors and its process belong to one request, whose tasks and threads use them one after another.
final class ToolProgram: Sendable {
  /// Why the program cannot be run.
  struct StartError: Error {
    let message: String
  }

  private let process: pid_t
  private let output: Int32
  private let errors: Int32

  /// One start at a time: the descriptors of one must not get into another's program.
  private static let starting = Mutex(())

  /// Starts the program.
  ///
  /// - Parameters:
  ///   - arguments: The command and its options.
  ///   - input: An open file as its standard input; nil: none.
  static func start(_ arguments: [String], input: Int32? = nil) throws(StartError) -> ToolProgram {
    let result = starting.withLock { _ in
      Result { () throws(StartError) in try ToolProgram(arguments, input: input) }
    }
    return try result.get()
  }

  private init(_ arguments: [String], input: Int32?) throws(StartError) {
    let candidates = PagePlaces.programs()
    guard let program = candidates.first(where: { access($0, X_OK) == 0 }) else {
      throw StartError(message: "the program parallax is not installed")
    }
    let output = try Self.pipe()
    // A file, which never makes the program wait.
    let errors = TemporaryFile.open()
    guard errors >= 0 else {
      close(output.read)
      close(output.write)
      throw StartError(message: "no temporary file: \(String(cString: strerror(errno)))")
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let input {
      posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    } else {
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    }
    posix_spawn_file_actions_adddup2(&actions, output.write, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // What this program blocks and ignores.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var defaults = sigset_t()
    sigemptyset(&defaults)
    sigaddset(&defaults, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) }
    defer { for word in words { free(word) } }
    words.append(nil)
    var started: pid_t = 0
    let code = posix_spawn(&started, program, &actions, &attributes, words, environ)
    close(output.write)
    guard code == 0 else {
      close(output.read)
      close(errors)
      throw StartError(message: "\(program): \(String(cString: strerror(code)))")
    }
    process = started
    self.output = output.read
    self.errors = errors
  }

  /// Whether the process has been waited for.
  private let isReaped = Atomic(false)

  deinit {
    // Its answer was never written.
    if !isReaped.load(ordering: .acquiring) {
      kill()
      wait()
    }
    close(output)
    close(errors)
  }

  /// Waits for output; empty at its end.
  func read() -> [UInt8] {
    var block = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = Glibc.read(output, &block, block.count)
      if count < 0 && errno == EINTR { continue }
      return Array(block.prefix(max(0, count)))
    }
  }

  /// Ends the program if it still runs.
  func kill() { Glibc.kill(process, SIGKILL) }

  /// Waits until the program has ended. Returns what it wrote to standard error if it has failed; nil after
  /// success.
  ///
  /// - Parameter name: What the messages call its standard input.
  func end(name: String) -> String? {
    let status = wait()
    isReaped.store(true, ordering: .releasing)
    guard status != 0 else { return nil }
    var text = [UInt8](repeating: 0, count: 4_096)
    let count = pread(errors, &text, text.count, 0)
    let message = String(decoding: text.prefix(max(0, count)), as: UTF8.self)
    return ReplayMessage.text(message, name: name)
  }

  @discardableResult private func wait() -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    return status
  }

  private static func pipe() throws(StartError) -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    guard Glibc.pipe(&ends) == 0 else {
      throw StartError(message: "no pipe: \(String(cString: strerror(errno)))")
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }
}

/// Files without a name.
enum TemporaryFile {
  /// Returns a new file; negative if there is no place for one.
  static func open() -> Int32 {
    let folder = ProgramEnvironment.variable("TMPDIR") ?? "/tmp"
    var template = Array("\(folder)/parallax-web.XXXXXX".utf8CString)
    let file = mkstemp(&template)
    guard file >= 0 else { return file }
    _ = fcntl(file, F_SETFD, FD_CLOEXEC)
    unlink(template)
    return file
  }
}
