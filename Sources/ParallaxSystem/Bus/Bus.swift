import CSystemd
import Glibc

/// A connection to a message bus, on the loop: nothing waits. It heals itself: where the bus is
/// absent, restarts or does not answer, it is tried again after 1, 2, 4 ... 30 s, said once.
///
/// Confined to the loop's thread. Closed, it wakes nobody.
package final class Bus {
  package enum Kind: Equatable, Sendable {
    /// `DBUS_SYSTEM_BUS_ADDRESS`, else the usual place.
    case system
    /// `DBUS_SESSION_BUS_ADDRESS`, else `bus` in `XDG_RUNTIME_DIR`.
    case session
    /// A D-Bus address, as `unix:path=/run/bus`.
    case address(String)
  }

  private enum State {
    case closed
    /// Not to be tried again: nobody says where the bus is.
    case nowhere
    /// Could not even begin: told in the next turn.
    case failing
    /// Until the timer says so.
    case pausing
    /// Waits for the bus's first answer, for as long as the timer allows.
    case connecting
    case connected(sinceNanoseconds: Int64)
  }

  /// The bus's own name, and its interface's.
  package static let driver = "org.freedesktop.DBus"
  package static let properties = "org.freedesktop.DBus.Properties"

  /// How long a bus may take to answer for the first time.
  private static let connectNanoseconds: Int64 = 5_000_000_000

  private let loop: EventLoop
  private let kind: Kind
  private let log: (Log.Level, String) -> Void
  private var state = State.closed
  /// How many have opened it.
  private var users = 0
  private var retry: BusRetry
  /// Whether this outage has been said.
  private var isSaid = false
  private var failure: SystemError?
  /// The `sd_bus *`, from the attempt on.
  private(set) var raw: OpaquePointer?
  private var hello: BusSlot?
  private var end: BusSlot?
  private var timer: TimerSource?
  private var follows: [Follow] = []
  /// Calls that could not be sent, to be answered in the next turn.
  private var failing: [(slot: Weak, error: BusError)] = []
  private var failTimer: TimerSource?

  private typealias Follow = Weak

  private struct Weak {
    weak var slot: BusSlot?
  }

  /// - Parameters:
  ///   - firstPauseNanoseconds: behind the first failure, default 1 s.
  ///   - log: takes what whoever runs the program should know, a line each.
  package init(
    _ loop: EventLoop, _ kind: Kind, firstPauseNanoseconds: Int64 = 1_000_000_000,
    log: @escaping (Log.Level, String) -> Void
  ) throws(SystemError) {
    self.loop = loop
    self.kind = kind
    self.log = log
    retry = BusRetry(firstNanoseconds: firstPauseNanoseconds)
    timer = try loop.timer { [weak self] in self?.timeIsOver() }
    failTimer = try loop.timer { [weak self] in self?.answerFailed() }
  }

  deinit {
    // What is held by others must not call anybody any more.
    for follow in follows { follow.slot?.release() }
    hello = nil
    end = nil
    if raw != nil { sd_bus_close_unref(raw) }
  }

  package var isConnected: Bool {
    if case .connected = state { true } else { false }
  }

  /// Connects, now and again after failures, until everyone who opened it has closed it.
  package func open() {
    users += 1
    if users == 1 { attempt() }
  }

  /// Ends the connection and all attempts, if nobody else has opened it. What is followed is followed
  /// again after the next `open`; nobody is told, calls under way are not answered.
  package func close() {
    guard users > 0 else { return }
    users -= 1
    guard users == 0 else { return }
    state = .closed
    timer?.disarm()
    disconnect()
    forgetFollows(isTold: false)
    retry = BusRetry(firstNanoseconds: retry.firstNanoseconds)
  }

  // -- The connection's life

  private func attempt() {
    let result = connect()
    guard result >= 0 else {
      disconnect()
      // Not from within `open`.
      failure = SystemError(number: -result, call: "sd_bus_open")
      state = .failing
      timer?.arm(atNanoseconds: 0)
      return
    }
    state = .connecting
    timer?.arm(atNanoseconds: MonotonicClock.now() + Self.connectNanoseconds)
  }

  private func connect() -> Int32 {
    var result: Int32
    switch kind {
    case .system: result = sd_bus_open_system(&raw)
    case .session: result = sd_bus_open_user(&raw)
    case .address(let address):
      result = sd_bus_new(&raw)
      if result >= 0 { result = sd_bus_set_address(raw, address) }
      if result >= 0 { result = sd_bus_set_bus_client(raw, 1) }
      if result >= 0 { result = sd_bus_start(raw) }
    }
    guard result >= 0 else { return result }
    // At the loop's end nothing is flushed: that would wait for a bus that does not answer.
    sd_bus_set_close_on_exit(raw, 0)
    result = sd_bus_attach_event(raw, loop.raw, 0)
    guard result >= 0 else { return result }
    let end = MatchSlot(rule: Self.disconnected) { [weak self] _ in self?.connectionEnded() }
    self.end = end
    addMatch(Self.disconnected, for: end)
    hello = send(Self.driver, "/org/freedesktop/DBus", Self.driver, "GetId", []) { [weak self] in
      self?.greeted($0)
    }
    return hello == nil ? -ENOTCONN : 0
  }

  private static let disconnected =
    "type='signal',sender='org.freedesktop.DBus.Local',path='/org/freedesktop/DBus/Local',"
    + "interface='org.freedesktop.DBus.Local',member='Disconnected'"

  private func greeted(_ answer: Result<BusMessage, BusError>) {
    hello = nil
    guard case .connecting = state else { return }
    // Any answer of the bus's shows that it is there; without one the end is told too.
    if case .failure(.noAnswer) = answer { return }
    timer?.disarm()
    state = .connected(sinceNanoseconds: MonotonicClock.now())
    if isSaid { log(.notice, "\(name): connected") }
    isSaid = false
    for follow in follows {
      guard isConnected else { return }
      follow.slot?.connected(self)
    }
  }

  private func connectionEnded() {
    if case .connected(let since) = state {
      retry.connectionEnded(afterNanoseconds: MonotonicClock.now() - since)
    }
    disconnect()
    failed(nil)
  }

  private func timeIsOver() {
    switch state {
    case .closed, .nowhere, .connected: break
    case .pausing: attempt()
    case .failing: failed(failure)
    case .connecting:
      disconnect()
      failed(SystemError(number: ETIMEDOUT, call: "sd_bus_open"))
    }
  }

  /// - Parameter error: why; nil: the connection broke.
  private func failed(_ error: SystemError?) {
    // ENOMEDIUM: no address in the environment, which does not change.
    let isNowhere = error?.number == ENOMEDIUM
    if !isSaid {
      isSaid = true
      if isNowhere {
        log(.debug, "\(name): nobody says where it is; what it would tell is not known")
      } else {
        let why = error.map { "\($0.reason)" } ?? "the connection ended"
        log(.notice, "\(name): \(why); trying again, at last every 30 s")
      }
    }
    state = isNowhere ? .nowhere : .pausing
    if !isNowhere { timer?.arm(atNanoseconds: MonotonicClock.now() + retry.pause()) }
    forgetFollows(isTold: true)
  }

  private func disconnect() {
    hello = nil
    end = nil
    failing.removeAll()
    guard let bus = raw else { return }
    raw = nil
    sd_bus_close_unref(bus)
  }

  private func forgetFollows(isTold: Bool) {
    for follow in follows { follow.slot?.lost(isTold: isTold) }
  }

  /// For people.
  private var name: String {
    switch kind {
    case .system: "system bus"
    case .session: "session bus"
    case .address(let address): "bus \(address)"
    }
  }

  // -- What is asked

  /// Keeps an eye on a slot that outlives connections.
  func add(_ slot: BusSlot) {
    follows.removeAll { $0.slot == nil }
    follows.append(Weak(slot: slot))
    if isConnected { slot.connected(self) }
  }

  /// Answers a call that could not be sent, behind whatever is happening now.
  func fail(_ slot: CallSlot, _ error: BusError) {
    failing.append((Weak(slot: slot), error))
    failTimer?.arm(atNanoseconds: 0)
  }

  private func answerFailed() {
    let answers = failing
    failing.removeAll()
    for answer in answers { (answer.slot.slot as? CallSlot)?.finish(.failure(answer.error)) }
  }
}
