// SPDX-License-Identifier: Apache-2.0

import CSystemd
import Glibc
package import ParallaxBase

/// A connection to a message bus, on the event loop; no call blocks.
///
/// If the bus is absent, restarts or does not answer, it connects again after 1, 2, 4 ... 30 s and
/// logs the outage once. Confined to the loop's thread. While closed, it never wakes the process.
package final class Bus {
  package enum Kind: Equatable, Sendable {
    /// At `DBUS_SYSTEM_BUS_ADDRESS`, by default at the well-known address.
    case system
    /// At `DBUS_SESSION_BUS_ADDRESS`, by default at `bus` in `XDG_RUNTIME_DIR`.
    case session
    /// At a D-Bus address, as `unix:path=/run/bus`.
    case address(String)
  }

  private enum State {
    /// Not opened.
    case closed
    /// The environment has no address for the bus: does not try again.
    case withoutAddress
    /// The attempt failed at once: handled in the next turn of the loop.
    case failing
    /// Waits for the timer before the next attempt.
    case pausing
    /// Waits for the bus's first answer, until the timer fires.
    case connecting
    /// The bus has answered.
    case connected(since: MotionInstant)
  }

  /// The name of the bus itself and of its interface.
  package static let driver = "org.freedesktop.DBus"
  package static let properties = "org.freedesktop.DBus.Properties"

  /// Time limit for the bus's first answer.
  private static let connectTimeout: MotionDuration = .seconds(5)

  private let loop: EventLoop
  private let kind: Kind
  private let log: (Log.Level, String) -> Void
  private var state = State.closed
  /// Calls of `open` without a `close`.
  private var users = 0
  private var retry: BusRetry
  /// Whether the present outage has been logged.
  private var isOutageLogged = false
  private var failure: SystemError?
  /// The `sd_bus *`, from the start of an attempt.
  private(set) var raw: OpaquePointer?
  private var greeting: BusSlot?
  private var end: BusSlot?
  private var timer: TimerSource?
  private var subscriptions: [WeakSlot] = []
  /// Calls that could not be sent; they fail in the next turn of the loop.
  private var failing: [(slot: WeakSlot, error: BusError)] = []
  private var failTimer: TimerSource?

  private struct WeakSlot {
    weak var slot: BusSlot?
  }

  /// - Parameters:
  ///   - firstPause: the pause after the first failure.
  ///   - log: takes messages for the log, one line each.
  package init(
    _ loop: EventLoop, _ kind: Kind, firstPause: MotionDuration = .seconds(1),
    log: @escaping (Log.Level, String) -> Void
  ) throws(SystemError) {
    self.loop = loop
    self.kind = kind
    self.log = log
    retry = BusRetry(firstPause: firstPause)
    timer = try loop.timer { [weak self] in self?.timerFired() }
    failTimer = try loop.timer { [weak self] in self?.failPendingCalls() }
  }

  deinit {
    // Slots that others hold must not call back anymore.
    for subscription in subscriptions { subscription.slot?.release() }
    greeting = nil
    end = nil
    if raw != nil { sd_bus_close_unref(raw) }
  }

  /// Creates a timer on the bus's event loop.
  func timer(_ handler: @escaping () -> Void) throws(SystemError) -> TimerSource {
    try loop.timer(handler)
  }

  package var isConnected: Bool {
    if case .connected = state { true } else { false }
  }

  /// Connects, and connects again after failures, until every `open` is balanced by a `close`.
  package func open() {
    users += 1
    if users == 1 { attempt() }
  }

  /// Balances one `open`; the last one ends the connection and all attempts.
  ///
  /// Subscriptions report nothing and are renewed after the next `open`; open calls get no reply.
  package func close() {
    guard users > 0 else { return }
    users -= 1
    guard users == 0 else { return }
    state = .closed
    timer?.disarm()
    disconnect()
    subscriptionsLost(isReported: false)
    retry = BusRetry(firstPause: retry.firstPause)
  }

  // MARK: - Connecting

  private func attempt() {
    let result = connect()
    guard result >= 0 else {
      disconnect()
      // Not from within `open`: the caller is not ready for its handlers.
      failure = SystemError(number: -result, call: "sd_bus_open")
      state = .failing
      timer?.arm(at: .zero)
      return
    }
    state = .connecting
    timer?.arm(at: MonotonicClock.now() + Self.connectTimeout)
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
    // Do not flush when the loop exits: that would wait for a bus that does not answer.
    sd_bus_set_close_on_exit(raw, 0)
    result = sd_bus_attach_event(raw, loop.raw, 0)
    guard result >= 0 else { return result }
    let end = MatchSlot(rule: Self.disconnected) { [weak self] _ in self?.connectionEnded() }
    self.end = end
    addMatch(Self.disconnected, for: end)
    greeting = send(Self.driver, "/org/freedesktop/DBus", Self.driver, "GetId", []) { [weak self] in
      self?.receiveGreeting($0)
    }
    return greeting == nil ? -ENOTCONN : 0
  }

  private static let disconnected =
    "type='signal',sender='org.freedesktop.DBus.Local',path='/org/freedesktop/DBus/Local',"
    + "interface='org.freedesktop.DBus.Local',member='Disconnected'"

  private func receiveGreeting(_ answer: Result<BusMessage, BusError>) {
    greeting = nil
    guard case .connecting = state else { return }
    // Any answer, an error too, shows that the bus is there. Without an answer the connection ends.
    if case .failure(.noAnswer) = answer { return }
    timer?.disarm()
    state = .connected(since: MonotonicClock.now())
    if isOutageLogged { log(.notice, "\(name): connected") }
    isOutageLogged = false
    for subscription in subscriptions {
      guard isConnected else { return }
      subscription.slot?.connected(self)
    }
  }

  private func connectionEnded() {
    if case .connected(let since) = state {
      retry.connectionEnded(after: MonotonicClock.now() - since)
    }
    disconnect()
    failed(nil)
  }

  private func timerFired() {
    switch state {
    case .closed, .withoutAddress, .connected: break
    case .pausing: attempt()
    case .failing: failed(failure)
    case .connecting:
      disconnect()
      failed(SystemError(number: ETIMEDOUT, call: "sd_bus_open"))
    }
  }

  /// - Parameter error: the cause; nil if an established connection ended.
  private func failed(_ error: SystemError?) {
    // ENOMEDIUM: the environment has no address, and it does not change.
    let isWithoutAddress = error?.number == ENOMEDIUM
    if !isOutageLogged {
      isOutageLogged = true
      if isWithoutAddress {
        log(.debug, "\(name): no address in the environment; not connecting")
      } else {
        let reason = error?.reason ?? "connection lost"
        log(.notice, "\(name): \(reason); retrying with pauses of up to 30 s")
      }
    }
    state = isWithoutAddress ? .withoutAddress : .pausing
    if !isWithoutAddress { timer?.arm(at: MonotonicClock.now() + retry.nextPause()) }
    subscriptionsLost(isReported: true)
  }

  private func disconnect() {
    greeting = nil
    end = nil
    failing.removeAll()
    guard let bus = raw else { return }
    raw = nil
    sd_bus_close_unref(bus)
  }

  private func subscriptionsLost(isReported: Bool) {
    for subscription in subscriptions { subscription.slot?.lost(isReported: isReported) }
  }

  /// The name in log messages.
  private var name: String {
    switch kind {
    case .system: "system bus"
    case .session: "session bus"
    case .address(let address): "bus \(address)"
    }
  }

  // MARK: - Calls and subscriptions

  /// Adds a subscription.
  func add(_ slot: BusSlot) {
    subscriptions.removeAll { $0.slot == nil }
    subscriptions.append(WeakSlot(slot: slot))
    if isConnected { slot.connected(self) }
  }

  /// Fails a call that could not be sent, in the next turn of the loop.
  func fail(_ slot: CallSlot, _ error: BusError) {
    failing.append((WeakSlot(slot: slot), error))
    failTimer?.arm(at: .zero)
  }

  private func failPendingCalls() {
    let calls = failing
    failing.removeAll()
    for call in calls { (call.slot.slot as? CallSlot)?.finish(.failure(call.error)) }
  }
}
