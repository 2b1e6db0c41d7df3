// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import ParallaxLoop
import ParallaxTestSupport
import Testing

let echoName = "org.example.Echo"
let echoPath = "/org/example/Echo"

/// A bus daemon, a connection to it, and the connection's log.
final class BusRig {
  let loop: EventLoop
  let daemon: PrivateBus
  let bus: Bus
  private(set) var log: [String] = []
  private var slots: [BusSlot] = []

  init(_ address: String? = nil) throws {
    let loop = try EventLoop()
    let daemon = try PrivateBus()
    self.loop = loop
    self.daemon = daemon
    var lines: (String) -> Void = { _ in }
    bus = try Bus(
      loop, .address(address ?? daemon.address), firstPause: 10_000_000,
      log: { lines($1) })
    lines = { [weak self] in self?.log.append($0) }
  }

  func connect() throws {
    bus.open()
    try loop.run("the bus is there") { bus.isConnected }
  }

  /// Calls a method and waits for the answer.
  func ask(
    _ destination: String, _ member: String,
    _ arguments: [BusValue] = [], timeoutMilliseconds: Int = 25_000
  ) throws -> Result<BusMessage, BusError> {
    var answer: Result<BusMessage, BusError>?
    let slot = bus.call(
      destination, echoPath, echoName, member, arguments, timeoutMilliseconds: timeoutMilliseconds
    ) { answer = $0 }
    try loop.run("an answer to \(member)") { answer != nil }
    slot.cancel()
    return try #require(answer)
  }

  /// Waits until everything sent before has arrived: the bus keeps the order.
  func settle() throws {
    var isAnswered = false
    let slot = bus.call(Bus.driver, "/org/freedesktop/DBus", Bus.driver, "GetId") { _ in
      isAnswered = true
    }
    try loop.run("the bus's id") { isAnswered }
    slot.cancel()
  }
}

extension Result where Success == BusMessage, Failure == BusError {
  /// The error; nil for a success.
  var error: BusError? {
    if case .failure(let error) = self { error } else { nil }
  }

  /// The first value of the answer.
  func value() throws -> BusValue { try get().next() }
}
