import Glibc

/// A descriptor that is closed when its owner goes.
struct OwnedDescriptor: ~Copyable, Sendable {
  let raw: Int32

  init(owning raw: Int32) {
    self.raw = raw
  }

  deinit {
    if raw >= 0 { close(raw) }
  }
}

/// A connected Unix stream socket that does not block.
struct ConnectedSocket: ~Copyable, Sendable {
  private let descriptor: OwnedDescriptor
  /// For poll().
  var raw: Int32 { descriptor.raw }

  /// Connects to the first of the paths that answers.
  static func connect(toFirstOf paths: [String]) throws(ParallaxError) -> ConnectedSocket {
    var attempts: [ParallaxError.Attempt] = []
    for path in paths {
      let (descriptor, code) = open(path)
      if code == 0 { return ConnectedSocket(descriptor: OwnedDescriptor(owning: descriptor)) }
      attempts.append(.init(path: path, errno: code))
    }
    throw .noDaemon(attempts: attempts)
  }

  /// A connected descriptor and 0, or -1 and why not. A Unix socket connects at once or not at all.
  private static func open(_ path: String) -> (descriptor: Int32, errno: Int32) {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let fits = withUnsafeMutableBytes(of: &address.sun_path) { place in
      // The zero behind the path has to fit too.
      guard path.utf8.count < place.count else { return false }
      place.copyBytes(from: path.utf8)
      return true
    }
    guard fits else { return (-1, ENAMETOOLONG) }
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let descriptor = socket(AF_UNIX, kind, 0)
    guard descriptor >= 0 else { return (-1, errno) }
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else {
      let code = errno
      close(descriptor)
      return (-1, code)
    }
    return (descriptor, 0)
  }

  /// What came of reading or writing.
  enum Transfer: Equatable {
    case moved(Int)
    /// Nothing to read, or no room to write, for now.
    case wouldBlock
    /// The other end has gone.
    case closed
    case failed(errno: Int32)
  }

  borrowing func read(into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
    while true {
      let count = recv(raw, buffer.baseAddress, buffer.count, 0)
      if count > 0 { return .moved(count) }
      if count == 0 { return .closed }
      if errno != EINTR { return Self.transfer(errno) }
    }
  }

  borrowing func write(_ bytes: some Collection<UInt8>) -> Transfer {
    while true {
      let count = bytes.withContiguousStorageIfAvailable {
        send(raw, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard let count else { return .moved(0) }
      if count >= 0 { return .moved(count) }
      if errno != EINTR { return Self.transfer(errno) }
    }
  }

  private static func transfer(_ code: Int32) -> Transfer {
    switch code {
    case EAGAIN: .wouldBlock
    case ECONNRESET, EPIPE, ENOTCONN: .closed
    default: .failed(errno: code)
    }
  }
}
