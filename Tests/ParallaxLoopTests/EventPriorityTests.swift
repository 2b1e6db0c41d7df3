// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxLoop
import ParallaxTestSupport
import Testing

/// Which of several events comes first.
struct EventPriorityTests {
  private static let urgent = EventPriority(rawValue: -20)
  private static let late = EventPriority(rawValue: 20)

  @Test func theMostUrgentEventComesFirst() throws {
    let loop = try EventLoop()
    var order: [String] = []
    let (reading, writing) = (try Pipe(), try Pipe())
    let slow = try loop.watch(
      descriptor: reading.reading.raw, interest: .read, priority: Self.late
    ) { _ in
      order.append("late")
      _ = reading.readAll()
    }
    let normal = try loop.watch(descriptor: writing.reading.raw, interest: .read) { _ in
      order.append("normal")
      _ = writing.readAll()
    }
    let timer = try loop.timer(priority: Self.urgent) { order.append("urgent") }
    reading.write("x")
    writing.write("x")
    timer.arm(at: MonotonicClock.now())
    try loop.drain()
    #expect(order == ["urgent", "normal", "late"])
    slow.cancel()
    normal.cancel()
  }

  /// A deferred call that requests itself again does not keep the others from their turn.
  @Test func aDeferredCallComesAfterEventsOfItsRank() throws {
    let loop = try EventLoop()
    var order: [String] = []
    let pipe = try Pipe()
    let holder = Holder()
    holder.source = loop.deferred(priority: Self.late) {
      order.append("deferred")
      if order.count < 7 { holder.source?.request() }
    }
    let source = try loop.watch(
      descriptor: pipe.reading.raw, interest: .read, priority: Self.late
    ) { _ in
      order.append("read")
      _ = pipe.readAll()
    }
    holder.source?.request()
    pipe.write("x")
    try loop.drain()
    #expect(order.count == 7)
    #expect(order.prefix(3).contains("read"), "\(order)")
    source.cancel()
    holder.source?.cancel()
    holder.source = nil
  }

  private final class Holder {
    var source: DeferredSource?
  }

  @Test func aRequestCallsOnce() throws {
    let loop = try EventLoop()
    var calls = 0
    let source = loop.deferred { calls += 1 }
    #expect(try !loop.turn(waiting: false))
    source.request()
    source.request()
    try loop.drain()
    #expect(calls == 1)
    source.request()
    source.cancel()
    try loop.drain()
    #expect(calls == 1)
  }
}
