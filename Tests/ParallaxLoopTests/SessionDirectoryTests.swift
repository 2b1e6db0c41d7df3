// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import ParallaxLoop
import ParallaxTestSupport
import Testing

@Suite struct SessionDirectoryTests {
  @Test func aMissingSeatHasNoSessions() throws {
    #expect(try LogindSessions().presences(onSeat: "seat-missing").isEmpty)
  }

  /// logind's files, as in systemd's `seat_save`, `session_save` and `user_save`. Each session is written
  /// as "user seat state", with "-" for no seat; the presences are those of users 1000 and 1001 on seat0.
  @Test(
    .needsRoot,
    arguments: [
      ("", "none none"),
      // The console of user 1000, then with user 1001 in front.
      ("1000 seat0 active", "active none"),
      ("1000 seat0 online, 1001 seat0 active", "inactive active"),
      // Two sessions of a user, one of them in front.
      ("1000 seat0 online, 1000 seat0 active", "active none"),
      ("1000 seat0 active, 1000 seat0 online", "active none"),
      // logind calls each session without a seat active, such as one over the network.
      ("1000 - active", "none none"),
      ("1000 - active, 1001 seat0 active", "none active"),
      ("1000 seat1 active", "none none"),
      // Logged out: a process is left, and the seat calls the session active.
      ("1000 seat0 closing", "none none"),
      ("1000 seat0 closing, 1000 seat0 online", "inactive none"),
      ("1000 seat0 opening", "inactive none"),
    ])
  func theSessionsOfTheSeatCount(sessions: String, presences: String) async throws {
    guard try MountNamespace.isAvailable(for: "logind's files") else { return }
    await #expect(processExitsWith: .exitCode(0)) {
      [sessions = sessions as String, presences = presences as String] in
      guard Logind.make(), Logind.write(sessions) else { exit(1) }
      let found = try LogindSessions().presences(onSeat: "seat0")
      let users: [UInt32] = [1000, 1001]
      let text = users.map { "\(found[$0] ?? .none)" }.joined(separator: " ")
      if text != presences { print(text) }
      exit(text == presences ? 0 : 2)
    }
  }

  /// A session that ended after the seat's file was read.
  @Test(.needsRoot) func aSessionWithoutAFileIsLeftOut() async throws {
    guard try MountNamespace.isAvailable(for: "logind's files") else { return }
    await #expect(processExitsWith: .exitCode(0)) {
      guard Logind.make(), Logind.write("1000 seat0 active, 1001 seat0 online"),
        unlink("/run/systemd/sessions/c1") == 0
      else { exit(1) }
      exit(try LogindSessions().presences(onSeat: "seat0") == [1001: .inactive] ? 0 : 2)
    }
  }

  @Test(.needsRoot) func aChangedStateIsReported() async throws {
    guard try MountNamespace.isAvailable(for: "changes of logind's files") else { return }
    await #expect(processExitsWith: .exitCode(0)) {
      guard Logind.make() else { exit(1) }
      let loop = try EventLoop()
      let sessions = LogindSessions()
      var seen: [SessionPresence] = []
      var watch: (any SessionWatch)?
      watch = try sessions.watch(on: loop) {
        if let presence = try? sessions.presences(onSeat: "seat0")[1000] { seen.append(presence) }
        // The last client may leave because of the change.
        if seen.last == .inactive { watch = nil }
      }
      try loop.drain()
      guard seen.isEmpty else { exit(2) }
      guard Logind.write("1000 seat0 active") else { exit(3) }
      try loop.run("the login") { seen.last == .active }
      guard Logind.write("1000 seat0 online") else { exit(4) }
      try loop.run("the switch") { seen.last == .inactive }
      guard watch == nil, Logind.write("1000 seat0 active") else { exit(5) }
      try loop.drain()
      exit(seen.last == .inactive ? 0 : 6)
    }
  }

  @Test(.needsRoot) func withoutLogindThereIsNothingToWatch() async throws {
    guard try MountNamespace.isAvailable(for: "a machine without logind") else { return }
    await #expect(processExitsWith: .exitCode(0)) {
      guard MountNamespace.enter(), MountNamespace.empty("/run") else { exit(1) }
      let loop = try EventLoop()
      guard try LogindSessions().presences(onSeat: "seat0").isEmpty else { exit(4) }
      do throws(SystemError) {
        _ = try LogindSessions().watch(on: loop) {}
      } catch {
        exit(error == SystemError(number: ENOENT, call: "sd_login_monitor_new") ? 0 : 2)
      }
      exit(3)
    }
  }

  @Test func fakeSessionsReportChangesToTheirWatches() throws {
    let loop = try EventLoop()
    let sessions = FakeSessions([1000: .active])
    var changes = 0
    var watch: (any SessionWatch)? = try sessions.watch(on: loop) { changes += 1 }
    #expect(try sessions.presences(onSeat: "seat0") == [1000: .active])
    #expect(try sessions.presences(onSeat: "seat1").isEmpty)
    sessions.set(.inactive, ofUser: 1000)
    #expect(try sessions.presences(onSeat: "seat0") == [1000: .inactive])
    #expect(changes == 1)
    #expect(watch != nil && sessions.watchCount == 1)
    watch = nil
    sessions.set(.active, ofUser: 1000)
    #expect(changes == 1)
    #expect(sessions.watchCount == 0)
  }
}

/// logind's folder, in a child process with a /run of its own.
private enum Logind {
  static func make() -> Bool {
    MountNamespace.enter() && MountNamespace.empty("/run")
      && ["", "/seats", "/sessions", "/users"].allSatisfy { mkdir("/run/systemd\($0)", 0o755) == 0 }
  }

  /// Writes the files for sessions that are given as in `theSessionsOfTheSeatCount`.
  static func write(_ text: String) -> Bool {
    var seats: [String: [(id: String, user: Substring, state: Substring)]] = [:]
    for (number, session) in text.split(separator: ",").enumerated() {
      let words = session.split(separator: " ")
      guard words.count == 3 else { return false }
      let (user, seat, state, id) = (words[0], String(words[1]), words[2], "c\(number + 1)")
      let isActive = state == "active" || seat == "-"
      guard
        write(
          "sessions/\(id)",
          "UID=\(user)\nACTIVE=\(isActive ? 1 : 0)\nSTATE=\(state)\nREMOTE=0\n"
            + (seat == "-" ? "" : "SEAT=\(seat)\n")),
        write("users/\(user)", "STATE=\(state)\nSESSIONS=\(id)\nONLINE_SESSIONS=\(id)\n")
      else { return false }
      if seat != "-" { seats[seat, default: []].append((id, user, state)) }
    }
    return seats.allSatisfy { seat, sessions in
      let active = sessions.first { $0.state != "online" }
      return write(
        "seats/\(seat)",
        "IS_SEAT0=1\n"
          + (active.map { "ACTIVE=\($0.id)\nACTIVE_UID=\($0.user)\n" } ?? "")
          + "SESSIONS=\(sessions.map(\.id).joined(separator: " "))\n"
          + "UIDS=\(sessions.map(\.user).joined(separator: " "))\n")
    }
  }

  private static func write(_ name: String, _ text: String) -> Bool {
    // As logind does: a new file that gets its name when it is complete.
    let temporary = "/run/systemd/.new"
    guard let file = fopen(temporary, "w") else { return false }
    fputs(text, file)
    return fclose(file) == 0 && rename(temporary, "/run/systemd/\(name)") == 0
  }
}
