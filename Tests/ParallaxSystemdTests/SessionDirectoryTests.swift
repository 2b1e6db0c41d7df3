// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxPlatform
import ParallaxSystemd
import ParallaxTestSupport
import Testing

@Suite struct SessionDirectoryTests {
  @Test func anUnknownUserHasNoSession() throws {
    #expect(try LogindSessions().presence(ofUser: 3_999_999_999) == .none)
  }

  /// logind's file of a user, as in systemd's `user_save_internal`.
  @Test(
    .needsRoot,
    arguments: [
      (nil, SessionPresence.none),
      ("STATE=active\nSESSIONS=2 3\nONLINE_SESSIONS=2 3\nACTIVE_SESSIONS=2\n", .active),
      ("STATE=online\nSESSIONS=2 3\nONLINE_SESSIONS=2\nACTIVE_SESSIONS=\n", .inactive),
      ("STATE=closing\nSESSIONS=2 3\nONLINE_SESSIONS=3\n", .inactive),
      ("STATE=closing\nSESSIONS=2\nONLINE_SESSIONS=\n", .none),
      ("STATE=lingering\n", .none),
      ("STATE=offline\n", .none),
    ] as [(String?, SessionPresence)])
  func logindsStateOfAUserIsRead(file: String?, presence: SessionPresence) async throws {
    guard try MountNamespace.isAvailable(for: "logind's files") else { return }
    await #expect(processExitsWith: .exitCode(presence.exitCode)) {
      [file = file as String?] in
      guard SessionDirectoryTests.makeLogindFolder() else { exit(1) }
      if let file { guard SessionDirectoryTests.write(file, ofUser: 1000) else { exit(2) } }
      exit(try LogindSessions().presence(ofUser: 1000).exitCode)
    }
  }

  @Test(.needsRoot) func aChangedStateIsReported() async throws {
    guard try MountNamespace.isAvailable(for: "changes of logind's files") else { return }
    await #expect(processExitsWith: .exitCode(0)) {
      guard SessionDirectoryTests.makeLogindFolder() else { exit(1) }
      let loop = try EventLoop()
      let sessions = LogindSessions()
      var seen: [SessionPresence] = []
      let watch = try sessions.watch(on: loop) {
        if let presence = try? sessions.presence(ofUser: 1000) { seen.append(presence) }
      }
      try loop.drain()
      guard seen.isEmpty else { exit(2) }
      guard
        SessionDirectoryTests.write("STATE=active\nSESSIONS=2\nACTIVE_SESSIONS=2\n", ofUser: 1000)
      else {
        exit(3)
      }
      try loop.run("the change") { seen.last == .active }
      withExtendedLifetime(watch) { exit(0) }
    }
  }

  @Test(.needsRoot) func withoutLogindThereIsNothingToWatch() async throws {
    guard try MountNamespace.isAvailable(for: "a machine without logind") else { return }
    await #expect(processExitsWith: .exitCode(0)) {
      guard MountNamespace.enter(), MountNamespace.empty("/run") else { exit(1) }
      let loop = try EventLoop()
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
    #expect(try sessions.presence(ofUser: 1000) == .active)
    #expect(try sessions.presence(ofUser: 1001) == .none)
    sessions.set(.inactive, ofUser: 1000)
    #expect(try sessions.presence(ofUser: 1000) == .inactive)
    #expect(changes == 1)
    #expect(watch != nil && sessions.watchCount == 1)
    watch = nil
    sessions.set(.active, ofUser: 1000)
    #expect(changes == 1)
    #expect(sessions.watchCount == 0)
  }

  // MARK: - logind's folder in the child process

  fileprivate static func makeLogindFolder() -> Bool {
    MountNamespace.enter() && MountNamespace.empty("/run")
      && mkdir("/run/systemd", 0o755) == 0 && mkdir("/run/systemd/users", 0o755) == 0
  }

  fileprivate static func write(_ text: String, ofUser user: UInt32) -> Bool {
    // As logind does: a new file that gets its name when it is complete.
    guard let file = fopen("/run/systemd/users/.new", "w") else { return false }
    fputs(text, file)
    return fclose(file) == 0
      && rename("/run/systemd/users/.new", "/run/systemd/users/\(user)") == 0
  }
}

extension SessionPresence {
  /// A number from 10, for the child process to report.
  fileprivate var exitCode: Int32 {
    switch self {
    case .none: 10
    case .inactive: 11
    case .active: 12
    }
  }
}
