import CSystemd
import Glibc
import ParallaxSystem
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

  @Test func `A client connects and both sides talk`() throws {
    let listener = try UnixListener(path: path, mode: 0o666)
    guard case .nobody = listener.accept() else {
      Issue.record("nobody has connected")
      return
    }
    let client = try UnixStream.connect(to: path)
    guard case .connection(let descriptor) = listener.accept() else {
      Issue.record("somebody has connected")
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
  func `The file has the mode that was asked for, whatever the umask`(mode: UInt32) throws {
    let listener = try UnixListener(path: path, mode: mode)
    var status = stat()
    #expect(lstat(path, &status) == 0)
    #expect(status.st_mode & 0o7777 == mode)
    #expect(status.st_mode & S_IFMT == S_IFSOCK)
    listener.removeFile()
  }

  @Test func `The loop tells of a connection`() throws {
    let loop = try EventLoop()
    let listener = try UnixListener(path: path, mode: 0o600)
    var accepted = 0
    let source = try loop.watch(descriptor: listener.rawDescriptor, interest: .read) { _ in
      while case .connection = listener.accept() { accepted += 1 }
    }
    let first = try UnixStream.connect(to: path)
    let second = try UnixStream.connect(to: path)
    try loop.drain()
    #expect(accepted == 2)
    #expect(first.receiveWaiting() == .endOfInput)
    #expect(second.receiveWaiting() == .endOfInput)
    source.cancel()
  }

  // -- The path

  @Test func `107 bytes fit, 108 do not`() throws {
    let room = 107 - folder.path.utf8.count - 1
    let fits = folder(String(repeating: "s", count: room))
    #expect(fits.utf8.count == 107)
    let listener = try UnixListener(path: fits, mode: 0o600)
    _ = try UnixStream.connect(to: fits)
    listener.removeFile()

    #expect(throws: ListenError.pathTooLong(fits + "s", bytes: 108)) {
      _ = try UnixListener(path: fits + "s", mode: 0o600)
    }
    // An umlaut has two bytes.
    let umlaut = folder(String(repeating: "s", count: room - 1) + "\u{E4}")
    #expect(throws: ListenError.pathTooLong(umlaut, bytes: 108)) {
      _ = try UnixListener(path: umlaut, mode: 0o600)
    }
    let error = #expect(throws: SystemError.self) { _ = try UnixStream.connect(to: umlaut) }
    #expect(error?.number == ENAMETOOLONG)
  }

  @Test func `What is in the way is named, with what to do`() throws {
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
      #expect(error?.description.contains(", ") == true, "says what to do")
      #expect(error?.description.contains("\n") == false)
    }
    #expect(try folder.text(of: "file") == "data")
  }

  @Test func `A symbolic link in the way is left alone`() throws {
    symlink(folder("elsewhere"), path)
    #expect(throws: ListenError.notASocket(path)) {
      _ = try UnixListener(path: path, mode: 0o600)
    }
    #expect(try folder.names() == ["p.sock"])
  }

  @Test(.needsRoot) func `A folder that cannot be written is named`() async throws {
    // Made and removed here: the other process ends without looking back.
    let own = try TemporaryFolder()
    chmod(own.path, 0o755)
    await #expect(processExitsWith: .exitCode(77)) { [folder = own.path as String] in
      // _exit: at exit() a leak checker would look in vain at one who has become another user.
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

  // -- Who owns the path

  @Test func `A second listener is refused, and the first stays`() throws {
    let first = try UnixListener(path: path, mode: 0o600)
    let error = #expect(throws: ListenError.self) {
      _ = try UnixListener(path: path, mode: 0o600)
    }
    #expect(error == .alreadyRunning(path))
    #expect(error?.exitCode == 69)
    // What the look left behind is a connection that has ended.
    if case .connection(let descriptor) = first.accept() {
      #expect(UnixStream(owning: descriptor).receiveWaiting() == .endOfInput)
    }
    _ = try UnixStream.connect(to: path)
  }

  @Test func `One whose queue is full is alive too`() throws {
    let first = try UnixListener(path: path, mode: 0o600, backlog: 0)
    var waiting: [Kept<UnixStream>] = []
    while let client = try? UnixStream.connect(to: path) { waiting.append(Kept(client)) }
    #expect(!waiting.isEmpty)
    #expect(throws: ListenError.alreadyRunning(path)) {
      _ = try UnixListener(path: path, mode: 0o600)
    }
    first.removeFile()
  }

  @Test func `A socket on which nobody answers is taken over`() throws {
    try leaveStaleSocket(at: path)
    #expect(try folder.names() == ["p.sock"])
    let listener = try UnixListener(path: path, mode: 0o600)
    _ = try UnixStream.connect(to: path)
    listener.removeFile()
  }

  @Test func `A living socket of another kind is left alone`() throws {
    let other = FileDescriptor(owning: socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | closeOnExec, 0))
    try bindSocket(other.raw, to: path)
    #expect(throws: ListenError.belongsToAnother(path)) {
      _ = try UnixListener(path: path, mode: 0o600)
    }
    #expect(try folder.names() == ["p.sock"])
    other.close()
  }

  @Test func `The file goes with the listener, and nothing else is left`() throws {
    var listener: UnixListener? = try UnixListener(path: path, mode: 0o600)
    #expect(try folder.names() == ["p.sock"])
    #expect(listener?.path == path)
    listener = nil
    #expect(try folder.names() == [])
  }

  @Test func `Another's file is not removed`() throws {
    let first = try UnixListener(path: path, mode: 0o600)
    unlink(path)
    let second = try UnixListener(path: path, mode: 0o600)
    first.removeFile()
    _ = try UnixStream.connect(to: path)
    second.removeFile()
    #expect(try folder.names() == [])
  }

  @Test func `After a listener has left, its successor may come`() throws {
    for _ in 0..<10 { _ = try UnixListener(path: path, mode: 0o600) }
  }

  @Test func `A folder that stays locked is named`() throws {
    let lock = try FileDescriptor.open(folder.path, O_RDONLY | O_DIRECTORY)
    #expect(parallax_try_lock(lock.raw) == 0)
    #expect(throws: ListenError.folderLocked(path, folder: folder.path)) {
      _ = try UnixListener(path: path, mode: 0o600, lockAttempts: 1)
    }
    lock.close()
    _ = try UnixListener(path: path, mode: 0o600)
  }

  @Test func `Of many that start at once over a stale socket, one wins`() throws {
    for _ in 0..<50 {
      try leaveStaleSocket(at: path)
      let won = Mutex<[Kept<UnixListener>]>([])
      let refused = Atomic<Int>(0)
      onThreads(8) { [path] _ in
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

  // -- Inherited sockets

  @Test func `An inherited socket is served and its file is left alone`() throws {
    let raw = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | closeOnExec, 0)
    try bindSocket(raw, to: path)
    #expect(listen(raw, 5) == 0)
    do {
      let listener = try UnixListener(inheriting: raw)
      #expect(fcntl(raw, F_GETFD) == FD_CLOEXEC)
      let client = try UnixStream.connect(to: path)
      guard case .connection = listener.accept() else {
        Issue.record("somebody has connected")
        return
      }
      #expect(client.receiveWaiting() == .endOfInput)
    }
    #expect(try folder.names() == ["p.sock"])
  }

  @Test func `An inherited descriptor of another kind is refused`() throws {
    let pipe = try Pipe()
    let ends = try Ends()
    for raw in [-1, pipe.reading.raw, ends.mine?.raw ?? -1] {
      let error = #expect(throws: ListenError.self) { _ = try UnixListener(inheriting: raw) }
      #expect(error == .notAListeningSocket(descriptor: raw))
    }
  }

  // -- Want of descriptors

  @Test func `Without descriptors left a client is turned away, not left waiting`() async throws {
    // Made and removed here: the other process ends without looking back.
    let own = try TemporaryFolder()
    own.openToAll()
    await #expect(processExitsWith: .exitCode(0)) { [folder = own.path as String] in
      let listener = try UnixListener(path: "\(folder)/p.sock", mode: 0o600)
      let client = try UnixStream.connect(to: "\(folder)/p.sock")
      let spare = try FileDescriptor.open("/dev/null", O_RDONLY)
      var limit = rlimit(rlim_cur: rlim_t(spare.raw), rlim_max: rlim_t(spare.raw))
      guard setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { exit(2) }
      while (try? FileDescriptor.open("/dev/null", O_RDONLY).release()) != nil {}
      guard case .turnedAway(let error) = listener.accept() else { exit(3) }
      guard error.number == EMFILE else { exit(4) }
      guard client.receiveWaiting() == .endOfInput else { exit(5) }
      // The reserve is back for the next.
      guard case .nobody = listener.accept() else { exit(6) }
      exit(0)
    }
  }
}

/// Lets something that cannot cross threads be kept by one that does not touch it.
// Unchecked: it is made on one thread and, after that has ended, let go of on another.
struct Kept<Value: ~Copyable>: @unchecked Sendable {
  private final class Box {
    let value: Value
    init(_ value: consuming Value) { self.value = value }
  }
  private let box: Box

  init(_ value: consuming Value) { box = Box(value) }
}

func bindSocket(_ descriptor: Int32, to path: String) throws {
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  let capacity = MemoryLayout.size(ofValue: address.sun_path)
  withUnsafeMutableBytes(of: &address.sun_path) { buffer in
    buffer.copyBytes(from: path.utf8.prefix(capacity - 1))
  }
  let result = withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
    }
  }
  try #require(result == 0)
}

/// What a daemon that was killed leaves behind.
func leaveStaleSocket(at path: String) throws {
  let raw = FileDescriptor(owning: socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | closeOnExec, 0))
  try bindSocket(raw.raw, to: path)
  #expect(listen(raw.raw, 5) == 0)
  raw.close()
  // A program that another test is just starting may hold it for a moment longer.
  while (try? UnixStream.connect(to: path)) != nil { sched_yield() }
}
