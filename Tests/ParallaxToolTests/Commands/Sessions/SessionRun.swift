// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxTestSupport
import Testing

extension Session {
  /// Runs the session with each of its commands.
  func check() throws {
    guard user == nil || TestEnvironment.isRoot else {
      try leaveOut("root: \(name)")
      return
    }
    #expect(!commands.isEmpty)
    for (program, arguments) in commands {
      try SessionRun(self, program, arguments).check()
    }
  }
}

/// Runs a command and plays the daemon's part of its session.
private final class SessionRun {
  private let session: Session
  private let program: Program
  private let arguments: [String]
  private let folder: TemporaryFolder
  private var daemon: LiveDaemon?
  private var server: FakeServer?
  private var peer: FakeServer.Peer?

  init(_ session: Session, _ program: Program, _ arguments: [String]) throws {
    self.session = session
    self.program = program
    let folder = try TemporaryFolder()
    self.folder = folder
    self.arguments = arguments.map { $0.replacing("$PWD", with: folder.path) }
    if session.user != nil { folder.openToAll() }
    for file in session.files {
      switch file {
      case .bytes(let bytes, let name):
        let earlier = folder.exists(name) ? try contents(ofFile: folder(name)) : []
        try folder.write(bytes: earlier + bytes, to: name)
      case .folder(let name): try folder.makeFolder(name)
      case .mode(let mode, let name): try changeMode(folder(name), mode)
      }
    }
  }

  func check() throws {
    let before = try folder.names()
    let result = try self.result()
    expectEnd(of: result)
    if session.isTable {
      try expectTables(like: result, besides: before)
      return
    }
    expectOutput(of: result)
    if let names = session.keptNames ?? (session.texts.isEmpty ? before : nil) {
      #expect(try folder.names() == names)
    }
    for (name, text) in session.texts { #expect(try folder.text(of: name) == text) }
  }

  private func start(_ more: [String] = []) throws -> RunningProgram {
    var environment: [String: String?] = [
      "PARALLAX_SOCKET": daemon?.socket ?? server?.path, "PARALLAX_CONTROL": server?.path,
      "XDG_RUNTIME_DIR": folder.path, "XDG_CONFIG_HOME": folder.path, "HOME": folder.path,
      "RUNTIME_DIRECTORY": nil, "CONFIGURATION_DIRECTORY": nil,
    ]
    environment.merge(session.environment) { $1 }
    return try program.start(
      arguments + more, environment: environment, folder: folder.path, as: session.user)
  }

  private func result() throws -> ProgramResult {
    // Outside the working folder, whose names are compared.
    let sockets = try TemporaryFolder()
    if session.hasLiveDaemon { daemon = try LiveDaemon() }
    if session.needsDaemon { server = try FakeServer(at: sockets("daemon.sock")) }
    let program = try start()
    let lastPart = session.steps.lastIndex { if case .print = $0 { false } else { true } } ?? -1
    for (index, step) in session.steps.enumerated() where index <= lastPart {
      try perform(step, with: program)
    }
    return try program.finish(input: session.input)
  }

  private func perform(_ step: Session.Step, with program: RunningProgram) throws {
    switch step {
    case .receive("..."): _ = try connected().hear()
    case .receive("end"): #expect(try connected().hear() == nil)
    case .receive(let line): #expect(try connected().hear() == line)
    case .send(let line): try connected().say(line)
    case .close:
      try connected().close()
      peer = nil
    case .type(let text): try program.type(text)
    case .signal(let number): program.send(signal: number)
    case .print(let line):
      #expect(try program.nextLine() == line.replacing("$PWD", with: folder.path))
    }
  }

  private func connected() throws -> FakeServer.Peer {
    if let peer { return peer }
    guard let server else { throw TestSupportError("no server") }
    let accepted = try server.accept()
    peer = accepted
    return accepted
  }

  /// Compares the exit code and standard error.
  private func expectEnd(of result: ProgramResult) {
    #expect(!result.timedOut)
    #expect(
      result.exitCode ?? 128 + (result.signal ?? 0) == session.exitCode,
      "\(arguments): \(result.errors)")
    let name = program.path.split(separator: "/").last ?? ""
    let errors = result.errorLines
    #expect(errors.count == session.errors.count, "\(arguments): \(result.errors)")
    for (line, expected) in zip(errors, session.errors) {
      let text = expected.text.replacing("$PWD", with: folder.path)
      if expected.isWhole {
        #expect(line == "\(name): \(text)", "\(arguments)")
      } else {
        #expect(line.contains(text), "\(arguments)")
      }
    }
  }

  /// Compares the lines of output that no later line of the daemon followed.
  private func expectOutput(of result: ProgramResult) {
    for part in session.outputParts { #expect(result.output.contains(part), "\(result.output)") }
    var expected = session.steps.compactMap { if case .print(let line) = $0 { line } else { nil } }
    guard session.outputParts.isEmpty || !expected.isEmpty else { return }
    let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
    let isOpen = expected.last == "..."
    if isOpen { expected.removeLast() } else { expected.append("") }
    let printed = isOpen ? lines.prefix(expected.count) : lines[...]
    #expect(
      printed.map(String.init) == expected.map { $0.replacing("$PWD", with: folder.path) })
  }

  // MARK: - Tables

  /// Writes the table to a new file and over an older one.
  private func expectTables(like plain: ProgramResult, besides before: [String]) throws {
    // The frames before an invalid row have been printed.
    #expect((plain.output == "") != (session.exitCode == 0) || session.exitCode == 65)
    #expect(try folder.names() == before)
    try folder.write("older", to: "older.out")
    for name in ["new.out", "older.out"] {
      expectEnd(of: try start(["-o", name]).finish(input: session.input))
    }
    let written = session.exitCode == 0 ? ["new.out", "older.out"] : ["older.out"]
    #expect(try folder.names() == (before + written).sorted())
    #expect(
      try folder.text(of: "older.out") == (session.exitCode == 0 ? plain.output : "older"))
    if session.exitCode == 0 { #expect(try folder.text(of: "new.out") == plain.output) }
    if !session.counts.isEmpty {
      let lines = try start(["--summary"]).finish(input: session.input).errorLines
      for count in session.counts { #expect(lines.contains { $0 == count }, "\(lines)") }
    }
    if let remedy = session.remedy { try expectHelp(of: remedy) }
  }

  /// Runs the command with the advice of the message, through a shell.
  private func expectHelp(of remedy: String) throws {
    #expect(session.errors.allSatisfy { $0.text.contains(remedy) || !$0.text.contains("try ") })
    let before = try folder.names()
    let result = try Program(path: "/bin/sh").run(
      ["-c", "'\(program.path)' \(arguments.joined(separator: " ")) \(remedy)"],
      input: session.input, folder: folder.path)
    #expect(result.errors == "")
    #expect(result.exitCode == 0)
    #expect(result.outputLines.count >= 2)
    #expect(try folder.names() == before)
  }
}

/// Changes the permissions of a file.
func changeMode(_ path: String, _ mode: UInt32) throws {
  try #require(chmod(path, mode) == 0, "chmod \(path): \(String(cString: strerror(errno)))")
}
