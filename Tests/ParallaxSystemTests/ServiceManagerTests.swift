import Glibc
import ParallaxTestSupport
import Testing

@testable import ParallaxSystem

@Suite struct ServiceManagerTests {
  @Test(
    arguments: [
      (.ready, "READY=1"), (.stopping, "STOPPING=1"), (.watchdogPing, "WATCHDOG=1"),
      (.status("200 subscribers\nREADY=1"), "STATUS=200 subscribers READY=1"),
      (.watchdogTime(nanoseconds: 0), "WATCHDOG_USEC=0"),
      (.watchdogTime(nanoseconds: 30_000_000_000), "WATCHDOG_USEC=30000000"),
    ] as [(ServiceManager.Notice, String)])
  func `Notices are the lines of sd_notify`(notice: ServiceManager.Notice, text: String) {
    #expect(notice.text == text)
  }

  @Test func `Reloading says since when`() throws {
    let before = MonotonicClock.now() / 1000
    let lines = ServiceManager.Notice.reloading.text.split(separator: "\n")
    let after = MonotonicClock.now() / 1000
    #expect(lines.first == "RELOADING=1")
    let time = try #require(Int64(lines[1].dropFirst("MONOTONIC_USEC=".count)))
    #expect((before...after).contains(time))
  }

  @Test func `Without a service manager nothing is told and nothing inherited`() async throws {
    await #expect(processExitsWith: .exitCode(0)) {
      for name in ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "LISTEN_FDS", "LISTEN_PID"] {
        unsetenv(name)
      }
      let told = try ServiceManager.notify(.ready)
      let watchdog = try ServiceManager.watchdogNanoseconds()
      let sockets = try ServiceManager.inheritedSockets()
      exit(!told && watchdog == nil && sockets.isEmpty ? 0 : 1)
    }
  }

  @Test func `A service manager hears it`() async throws {
    // Made and removed here: the other process ends without looking back.
    let own = try TemporaryFolder()
    own.openToAll()
    await #expect(processExitsWith: .exitCode(0)) { [folder = own.path as String] in
      let manager = FileDescriptor(
        owning: socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | closeOnExec, 0))
      try bindSocket(manager.raw, to: "\(folder)/notify")
      setenv("NOTIFY_SOCKET", "\(folder)/notify", 1)
      setenv("WATCHDOG_USEC", "30000000", 1)
      unsetenv("WATCHDOG_PID")
      guard try ServiceManager.notify(.ready) else { exit(1) }
      var buffer = [UInt8](repeating: 0, count: 64)
      let count = recv(manager.raw, &buffer, buffer.count, 0)
      guard String(decoding: buffer.prefix(max(0, count)), as: UTF8.self) == "READY=1"
      else { exit(2) }
      guard try ServiceManager.watchdogNanoseconds() == 30_000_000_000 else { exit(3) }
      exit(0)
    }
  }

  @Test func `A service manager that has gone is an error`() async throws {
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

  @Test func `Passed sockets come with their names, once`() async throws {
    await #expect(processExitsWith: .exitCode(0)) {
      // systemd passes them from 3 on; the test runner may have some there already.
      // (Not a copy of our standard error: they become non-blocking, and the log with them.)
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

@Suite struct LogTests {
  @Test func `A line has the program in front and stays a line`() throws {
    let pipe = try Pipe()
    let log = Log(program: "parallaxd", descriptor: pipe.writing.raw)
    log.info("started")
    log.error("refused \u{1B}[2J a\nb\u{85}c\u{2028}d \u{E4}\u{1F600}")
    log.debug("not at this level")
    #expect(
      pipe.readAll()
        == "parallaxd: started\nparallaxd: refused  [2J a b c d \u{E4}\u{1F600}\n")
  }

  @Test func `Levels below the least are not even made`() throws {
    let pipe = try Pipe()
    let log = Log(program: "p", leastLevel: .warning, descriptor: pipe.writing.raw)
    func text() -> String {
      Issue.record("made")
      return ""
    }
    log.notice(text())
    log.warning("kept")
    #expect(pipe.readAll() == "p: kept\n")
  }

  @Test(arguments: zip(Log.Level.allCases, ["<3>", "<4>", "<5>", "<6>", "<7>"]))
  func `The journal gets the level in front`(level: Log.Level, prefix: String) {
    #expect(
      Log.line(program: "parallaxd", level: level, text: "text", isJournal: true)
        == "\(prefix)parallaxd: text\n")
  }

  @Test func `The journal is known by device and inode`() throws {
    let pipe = try Pipe()
    var status = stat()
    #expect(fstat(pipe.writing.raw, &status) == 0)
    let stream = "\(status.st_dev):\(status.st_ino)"
    #expect(Log.isJournal(pipe.writing.raw, stream))
    for other in [nil, "", ":", "a:b", "\(status.st_dev):1", stream + "0", "1"] {
      #expect(!Log.isJournal(pipe.writing.raw, other))
    }
    #expect(!Log.isJournal(-1, stream))
  }

  @Test func `A log that cannot be written is no reason to stop`() {
    Log(program: "p", descriptor: -1).error("text")
  }
}
