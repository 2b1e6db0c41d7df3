// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import ParallaxDaemon
import ParallaxMotion
import ParallaxTestSupport
import Testing

/// The real parallaxd without descriptors, without its socket files, and with a log that no one reads.
@Suite(.serialized) struct ResourceProcessTests {
  @Test func withoutDescriptorsClientsAreRefusedAndTheLogStaysShort() throws {
    let daemon = try DaemonProcess([
      "source.kind=synthetic", "socket.max-subscribers=4096", "socket.max-per-uid=4096",
    ])
    let changed = try Program(path: "/usr/bin/prlimit").run(
      ["--pid=\(daemon.program.processID)", "--nofile=60:60"])
    #expect(changed.exitCode == 0)
    var clients: [SocketClient] = []
    var first: [String: Int] = [:]
    for _ in 0..<100 {
      let client = try daemon.subscribe()
      let line = try client.next()
      first[(line?["code"] as String?) ?? line?.name ?? "none", default: 0] += 1
      clients.append(client)
    }
    #expect(first["VERSION", default: 0] > 20)
    #expect(first["too-many", default: 0] + first["VERSION", default: 0] == 100, "\(first)")
    // Others leave, and there is room again.
    clients.removeAll()
    try waitUntil("a greeting") { try daemon.subscribe().next()?.name == "VERSION" }
    let result = try daemon.terminate()
    #expect(result.exitCode == 0)
    #expect(result.errorLines.count { $0.contains("cannot accept") } <= 25)
  }

  @Test func aTraceThatFoundNoDescriptorIsOpenedLater() async throws {
    // Created and removed here: the child process exits without cleaning up.
    let own = try TemporaryFolder()
    let path = try own.write("t,x,y,z\n0,0,0,0\n0.01,0,0,0\n", to: "walk.csv")
    await #expect(processExitsWith: .exitCode(0)) { [path = path as String] in
      let source = TraceSource(path: path, settings: MotionSettings(), loops: false) { _ in }
      var limits = rlimit()
      let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
      guard getrlimit(kind, &limits) == 0 else { exit(90) }
      var none = rlimit(rlim_cur: 3, rlim_max: limits.rlim_max)
      guard setrlimit(kind, &none) == 0 else { exit(91) }
      guard case .waiting(.none, let reason)? = source.start(at: .zero) else { exit(1) }
      guard reason.contains("Too many open files") else { exit(2) }
      let (first, second) = (MotionInstant.zero + .seconds(1), MotionInstant.zero + .seconds(3))
      guard source.due == first, source.next(at: .zero) == nil else { exit(3) }
      guard case .waiting? = source.next(at: first), source.due == second else { exit(4) }
      guard setrlimit(kind, &limits) == 0 else { exit(92) }
      guard case .streaming? = source.next(at: second) else { exit(5) }
      guard case .sample? = source.next(at: second) else { exit(6) }
      exit(0)
    }
  }

  @Test func theSoftLimitIsRaised() throws {
    let folder = try TemporaryFolder()
    let program = try Program(path: "/usr/bin/prlimit").start(
      ["--nofile=64:128", Program.parallaxd.path]
        + DaemonProcess.arguments(["source.kind=synthetic"], folder),
      environment: DaemonProcess.environment(folder))
    let path = folder("control.sock")
    try waitUntil("parallaxd answers") { (try? UnixStream.connect(to: path)) != nil }
    let limits = try contents(ofFile: "/proc/\(program.processID)/limits")
    let line = String(decoding: limits, as: UTF8.self).split(separator: "\n")
      .first { $0.hasPrefix("Max open files") }
    #expect(line?.split(separator: " ")[3...4] == ["128", "128"])
  }

  @Test func deletedSocketsAreBoundAgain() throws {
    let daemon = try DaemonProcess(["source.kind=synthetic"])
    for _ in 0..<3 {
      unlink(daemon.streamPath)
      unlink(daemon.controlPath)
      try waitUntil("both sockets") {
        (try? UnixStream.connect(to: daemon.streamPath)) != nil
          && (try? UnixStream.connect(to: daemon.controlPath)) != nil
      }
    }
    // The connections above fill the backlog until the daemon has accepted them.
    try waitUntil("a greeting") { (try? daemon.subscribe().next()?.name) == "VERSION" }
    let result = try daemon.terminate()
    #expect(result.exitCode == 0)
    #expect(result.errors.contains("had been deleted; listening on it again"))
    #expect(try daemon.folder.names().isEmpty)
  }

  @Test func aSocketInTheDeletedOnesPlaceIsLeftAlone() throws {
    let daemon = try DaemonProcess(["source.kind=synthetic"])
    let other = try unixSocket(Int32(SOCK_STREAM.rawValue))
    let path = daemon.streamPath
    try bindSocket(other.raw, to: path + ".new")
    #expect(listen(other.raw, 5) == 0)
    // Atomically: the daemon sees either its own socket or the other one.
    #expect(rename(path + ".new", path) == 0)
    let result = try daemon.terminate()
    #expect(result.exitCode == 0)
    #expect(try daemon.folder.names() == [DaemonProcess.socketName])
  }

  @Test func aFIFOIsNoConfiguration() throws {
    let folder = try TemporaryFolder()
    let fifo = folder("parallax.toml")
    try #require(mkfifo(fifo, 0o600) == 0)
    let result = try Program.parallaxd.run(
      ["--config", fifo] + DaemonProcess.arguments([], folder),
      environment: DaemonProcess.environment(folder))
    #expect(result.exitCode == 66)
    #expect(result.errors.contains("is not a regular file"))
  }

  @Test(arguments: [
    "/proc/kmsg", "/proc/self/stat", "/sys/kernel/uevent_seqnum", "fifo", "/dev/zero",
  ])
  func aTraceThatCouldBlockIsRefused(_ path: String) throws {
    let folder = try TemporaryFolder()
    try #require(mkfifo(folder("fifo"), 0o600) == 0)
    let trace = path == "fifo" ? folder("fifo") : path
    let daemon = try DaemonProcess(["source.kind=trace", "source.trace=\(trace)"])
    let client = try daemon.subscribe()
    let device = try client.next("DEVICE")
    #expect(device?["state"] == "none")
    #expect(try daemon.terminate().exitCode == 0)
  }
}
