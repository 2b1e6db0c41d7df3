// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import ParallaxConfig
import ParallaxDaemon
import ParallaxDevice
import ParallaxLoop

/// Random bytes as the actions of clients on both sockets, in any order and at any time. The daemon
/// must not crash, and must send only complete lines, with OFFSETs in order and within their range.
///
/// The input is a script with one step per line; `#` is the number of a client, `N` a digit:
///
///     sN  cN      connects to the stream or control socket, as user 0, 1001, 1002 ... by N
///     #TEXT       client # sends TEXT and a line feed; `u#TEXT` sends no line feed
///     e#  x#      client # ends its input, or disconnects
///     b#N  w#     client # accepts N x 40 more bytes, or all bytes again
///     tN          advances the time by 3^N ms, with everything that is due until then
enum SocketTarget {
  static func run(_ script: UnsafeRawBufferPointer) {
    var play = Play()
    for step in script.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      play.perform(Array(step))
    }
    play.end()
  }

  /// Returns a daemon without the operating system.
  static func core(_ time: Time) -> DaemonCore {
    var configuration = Configuration()
    configuration.source.kind = .automatic
    let feed = Feed()
    let source = GyroSource(
      feed.environment(clock: { [time] in time.now }) { _, _ in },
      biases: BiasStore(process: ProcessEnvironment(userID: 0, variables: [:])) { _ in })
    source.configure(.feed(configuration), settings: configuration.motion)
    return DaemonCore(
      configuration: configuration,
      access: AccessEnvironment(
        daemonUserID: 0, accounts: AccountLookup(userID: { _ in nil }, groupID: { _ in nil }),
        sessions: Sessions(),
        watch: { _ throws(SystemError) in throw SystemError(number: 2, call: "watch") }),
      at: time.now, documents: ConfiguredDocuments(), clock: { [time] in time.now },
      makeSource: { _ in AutoSource(source, or: SyntheticSource(seed: 1)) }, feed: feed)
  }

  /// Returns the credentials of user 0, 1001, 1002 ... for 0, 1, 2 ...
  static func peer(_ user: Int) -> PeerCredentials {
    let uid = user == 0 ? 0 : UInt32(1000 + user)
    return PeerCredentials(processID: 1, userID: uid, groupID: uid, supplementaryGroups: [])
  }
}

/// A client's end of a connection, which checks the lines that it receives.
private final class CheckingConnection: Connection {
  /// The number of bytes that it still accepts; nil for no limit.
  var room: Int?
  var awaits = AwaitedEvents.input
  private(set) var isClosed = false
  private var line: [UInt8] = []
  private var lastSequence = 0.0

  func send(_ bytes: UnsafeRawBufferPointer) -> Int? {
    require(!isClosed, "sent to a closed connection")
    let accepted = min(bytes.count, room ?? bytes.count)
    room = room.map { $0 - accepted }
    // The C library's search, since the fuzzer traces every comparison in Swift.
    var rest = UnsafeRawBufferPointer(rebasing: bytes.prefix(accepted))
    while let start = rest.baseAddress, let end = memchr(start, 10, rest.count) {
      let length = UnsafeRawPointer(end) - start
      line.append(contentsOf: rest.prefix(length))
      check()
      line.removeAll(keepingCapacity: true)
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(length + 1))
    }
    line.append(contentsOf: rest)
    return accepted
  }

  func close() { isClosed = true }

  private func check() {
    require(line.last == UInt8(ascii: "}"), "not a complete object")
    line.append(0)
    line.withUnsafeBytes { bytes in
      guard let text = bytes.assumingMemoryBound(to: CChar.self).baseAddress else { return }
      require(strncmp(text, #"{"class":""#, 10) == 0, "not an object")
      guard strncmp(text, #"{"class":"OFFSET","#, 18) == 0 else { return }
      guard let sequence = number(after: #""seq":"#, in: text),
        let x = number(after: #""x":"#, in: text), let y = number(after: #""y":"#, in: text)
      else { fatalError("an OFFSET without its numbers") }
      // The last one is repeated in the greeting and on request.
      require(sequence >= lastSequence, "out of order")
      require(abs(x) <= 5 && abs(y) <= 5, "out of range")
      lastSequence = sequence
    }
  }

  /// Returns the number after the first occurrence of a key.
  private func number(after key: String, in text: UnsafePointer<CChar>) -> Double? {
    guard let place = strstr(text, key) else { return nil }
    return strtod(place + key.utf8.count, nil)
  }
}

/// A clock that is set.
final class Time {
  var now = MotionInstant.zero + .seconds(1)
}

/// The daemon, its clients and the time.
private struct Play {
  private let core: DaemonCore
  private let time = Time()
  private var clients: [(connection: CheckingConnection, events: any ClientEvents)] = []
  /// The number of remaining advances, since the frames of hours would take too long.
  private var advances = 600

  init() {
    core = SocketTarget.core(time)
  }

  mutating func perform(_ step: [UInt8]) {
    guard let first = step.first else { return }
    let digits = step.dropFirst().prefix(2).map { Int($0) - 48 }.filter { (0...9).contains($0) }
    switch first {
    case UInt8(ascii: "s"): connect(to: core.stream, as: digits.first ?? 0)
    case UInt8(ascii: "c"): connect(to: core.control, as: digits.first ?? 0)
    case UInt8(ascii: "t"):
      pass(milliseconds: (0..<(digits.first ?? 0)).reduce(1) { time, _ in 3 * time })
    case UInt8(ascii: "0")...UInt8(ascii: "9"): send(step.dropFirst() + [10], from: first)
    case UInt8(ascii: "u"): send(step.dropFirst(2), from: step.dropFirst().first ?? 48)
    case UInt8(ascii: "e"): client(digits.first)?.events.inputEnded(at: time.now)
    case UInt8(ascii: "x"): client(digits.first)?.events.hungUp(at: time.now)
    case UInt8(ascii: "b"): client(digits.first)?.connection.room = 40 * (digits.last ?? 0)
    case UInt8(ascii: "w"):
      guard let client = client(digits.first) else { return }
      client.connection.room = nil
      if client.connection.awaits.contains(.output) { client.events.writable(at: time.now) }
    default: break
    }
  }

  mutating func end() {
    core.shutDown(at: time.now)
  }

  private func client(_ index: Int?) -> (connection: CheckingConnection, events: any ClientEvents)?
  {
    guard let index, clients.indices.contains(index), !clients[index].connection.isClosed else {
      return nil
    }
    return clients[index]
  }

  private mutating func connect(to service: any ClientService, as user: Int) {
    let connection = CheckingConnection()
    guard
      let events = service.connect(connection, from: SocketTarget.peer(user), at: time.now)
    else { return }
    clients.append((connection, events))
  }

  private func send(_ bytes: some Sequence<UInt8>, from digit: UInt8) {
    guard let client = client(Int(digit) - 48) else { return }
    // A real socket is not read while lines wait for their turn.
    takeTurns()
    guard client.connection.awaits.contains(.input) else { return }
    Array(bytes).withUnsafeBytes { client.events.received($0, at: time.now) }
    takeTurns()
  }

  /// Gives each client the turns that it waits for.
  private func takeTurns() {
    for client in clients {
      while client.connection.awaits.contains(.turn), !client.connection.isClosed {
        client.connection.awaits.remove(.turn)
        client.events.takeTurn(at: time.now)
      }
    }
  }

  private mutating func pass(milliseconds: Int64) {
    let end = time.now + .milliseconds(milliseconds)
    while let due = core.deadline, due <= end {
      guard advances > 0 else { return }
      advances -= 1
      time.now = max(time.now, due)
      core.advance(at: time.now)
    }
    time.now = end
    core.advance(at: time.now)
  }
}

/// User 1001 has the active session, 1002 an inactive one, and no other user has one.
struct Sessions: SessionDirectory {
  func presences(onSeat seat: String) throws(SystemError) -> [UInt32: SessionPresence] {
    [1001: .active, 1002: .inactive]
  }

  func watch(
    on loop: EventLoop, handler: @escaping () -> Void
  ) throws(SystemError) -> any SessionWatch {
    throw SystemError(number: ENOENT, call: "watch")
  }
}
