// SPDX-License-Identifier: Apache-2.0

import CPlatform
import Glibc
import ParallaxBase
import ParallaxTestSupport
import Synchronization
import Testing

@Suite struct UnixListenerTests {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder("p.sock")
  }

  @Test func aClientConnectsAndBothSidesTalk() throws {
    let listener = try UnixListener(path: path, mode: 0o666)
    guard case .noConnection = listener.accept() else {
      Issue.record("a connection before the client connects")
      return
    }
    let client = try UnixStream.connect(to: path)
    guard case .connection(let descriptor) = listener.accept() else {
      Issue.record("no connection")
      return
    }
    let served = UnixStream(owning: descriptor)
    #expect(fcntl(served.descriptor.raw, F_GETFD) == FD_CLOEXEC)
    #expect(fcntl(served.descriptor.raw, F_GETFL) & O_NONBLOCK != 0)
    #expect(served.send("hello\n") == .sent(6))
    #expect(client.readText() == "hello\n")
    #expect(client.receiveOnce() == .wouldBlock)
    client.close()
    #expect(served.receiveWaiting() == .endOfInput)
    #expect(served.send("x") == .closed)
  }

  @Test(arguments: [0o600, 0o660, 0o666, 0o622] as [UInt32])
  func theSocketFileHasTheRequestedModeWhateverTheUmask(mode: UInt32) throws {
    let listener = try UnixListener(path: path, mode: mode)
    var status = stat()
    #expect(lstat(path, &status) == 0)
    #expect(status.st_mode & 0o7777 == mode)
    #expect(status.st_mode & S_IFMT == S_IFSOCK)
    listener.removeFile()
  }

  // MARK: - The path

  @Test func aPathOf107BytesFits() throws {
    let rest = 107 - folder.path.utf8.count - 1
    let fits = folder(String(repeating: "s", count: rest))
    #expect(fits.utf8.count == 107)
    let listener = try UnixListener(path: fits, mode: 0o600)
    _ = try UnixStream.connect(to: fits)
    listener.removeFile()

    #expect(throws: ListenError.pathTooLong(fits + "s", bytes: 108)) {
      _ = try UnixListener(path: fits + "s", mode: 0o600)
    }
    // The umlaut takes two bytes.
    let umlaut = folder(String(repeating: "s", count: rest - 1) + "\u{E4}")
    #expect(throws: ListenError.pathTooLong(umlaut, bytes: 108)) {
      _ = try UnixListener(path: umlaut, mode: 0o600)
    }
    let error = #expect(throws: SystemError.self) { _ = try UnixStream.connect(to: umlaut) }
    #expect(error?.number == ENAMETOOLONG)
  }

  @Test func errorsNameTheObstacleAndAdvice() throws {
    try folder.write("data", to: "file")
    let cases: [(String, ListenError, Int32)] = [
      ("", .pathUnusable(""), 78),
      (folder("a\0b"), .pathUnusable(folder("a\0b")), 78),
      (
        folder("none/p.sock"), .folderMissing(folder("none/p.sock"), folder: folder("none")), 73
      ),
      (folder("file/p.sock"), .notAFolder(folder("file/p.sock"), folder: folder("file")), 73),
      (folder("file"), .notASocket(folder("file")), 73),
      (folder.path, .notASocket(folder.path), 73),
    ]
    for (path, expected, code) in cases {
      let error = #expect(throws: ListenError.self) {
        _ = try UnixListener(path: path, mode: 0o600)
      }
      #expect(error == expected)
      #expect(error?.exitCode == code)
      #expect(error?.description.contains("; ") == true, "gives advice")
      #expect(error?.description.contains("\n") == false)
    }
    #expect(try folder.text(of: "file") == "data")
  }

  @Test func aSymbolicLinkIsLeftAlone() throws {
    symlink(folder("elsewhere"), path)
    #expect(throws: ListenError.notASocket(path)) {
      _ = try UnixListener(path: path, mode: 0o600)
    }
    #expect(try folder.names() == ["p.sock"])
  }

  @Test(.needsRoot) func aReadOnlyFolderIsNamed() async throws {
    // Created and removed here: the child process exits without cleaning up.
    let own = try TemporaryFolder()
    chmod(own.path, 0o755)
    await #expect(processExitsWith: .exitCode(77)) { [folder = own.path as String] in
      // _exit: exit() runs a leak checker, which fails once the process has changed its user.
      guard setegid(54321) == 0, seteuid(54321) == 0 else { _exit(1) }
      do throws(ListenError) {
        _ = try UnixListener(path: "\(folder)/p.sock", mode: 0o600)
      } catch {
        _exit(
          error == .folderNotWritable("\(folder)/p.sock", folder: folder)
            ? error.exitCode : 2)
      }
      _exit(3)
    }
  }

  // MARK: - Ownership of the path

  @Test func aSecondListenerIsRefusedAndTheFirstStays() throws {
    let first = try UnixListener(path: path, mode: 0o600)
    let error = #expect(throws: ListenError.self) {
      _ = try UnixListener(path: path, mode: 0o600)
    }
    #expect(error == .alreadyRunning(path))
    #expect(error?.exitCode == 69)
    // The check of the second listener leaves a connection that has ended.
    if case .connection(let descriptor) = first.accept() {
      #expect(UnixStream(owning: descriptor).receiveWaiting() == .endOfInput)
    }
    _ = try UnixStream.connect(to: path)
  }

  @Test func aListenerWithAFullQueueIsAlive() throws {
    let first = try UnixListener(path: path, mode: 0o600, backlog: 0)
    var waiting: [Kept<UnixStream>] = []
    while let client = try? UnixStream.connect(to: path) { waiting.append(Kept(client)) }
    #expect(!waiting.isEmpty)
    #expect(throws: ListenError.alreadyRunning(path)) {
      _ = try UnixListener(path: path, mode: 0o600)
    }
    first.removeFile()
  }

  @Test func aStaleSocketIsReplaced() throws {
    try leaveStaleSocket(at: path)
    #expect(try folder.names() == ["p.sock"])
    let listener = try UnixListener(path: path, mode: 0o600)
    _ = try UnixStream.connect(to: path)
    listener.removeFile()
  }

  @Test func aLiveSocketOfAnotherTypeIsLeftAlone() throws {
    let other = try unixSocket(Int32(SOCK_DGRAM.rawValue))
    try bindSocket(other.raw, to: path)
    #expect(throws: ListenError.belongsToAnother(path)) {
      _ = try UnixListener(path: path, mode: 0o600)
    }
    #expect(try folder.names() == ["p.sock"])
    other.close()
  }

  @Test func theFolderIsEmptyAfterTheListener() throws {
    var listener: UnixListener? = try UnixListener(path: path, mode: 0o600)
    #expect(try folder.names() == ["p.sock"])
    #expect(listener?.path == path)
    listener = nil
    #expect(try folder.names() == [])
  }

  @Test func anotherListenersFileIsNotRemoved() throws {
    let first = try UnixListener(path: path, mode: 0o600)
    unlink(path)
    let second = try UnixListener(path: path, mode: 0o600)
    first.removeFile()
    _ = try UnixStream.connect(to: path)
    second.removeFile()
    #expect(try folder.names() == [])
  }

  @Test func aListenerMayFollowAnother() throws {
    for _ in 0..<10 { _ = try UnixListener(path: path, mode: 0o600) }
  }

  @Test func aLockOnTheFolderIsNoObstacle() throws {
    // Every user who can read the folder can lock it.
    let lock = try FileDescriptor.open(folder.path, O_RDONLY | O_DIRECTORY)
    #expect(parallax_try_lock(lock.raw) == 0)
    _ = try UnixListener(path: path, mode: 0o600, lockAttempts: 1)
    lock.close()
  }

  @Test func aPathThatStaysLockedIsNamed() throws {
    let raw = parallax_open_lock(path + ".lock")
    #expect(raw >= 0)
    var status = stat()
    #expect(fstat(raw, &status) == 0)
    #expect(status.st_mode & 0o7777 == 0o600)
    let lock = FileDescriptor(owning: raw)
    #expect(parallax_try_lock(lock.raw) == 0)
    #expect(throws: ListenError.locked(path, lockFile: path + ".lock")) {
      _ = try UnixListener(path: path, mode: 0o600, lockAttempts: 1)
    }
    lock.close()
    let listener = try UnixListener(path: path, mode: 0o600)
    #expect(try folder.names() == ["p.sock"])
    listener.removeFile()
  }

  @Test func aLinkAtTheLocksPathIsNotFollowed() throws {
    try folder.write("data", to: "other")
    symlink(folder("other"), path + ".lock")
    #expect(throws: ListenError.lockUnusable(path, lockFile: path + ".lock")) {
      _ = try UnixListener(path: path, mode: 0o600)
    }
    unlink(path + ".lock")
    mkfifo(path + ".lock", 0o600)
    #expect(throws: ListenError.lockUnusable(path, lockFile: path + ".lock")) {
      _ = try UnixListener(path: path, mode: 0o600)
    }
  }

  @Test func ofManyListenersOverAStaleSocketOneWins() throws {
    for _ in 0..<50 {
      try leaveStaleSocket(at: path)
      let won = Mutex<[Kept<UnixListener>]>([])
      let refused = Atomic<Int>(0)
      try onThreads(8) { [path] _ in
        do throws(ListenError) {
          let listener = try UnixListener(path: path, mode: 0o600)
          let keptListener = Kept(listener)
          won.withLock { $0.append(keptListener) }
        } catch .alreadyRunning {
          refused.add(1, ordering: .relaxed)
        } catch {
          Issue.record(error)
        }
      }
      #expect(won.withLock { $0.count } == 1)
      #expect(refused.load(ordering: .relaxed) == 7)
      _ = try UnixStream.connect(to: path)
      won.withLock { $0 = [] }
      #expect(try folder.names() == [])
    }
  }

  // MARK: - Inherited sockets

  @Test func anInheritedSocketIsServedAndItsFileIsLeftAlone() throws {
    let raw = try unixSocket(Int32(SOCK_STREAM.rawValue)).release()
    try bindSocket(raw, to: path)
    #expect(listen(raw, 5) == 0)
    do {
      let listener = try UnixListener(inheriting: raw)
      #expect(fcntl(raw, F_GETFD) == FD_CLOEXEC)
      let client = try UnixStream.connect(to: path)
      guard case .connection = listener.accept() else {
        Issue.record("no connection")
        return
      }
      #expect(client.receiveWaiting() == .endOfInput)
    }
    #expect(try folder.names() == ["p.sock"])
  }

  @Test func anInheritedDescriptorOfAnotherTypeIsRefused() throws {
    let pipe = try Pipe()
    let ends = try SocketEnds()
    for raw in [-1, pipe.reading.raw, ends.mine?.raw ?? -1] {
      let error = #expect(throws: ListenError.self) { _ = try UnixListener(inheriting: raw) }
      #expect(error == .notAListeningSocket(descriptor: raw))
    }
  }

  // MARK: - Lack of descriptors

  @Test func withoutDescriptorsAClientIsTurnedAway() async throws {
    // Created and removed here: the child process exits without cleaning up.
    let own = try TemporaryFolder()
    own.openToAll()
    await #expect(processExitsWith: .exitCode(0)) { [folder = own.path as String] in
      let listener = try UnixListener(path: "\(folder)/p.sock", mode: 0o600)
      let client = try UnixStream.connect(to: "\(folder)/p.sock")
      let spare = try FileDescriptor.open("/dev/null", O_RDONLY)
      var limit = rlimit(rlim_cur: rlim_t(spare.raw), rlim_max: rlim_t(spare.raw))
      guard setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { exit(2) }
      while (try? FileDescriptor.open("/dev/null", O_RDONLY).release()) != nil {}
      guard case .refused(let descriptor, let error) = listener.accept() else { exit(3) }
      guard error.number == EMFILE else { exit(4) }
      // Another thread takes the spare descriptor before it is opened again.
      descriptor.close()
      let thief = try FileDescriptor.open("/dev/null", O_RDONLY)
      listener.restoreReserve()
      guard client.receiveWaiting() == .endOfInput else { exit(5) }
      // Without a spare descriptor the client waits.
      client.close()
      let second = try UnixStream.connect(to: "\(folder)/p.sock")
      guard case .exhausted = listener.accept() else { exit(7) }
      thief.close()
      listener.restoreReserve()
      guard case .refused(let other, _) = listener.accept() else { exit(8) }
      other.close()
      guard second.receiveWaiting() == .endOfInput else { exit(9) }
      listener.restoreReserve()
      guard case .noConnection = listener.accept() else { exit(10) }
      exit(0)
    }
  }
}
