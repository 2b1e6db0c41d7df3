// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxConfig
import ParallaxDaemon

/// What was expected of the daemon and did not happen.
package struct ModelViolation: Error {
  /// The name of the expectation. A shorter script counts if it violates the same one.
  package let rule: String
  package let text: String
}

/// A daemon with its users, clients, device and clock, and what each of them may see.
///
/// It performs operations, one after another, and keeps the first violation.
package final class ModelWorld {
  let daemon: ModelDaemon
  let gyro: ModelGyro
  var expectations: ModelExpectations
  /// The clients that have not hung up.
  var clients: [ModelClient] = []
  var users: [UInt32: ModelUser] = [:]
  package private(set) var violation: ModelViolation?
  var ignoredRules: Set<String> = []

  /// The configuration file.
  private var file: [String: String]
  /// The clients with lines that were not checked yet.
  var unchecked: [ModelClient] = []
  /// The times of the last frames, by number, and the number of the newest.
  var frameTimes = [Int64](repeating: -1, count: 1024)
  var newestFrame = -1
  /// Whether an animation was played: pictures may then move without motion.
  var hasPlayed = false
  /// The duration of fades before the configuration was read last.
  var formerFade = MotionDuration.zero
  var lastDeviceState = ""
  var inhibitedSince: MotionInstant?
  /// Since when no one needs the source; nil: someone does.
  var unneededSince: MotionInstant?
  /// When the loop was held up last.
  var lastStall = MotionInstant.zero
  package private(set) var frameCount = 0

  /// - Parameters:
  ///   - settings: The configuration file, as `table.key` and its value.
  ///   - rateHertz: The gyroscope's.
  package init(settings: [String: String], rateHertz: Double) throws {
    file = settings
    expectations = ModelExpectations(configuration: settings, presences: [1000: .active])
    daemon = try ModelDaemon(settings: settings, rateHertz: rateHertz)
    gyro = daemon.gyro
    daemon.readConfiguration = { [unowned self] in
      formerFade = expectations.fade
      expectations.configuration = file
      return file
    }
    daemon.set(.active, ofUser: 1000)
  }

  var now: MotionInstant { daemon.now }

  func fail(_ rule: String, _ text: @autoclosure () -> String) {
    guard violation == nil, !ignoredRules.contains(rule) else { return }
    let seconds = (now - ModelDaemon.start).seconds
    violation = ModelViolation(rule: rule, text: "at \(seconds) s: \(text())")
  }

  // MARK: - Operations

  package func perform(_ operation: ModelOperation) {
    switch operation {
    case .subscribe(let number, let uid): connect(number, uid, isControl: false)
    case .pair(let number, let uid): connectPair(number, uid)
    case .control(let number, let uid): connect(number, uid, isControl: true)
    case .send(let number, let line): client(number).map { send(line + "\n", from: $0) }
    case .flood(let number, let count, let line):
      let text = String(repeating: line + "\n", count: count)
      client(number).map { send(text, from: $0) }
    case .part(let number, let text): client(number).map { sendPart(text, from: $0) }
    case .hangUp(let number): client(number).map { hangUp($0) }
    case .endInput(let number): client(number).map { endInput($0) }
    case .room(let number, let bytes, let atOnce):
      guard let client = client(number) else { break }
      client.connection.room = bytes
      client.connection.atOnce = atOnce
      client.lastBlocked = now
    case .read(let number): client(number).map { readAgain($0) }
    case .pass(let milliseconds): pass(.milliseconds(Int64(milliseconds)))
    case .calm(let milliseconds): passCalmly(.milliseconds(Int64(milliseconds)))
    case .stall(let milliseconds):
      daemon.now += .milliseconds(Int64(milliseconds))
      daemon.gyro.advance()
      lastStall = now
      check()
    case .session(let uid, let presence):
      expectations.presences[uid] = presence
      daemon.set(presence, ofUser: uid)
      check()
    case .reason(let name, let applies):
      if applies {
        expectations.reported.insert(name)
      } else {
        expectations.reported.remove(name)
      }
      daemon.report(expectations.reported)
      check()
    case .proxy(let orientation):
      daemon.report(orientation: orientation)
      check()
    case .resume:
      daemon.resume()
      check()
    case .device(let event): perform(event)
    case .configure(let setting):
      let parts = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      file[String(parts[0])] = parts.count > 1 && !parts[1].isEmpty ? String(parts[1]) : nil
    case .reload:
      daemon.reload()
      check()
    case .documentsAreSlow(let slow): daemon.documents.isSlow = slow
    case .answerDocuments:
      daemon.documents.answer()
      check()
    }
    settle()
    checkAll()
  }

  private func perform(_ event: ModelDeviceEvent) {
    switch event {
    case .plug: gyro.plug()
    case .unplug: gyro.unplug()
    case .failure(let kind): gyro.failure = kind
    case .readError: gyro.failReading()
    case .slowness(let milliseconds): gyro.slowness = .milliseconds(Int64(milliseconds))
    case .turning, .shaking, .still: gyro.motion = event
    }
    check()
  }

  /// Returns a client that is open.
  private func client(_ number: Int) -> ModelClient? {
    clients.first { $0.number == number && $0.isOpen }
  }

  // MARK: - Clients

  @discardableResult
  private func connect(
    _ number: Int, _ uid: UInt32, isControl: Bool, isReader: Bool = false
  ) -> ModelClient? {
    guard isReader || !clients.contains(where: { $0.number == number }) else { return nil }
    let connection = ModelConnection(clock: { [unowned daemon] in daemon.now })
    let client = ModelClient(
      number: number, uid: uid, isControl: isControl,
      wasPrivileged: expectations.isPrivileged(uid), connection: connection)
    connection.becameReadable = { [unowned self, unowned client] in unchecked.append(client) }
    let refusals = refusals(of: uid, isControl: isControl)
    pay(Self.connectionCost, uid)
    // A user's first subscriber sees a fade of everyone's gate that is under way.
    if !isControl, !clients.contains(where: { $0.uid == uid && !$0.isControl }) {
      users[uid]?.gain = -1
      users[uid]?.hiddenFrom = nil
    }
    clients.append(client)
    refresh()
    client.events = daemon.connect(connection, uid: uid, toControl: isControl)
    check()
    let outcome = client.isServed ? "" : client.lastError ?? "closed without a word"
    if !refusals.contains(outcome) {
      fail("admission", "\(client.title) got \"\(outcome)\", expected one of \(refusals)")
    }
    if !client.isServed { clients.removeAll { $0 === client } }
    return client.isServed ? client : nil
  }

  private func connectPair(_ number: Int, _ uid: UInt32) {
    guard let client = connect(number, uid, isControl: false),
      let reader = connect(-1 - number, uid, isControl: false, isReader: true)
    else { return }
    // Both have the frame of the greeting.
    client.reader = reader
    client.offered = []
    client.compared = []
  }

  /// Returns the codes that a user who connects now may get; "" is admission.
  private func refusals(of uid: UInt32, isControl: Bool) -> Set<String> {
    guard expectations.admits(uid, toControl: isControl) else { return ["denied"] }
    if expectations.isPrivileged(uid) { return [""] }
    // A connection that is being closed may count, as may one that has just become privileged.
    let others = clients.filter { $0.isControl == isControl && $0.isOpen }
    let most = others.filter { !$0.wasPrivileged || !expectations.isPrivileged($0.uid) }
    let least = others.filter {
      !$0.wasPrivileged && !expectations.isPrivileged($0.uid) && $0.lastError == nil
    }
    let total = Int(expectations.number("socket.max-subscribers"))
    let own = Int(expectations.number("socket.max-per-uid"))
    var codes: Set<String> = []
    if most.count >= total || most.count(where: { $0.uid == uid }) >= own {
      codes.insert("too-many")
    }
    if least.count < total, least.count(where: { $0.uid == uid }) < own { codes.insert("") }
    if cost(uid) + Self.connectionCost > Self.requestBurst - 5 { codes.insert("too-many") }
    return codes
  }

  // MARK: - The rate of requests

  /// Requests per second that a user may send, and those at once.
  private static let requestRate = 500.0
  static let requestBurst = 1_000.0
  private static let connectionCost = 10.0

  /// What a user has sent beyond the rate.
  func cost(_ uid: UInt32) -> Double {
    guard let user = users[uid], user.costTime > .distantPast else { return 0 }
    return max(0, user.cost - (now - user.costTime).seconds * Self.requestRate)
  }

  private func pay(_ count: Double, _ uid: UInt32) {
    let cost = cost(uid) + count
    var user = users[uid] ?? ModelUser()
    (user.cost, user.costTime) = (cost, now)
    users[uid] = user
  }

  private func send(_ text: String, from client: ModelClient) {
    guard client.isServed, !client.connection.inputHasEnded else { return }
    // A client that does not read sends no more: what its requests do, and when, would be unknown.
    if client.connection.isBlocked { return }
    for line in text.split(separator: "\n") where !line.isEmpty {
      let whole = client.unfinished + line
      client.unfinished = ""
      take(ModelRequest(whole, isControl: client.isControl), of: client)
    }
    client.connection.input += Array(text.utf8)
    deliver(client)
    if let reader = client.reader { send(text, from: reader) }
  }

  private func take(_ request: ModelRequest, of client: ModelClient) {
    var request = request
    request.wasPrivileged = expectations.isPrivileged(client.uid)
    client.requests.append(request)
    pay(1, client.uid)
    // A detached one plays, too, if its client leaves before the answer.
    if request.kind == .play, request.wasPrivileged { hasPlayed = true }
    guard request.kind == .poll else { return }
    client.polls += 1
    if client.burst.time != now { client.burst = (now, 0) }
    client.burst.frames -= 1
  }

  private func sendPart(_ text: String, from client: ModelClient) {
    guard client.isServed, !client.connection.inputHasEnded, !client.connection.isBlocked else {
      return
    }
    client.unfinished += text
    client.connection.input += Array(text.utf8)
    deliver(client)
    if let reader = client.reader { sendPart(text, from: reader) }
  }

  private func hangUp(_ client: ModelClient) {
    client.hasHungUp = true
    clients.removeAll { $0 === client }
    if !client.connection.isClosed { client.events?.hungUp(at: now) }
    if let reader = client.reader { hangUp(reader) }
    check()
  }

  private func endInput(_ client: ModelClient) {
    guard !client.connection.inputHasEnded else { return }
    client.connection.inputHasEnded = true
    if !client.unfinished.isEmpty {
      // The last line counts without its end, too.
      take(ModelRequest(client.unfinished, isControl: client.isControl), of: client)
      client.unfinished = ""
    }
    deliver(client)
    if let reader = client.reader { endInput(reader) }
  }

  private func readAgain(_ client: ModelClient) {
    client.connection.room = .max
    client.connection.atOnce = .max
    client.lastBlocked = now
    let before = client.bytes
    if client.connection.wantsWritable { client.events?.writable(at: now) }
    check()
    // It has read everything.
    if client.isServed, !client.connection.isBlocked { client.mayHaveBeenRefused = false }
    checkWaiting(client.bytes - before, of: client)
  }

  // MARK: - Time

  /// Passes the time, with everything that is due.
  func pass(_ duration: MotionDuration) {
    let end = now + duration
    var turns = 0
    let limit = 10_000 + Int(duration.nanoseconds / 50_000)
    while violation == nil {
      settle()
      guard let next = MotionInstant.earlier(daemon.core.deadline, gyro.due), next <= end else {
        break
      }
      daemon.now = max(now, next)
      if let due = gyro.due, due <= now {
        gyro.advance()
        check()
      }
      turns += 1
      if turns > limit { fail("busy", "\(turns) turns in \(duration.seconds) s") }
    }
    daemon.now = max(now, end)
  }

  /// Lets the daemon do what it can do now.
  func settle() {
    var turns = 0
    while violation == nil {
      var isDone = true
      var index = 0
      while index < clients.count {
        let client = clients[index]
        index += 1
        guard client.isOpen else { continue }
        if client.mayDeliver {
          deliver(client)
          isDone = false
        }
        if client.connection.awaits.contains(.turn) {
          client.connection.awaits.remove(.turn)
          client.events?.takeTurn(at: now)
          check()
          isDone = false
        }
        if client.connection.wantsWritable, client.connection.room > 0 {
          let before = client.connection.lastProgress
          client.events?.writable(at: now)
          check()
          if client.connection.lastProgress > before || !client.connection.wantsWritable {
            isDone = false
          }
        }
      }
      if let due = daemon.core.deadline, due <= now {
        daemon.core.advance(at: now)
        check()
        isDone = false
      }
      if isDone { return }
      turns += 1
      if turns > 1_000 { fail("busy", "1,000 turns at one instant") }
    }
  }

  /// Gives the daemon what a client has sent, as its event loop does.
  private func deliver(_ client: ModelClient) {
    let connection = client.connection
    guard let events = client.events, !connection.isClosed, connection.awaits.contains(.input)
    else { return }
    if !connection.input.isEmpty {
      let block = Array(connection.input.prefix(Self.blockBytes))
      connection.input.removeFirst(block.count)
      block.withUnsafeBytes { events.received($0, at: now) }
    } else if connection.inputHasEnded, !client.hasSeenEnd {
      client.hasSeenEnd = true
      events.inputEnded(at: now)
    }
    check()
  }

  private static let blockBytes = 4096

  func count(_ frame: ModelFrame) { frameCount += 1 }
}
