// SPDX-License-Identifier: Apache-2.0

import ParallaxTestSupport
import Testing

/// The commands that talk to a daemon, session by session. `Session` has the notation.
@Suite("Sessions", .timeLimit(.minutes(10)))
struct SessionTests {
  @Test func everyFileIsRead() throws {
    #expect(try Session.all.get().count > 150)
  }

  @Test(arguments: (try? Session.all.get()) ?? [])
  func theSessionGoesAsWritten(_ session: Session) throws {
    let folder = try TemporaryFolder()
    let run = SessionRun(session, in: folder)
    let result = try run.result()

    let exitCode = result.exitCode ?? 128 + (result.signal ?? 0)
    #expect(exitCode == session.exitCode, "\(result.errors)")
    run.expectOutput(of: result)
    let errors = result.errorLines
    #expect(errors.count == session.errors.count, "\(result.errors)")
    for (line, expected) in zip(errors, session.errors) {
      let text = expected.text.replacing("$PWD", with: folder.path)
      #expect(expected.isWhole ? line == text : line.contains(text))
    }
    if let names = session.keptNames { #expect(try folder.names() == names) }
    for (name, text) in session.texts { #expect(try folder.text(of: name) == text) }
  }
}

/// Plays the daemon's part of a session.
private final class SessionRun {
  private let session: Session
  private let folder: TemporaryFolder
  private var server: FakeServer?
  private var peer: FakeServer.Peer?

  init(_ session: Session, in folder: TemporaryFolder) {
    self.session = session
    self.folder = folder
  }

  func result() throws -> ProgramResult {
    for (name, text) in session.files { try folder.write(text, to: name) }
    // Outside the working folder, whose names are compared.
    let sockets = try TemporaryFolder()
    let server = try FakeServer(at: sockets("daemon.sock"))
    self.server = server
    let program = try Program.parallax.start(
      session.arguments.map { $0.replacing("$PWD", with: folder.path) },
      environment: [
        "PARALLAX_SOCKET": server.path, "PARALLAX_CONTROL": server.path,
        "XDG_RUNTIME_DIR": folder.path, "XDG_CONFIG_HOME": folder.path, "HOME": folder.path,
        "CONFIGURATION_DIRECTORY": nil,
      ],
      folder: folder.path)
    let lastPart = session.steps.lastIndex { if case .print = $0 { false } else { true } } ?? -1
    for (index, step) in session.steps.enumerated() where index <= lastPart {
      try perform(step, with: program)
    }
    let result = try program.finish(input: Array(session.input.utf8))
    #expect(!result.timedOut)
    return result
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

  /// Compares the lines of output that no later line of the daemon followed.
  func expectOutput(of result: ProgramResult) {
    let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
    var expected = session.steps.compactMap { if case .print(let line) = $0 { line } else { nil } }
    let isOpen = expected.last == "..."
    if isOpen { expected.removeLast() } else { expected.append("") }
    let printed = isOpen ? lines.prefix(expected.count) : lines[...]
    #expect(
      printed.map(String.init) == expected.map { $0.replacing("$PWD", with: folder.path) })
  }
}
