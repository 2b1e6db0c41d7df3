// SPDX-License-Identifier: Apache-2.0

import Glibc
@testable import ParallaxBase
import ParallaxTestSupport
import Testing

@testable import ParallaxLoop

@Suite struct ServiceManagerTests {
  @Test(
    arguments: [
      (.ready, "READY=1"), (.stopping, "STOPPING=1"), (.watchdogPing, "WATCHDOG=1"),
      (.watchdogTime(.zero), "WATCHDOG_USEC=0"),
      (.watchdogTime(.seconds(30)), "WATCHDOG_USEC=30000000"),
    ] as [(ServiceManager.Notice, String)])
  func noticesAreTheLinesOfSdNotify(notice: ServiceManager.Notice, text: String) {
    #expect(notice.text == text)
  }

  @Test func reloadingIncludesTheTime() throws {
    let before = MonotonicClock.now().nanoseconds / 1000
    let lines = ServiceManager.Notice.reloading.text.split(separator: "\n")
    let after = MonotonicClock.now().nanoseconds / 1000
    #expect(lines.first == "RELOADING=1")
    let time = try #require(Int64(lines[1].dropFirst("MONOTONIC_USEC=".count)))
    #expect((before...after).contains(time))
  }

  @Test func withoutAServiceManagerNothingIsSentOrInherited() async throws {
    await #expect(processExitsWith: .exitCode(0)) {
      for name in ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "LISTEN_FDS", "LISTEN_PID"] {
        unsetenv(name)
      }
      let isSent = try ServiceManager.notify(.ready)
      let watchdog = try ServiceManager.watchdog()
      let sockets = try ServiceManager.inheritedSockets()
      exit(!isSent && watchdog == nil && sockets.isEmpty ? 0 : 1)
    }
  }

  @Test func aServiceManagerReceivesTheNotice() async throws {
    // Created and removed here: the child process exits without cleaning up.
    let own = try TemporaryFolder()
    own.openToAll()
    await #expect(processExitsWith: .exitCode(0)) { [folder = own.path as String] in
      let manager = try unixSocket(Int32(SOCK_DGRAM.rawValue))
      try bindSocket(manager.raw, to: "\(folder)/notify")
      setenv("NOTIFY_SOCKET", "\(folder)/notify", 1)
      setenv("WATCHDOG_USEC", "30000000", 1)
      unsetenv("WATCHDOG_PID")
      guard try ServiceManager.notify(.ready) else { exit(1) }
      var buffer = [UInt8](repeating: 0, count: 64)
      let count = recv(manager.raw, &buffer, buffer.count, 0)
      guard String(decoding: buffer.prefix(max(0, count)), as: UTF8.self) == "READY=1"
      else { exit(2) }
      guard try ServiceManager.watchdog() == .seconds(30) else { exit(3) }
      exit(0)
    }
  }

  @Test func anAbsentServiceManagerIsAnError() async throws {
    await #expect(processExitsWith: .exitCode(0)) {
      setenv("NOTIFY_SOCKET", "/no/such/socket", 1)
      do throws(SystemError) {
        try ServiceManager.notify(.ready)
      } catch {
        exit(error.call == "sd_notify" && error.number == ENOENT ? 0 : 1)
      }
      exit(2)
    }
  }

  @Test func passedSocketsHaveTheirNamesAndComeOnce() async throws {
    await #expect(processExitsWith: .exitCode(0)) {
      // systemd passes them from 3 up; the test runner may have opened those. Not copies of standard
      // error: they would make it non-blocking.
      let null = open("/dev/null", O_RDWR)
      for number in [Int32(3), 4] where fcntl(number, F_GETFD) == -1 {
        guard dup2(null, number) == number else { exit(1) }
      }
      setenv("LISTEN_PID", "\(getpid())", 1)
      setenv("LISTEN_FDS", "2", 1)
      setenv("LISTEN_FDNAMES", "parallax:control", 1)
      let sockets = try ServiceManager.inheritedSockets()
      guard
        sockets == [
          ServiceManager.InheritedSocket(name: "parallax", descriptor: 3),
          ServiceManager.InheritedSocket(name: "control", descriptor: 4),
        ]
      else { exit(2) }
      guard fcntl(3, F_GETFD) & FD_CLOEXEC != 0 else { exit(3) }
      exit(try ServiceManager.inheritedSockets().isEmpty ? 0 : 4)
    }
  }
}
