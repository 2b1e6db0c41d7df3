// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import ParallaxTestSupport

/// A separate parallaxd with its sockets in a temporary folder.
final class DaemonProcess {
  let folder: TemporaryFolder
  let program: RunningProgram

  static let socketName = "s.sock"

  /// Starts the daemon and waits until it accepts connections.
  init(_ settings: [String], folder: TemporaryFolder? = nil) throws {
    let folder = try folder ?? TemporaryFolder()
    self.folder = folder
    folder.openToAll()
    program = try Program.parallaxd.start(
      Self.arguments(settings, folder), environment: Self.environment(folder))
    // The control socket is bound last, and connecting to it does not start the source.
    let path = folder("control.sock")
    try waitUntil("parallaxd answers") { (try? UnixStream.connect(to: path)) != nil }
  }

  static func arguments(_ settings: [String], _ folder: TemporaryFolder) -> [String] {
    (["socket.path=\(folder(socketName))"] + settings).flatMap { ["--set", $0] }
  }

  /// Excludes the machine's configuration and buses.
  static func environment(_ folder: TemporaryFolder) -> [String: String?] {
    [
      "XDG_CONFIG_HOME": folder("config"), "PARALLAX_SOCKET": nil, "PARALLAX_CONTROL": nil,
      "CONFIGURATION_DIRECTORY": nil, "NOTIFY_SOCKET": nil,
      "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(folder("no-bus"))",
      "XDG_RUNTIME_DIR": nil, "DBUS_SESSION_BUS_ADDRESS": nil,
    ]
  }

  var streamPath: String { folder(Self.socketName) }
  var controlPath: String { folder("control.sock") }

  func subscribe() throws -> SocketClient { try SocketClient(streamPath) }
  func control() throws -> SocketClient { try SocketClient(controlPath) }

  /// Ends the daemon like a service manager.
  func terminate() throws -> ProgramResult {
    program.send(signal: SIGTERM)
    return try program.finish(timeoutSeconds: 30)
  }
}

/// A client of a real socket.
final class SocketClient {
  private let stream: UnixStream
  private var bytes: [UInt8] = []
  private(set) var isAtEnd = false

  init(_ path: String) throws { stream = try UnixStream.connect(to: path) }

  func send(_ line: String) { _ = stream.send(line + "\n") }

  func endInput() { stream.endOutput() }

  /// Returns the next line; nil at the end.
  func next() throws -> Line? {
    while true {
      if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
        defer { bytes.removeFirst(end + 1) }
        return Line(String(decoding: bytes[..<end], as: UTF8.self))
      }
      if isAtEnd { return nil }
      try wait()
    }
  }

  /// Returns the next line of a class.
  func next(_ name: String) throws -> Line? {
    while let line = try next() {
      if line.name == name { return line }
    }
    return nil
  }

  /// Returns the lines up to the end of the connection.
  func rest() throws -> [Line] {
    var lines: [Line] = []
    while let line = try next() { lines.append(line) }
    return lines
  }

  private func wait() throws {
    var end = pollfd(fd: stream.descriptor.raw, events: Int16(POLLIN), revents: 0)
    guard poll(&end, 1, 30_000) > 0 else { throw TestSupportError("no line within 30 s") }
    var block = [UInt8](repeating: 0, count: 65_536)
    switch block.withUnsafeMutableBytes({ stream.receive(into: $0) }) {
    case .received(let count): bytes += block.prefix(count)
    case .wouldBlock: break
    case .endOfInput, .closed, .failed: isAtEnd = true
    }
  }
}
