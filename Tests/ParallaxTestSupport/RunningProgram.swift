// SPDX-License-Identifier: Apache-2.0

package import Glibc
import ParallaxBase
import Synchronization

/// A program that runs during a test. It is killed when the last reference is dropped.
///
/// Not for use by two threads at once.
package final class RunningProgram {
  package let processID: pid_t
  private var standardInput: Int32
  private var standardOutput: Int32
  private var standardError: Int32
  private var outputBytes: [UInt8] = []
  private var errorBytes: [UInt8] = []
  private var takenOutput = 0
  private var status: Int32?
  // The folder that the program needs while it runs, for example with its copy.
  private let kept: TemporaryFolder?

  init(
    path: String, arguments: [String], environment: [String: String?],
    keeping kept: TemporaryFolder?
  ) throws(TestSupportError) {
    let started = try starting.withLock { _ throws(TestSupportError) in
      try Self.spawn(path: path, arguments: arguments, environment: environment)
    }
    processID = started.process
    standardInput = started.input
    standardOutput = started.output
    standardError = started.errors
    self.kept = kept
    for end in [standardInput, standardOutput, standardError] {
      _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK)
    }
  }

  private static func spawn(
    path: String, arguments: [String], environment: [String: String?]
  ) throws(TestSupportError) -> (process: pid_t, input: Int32, output: Int32, errors: Int32) {
    let input = try makePipe()
    let output = try makePipe()
    let errors = try makePipe()
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input.reading, 0)
    posix_spawn_file_actions_adddup2(&actions, output.writing, 1)
    posix_spawn_file_actions_adddup2(&actions, errors.writing, 2)

    var attributes = attributes()
    defer { posix_spawnattr_destroy(&attributes) }

    var process: pid_t = 0
    let code = withCStrings([path] + arguments) { argv in
      withCStrings(variables(changed: environment)) { variables in
        posix_spawn(&process, path, &actions, &attributes, argv, variables)
      }
    }
    for end in [input.reading, output.writing, errors.writing] { close(end) }
    guard code == 0 else {
      for end in [input.writing, output.reading, errors.reading] { close(end) }
      throw .system("start \(path)", code)
    }
    return (process, input.writing, output.reading, errors.reading)
  }

  deinit {
    if status == nil {
      kill(processID, SIGKILL)
      var ignored: Int32 = 0
      waitpid(processID, &ignored, 0)
    }
    closeInput()
    close(standardOutput)
    close(standardError)
  }

  package func send(signal: Int32) {
    if status == nil { kill(processID, signal) }
  }

  package func closeInput() {
    if standardInput >= 0 { close(standardInput) }
    standardInput = -1
  }

  /// The text on standard error so far.
  package var errorsSoFar: String { String(decoding: errorBytes, as: UTF8.self) }

  /// Returns the next line of standard output without its line feed; nil at the end of the output.
  ///
  /// - Throws: `TestSupportError` if no line comes within `timeoutSeconds`.
  package func nextLine(timeoutSeconds: Double = 30) throws(TestSupportError) -> String? {
    let deadline = Deadline(seconds: timeoutSeconds)
    var searched = takenOutput
    while true {
      if let end = outputBytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { takenOutput = end + 1 }
        return String(decoding: outputBytes[takenOutput..<end], as: UTF8.self)
      }
      searched = outputBytes.count
      if standardOutput < 0 {
        guard takenOutput < outputBytes.count else { return nil }
        defer { takenOutput = outputBytes.count }
        return String(decoding: outputBytes[takenOutput...], as: UTF8.self)
      }
      guard try exchange(input: [], from: 0, deadline: deadline) != nil else {
        throw TestSupportError(
          "no line within \(timeoutSeconds) s; standard error so far: \(errorsSoFar)")
      }
    }
  }

  /// Writes a text to standard input, which stays open.
  package func type(_ text: String, timeoutSeconds: Double = 30) throws(TestSupportError) {
    let deadline = Deadline(seconds: timeoutSeconds)
    let input = Array(text.utf8)
    var sent = 0
    while sent < input.count {
      guard let count = try exchange(input: input, from: sent, deadline: deadline) else {
        throw TestSupportError("the input is not read; standard error so far: \(errorsSoFar)")
      }
      sent += count
    }
  }

  /// Writes `input`, closes the input and waits for the end of the program.
  package func finish(
    input: [UInt8] = [], timeoutSeconds: Double = 60
  ) throws(TestSupportError) -> ProgramResult {
    let deadline = Deadline(seconds: timeoutSeconds)
    var sent = 0
    var timedOut = false
    if input.isEmpty { closeInput() }
    while standardOutput >= 0 || standardError >= 0 {
      guard let count = try exchange(input: input, from: sent, deadline: deadline) else {
        timedOut = true
        break
      }
      sent += count
      if sent == input.count { closeInput() }
    }
    // The output may end before the program, or stay open in a child of the program.
    while !timedOut, waitpid(processID, &statusStorage, WNOHANG) == 0 {
      timedOut = deadline.isOver
      poll(nil, 0, 1)
    }
    if timedOut {
      kill(processID, SIGKILL)
      waitpid(processID, &statusStorage, 0)
    }
    status = statusStorage
    let ended = statusStorage & 0x7f
    return ProgramResult(
      exitCode: ended == 0 ? (statusStorage >> 8) & 0xff : nil, signal: ended == 0 ? nil : ended,
      outputBytes: outputBytes, errorBytes: errorBytes, timedOut: timedOut)
  }

  private var statusStorage: Int32 = 0

  /// Waits until input or output can be transferred, then transfers it.
  ///
  /// - Returns: The number of bytes of `input` that were written; nil after the deadline.
  private func exchange(
    input: [UInt8], from start: Int, deadline: Deadline
  ) throws(TestSupportError) -> Int? {
    var ends = [
      pollfd(fd: standardOutput, events: Int16(POLLIN), revents: 0),
      pollfd(fd: standardError, events: Int16(POLLIN), revents: 0),
      pollfd(fd: start < input.count ? standardInput : -1, events: Int16(POLLOUT), revents: 0),
    ]
    let ready = poll(&ends, 3, deadline.millisecondsLeft)
    if ready == 0 { return nil }
    guard ready > 0 || errno == EINTR else { throw .system("poll") }
    if ends[0].revents != 0 { Self.drain(&standardOutput, into: &outputBytes) }
    if ends[1].revents != 0 { Self.drain(&standardError, into: &errorBytes) }
    guard ends[2].revents != 0 else { return 0 }
    // A program that ended early must not end the tests.
    signal(SIGPIPE, SIG_IGN)
    let count = input[start...].withUnsafeBytes { write(standardInput, $0.baseAddress, $0.count) }
    if count < 0, errno == EAGAIN || errno == EINTR { return 0 }
    // The program need not read its input to the end.
    return count < 0 ? input.count - start : count
  }

  private static func drain(_ end: inout Int32, into bytes: inout [UInt8]) {
    var block = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(end, &block, block.count)
    if count > 0 {
      bytes += block[..<count]
    } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
      close(end)
      end = -1
    }
  }

  /// Returns attributes for a program that does not inherit the signals that the test runner ignores or
  /// blocks, to be destroyed by the caller.
  static func attributes(flags: Int16 = 0) -> posix_spawnattr_t {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    var signals = sigset_t()
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK) | flags)
    return attributes
  }

  /// Returns the environment of the tests with the changes, as `NAME=VALUE`.
  static func variables(changed: [String: String?]) -> [String] {
    var lines: [String] = []
    var next = environ
    while let line = next.pointee {
      let text = String(cString: line)
      if changed[String(text.prefix { $0 != "=" })] == nil { lines.append(text) }
      next += 1
    }
    for (name, value) in changed {
      if let value { lines.append("\(name)=\(value)") }
    }
    return lines
  }
}

/// A time limit for tests that hang. No expectation depends on it.
struct Deadline {
  private let end: MotionInstant

  init(seconds: Double) { end = MonotonicClock.now() + MotionDuration(seconds: seconds) }

  var isOver: Bool { MonotonicClock.now() >= end }

  /// The rest of the time for poll(); 0 after the deadline.
  var millisecondsLeft: Int32 {
    Int32(clamping: max(0, ((end - MonotonicClock.now()).nanoseconds + 999_999) / 1_000_000))
  }
}

// Tests run in parallel, and Swift's Glibc lacks pipe2: a program that starts between pipe() and
// FD_CLOEXEC would keep these ends open.
private let starting = Mutex(())

private func makePipe() throws(TestSupportError) -> (reading: Int32, writing: Int32) {
  var ends: [Int32] = [-1, -1]
  guard pipe(&ends) == 0 else { throw .system("pipe") }
  for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  return (ends[0], ends[1])
}

/// Calls `body` with a null-terminated array of C strings.
func withCStrings<R>(
  _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> R
) -> R {
  let copies = strings.map { strdup($0) }
  defer { for copy in copies { free(copy) } }
  return body(copies + [nil])
}
