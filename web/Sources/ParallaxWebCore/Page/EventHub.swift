// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// One subscription for all pages: it begins with the first page and ends with the last.
package final class EventHub: Sendable {
  /// What the subscription reports.
  package enum Report: Sendable {
    case line([UInt8])
    case up
    case down(String)
    /// The time is due.
    case tick
  }

  /// Subscribes, and returns what ends the subscription.
  package typealias Subscribe =
    @Sendable (@escaping @Sendable (Report) -> Void) -> @Sendable () -> Void

  private struct State {
    var pages: [ObjectIdentifier: PageEvents] = [:]
    var greeting = Greeting()
    /// Counts subscriptions, so that a report of an ended one does not count.
    var subscription = 0
    var unsubscribe: (@Sendable () -> Void)?
  }

  private let subscribe: Subscribe
  private let clock: @Sendable () -> EventLine
  private let state = Mutex(State())

  /// - Parameter clock: Returns a CLOCK line with the present time.
  package init(clock: @escaping @Sendable () -> EventLine, subscribe: @escaping Subscribe) {
    self.clock = clock
    self.subscribe = subscribe
  }

  /// The number of pages.
  package var count: Int { state.withLock { $0.pages.count } }

  /// Adds a page, which receives the time and what greets a new subscriber.
  package func join() -> PageEvents {
    let page = PageEvents()
    let first = state.withLock { state -> Int? in
      page.add([clock()] + state.greeting.lines)
      state.pages[ObjectIdentifier(page)] = page
      guard state.pages.count == 1 else { return nil }
      state.subscription += 1
      return state.subscription
    }
    guard let first else { return page }
    let unsubscribe = subscribe { [weak self] report in self?.receive(report, from: first) }
    let isLate = state.withLock { state in
      guard state.subscription == first, !state.pages.isEmpty else { return true }
      state.unsubscribe = unsubscribe
      return false
    }
    // The last page left meanwhile.
    if isLate { unsubscribe() }
    return page
  }

  /// Removes a page.
  package func leave(_ page: PageEvents) {
    page.close()
    let unsubscribe = state.withLock { state -> (@Sendable () -> Void)? in
      guard state.pages.removeValue(forKey: ObjectIdentifier(page)) != nil, state.pages.isEmpty
      else { return nil }
      state.greeting = Greeting()
      state.subscription += 1
      defer { state.unsubscribe = nil }
      return state.unsubscribe
    }
    unsubscribe?()
  }

  private func receive(_ report: Report, from subscription: Int) {
    state.withLock { state in
      guard state.subscription == subscription else { return }
      var lines = state.greeting.add(report)
      if case .tick = report { lines = [clock()] }
      for page in state.pages.values where !lines.isEmpty { page.add(lines) }
    }
  }
}

/// What a new page must know: the last line of each class, and whether the daemon is there.
struct Greeting: Sendable {
  /// In the order in which the classes came; the offset last.
  private var known: [EventLine] = []
  private var link: EventLine?
  /// Classes beyond these do not come from parallaxd.
  private static let maxClasses = 16

  /// Returns the lines for a new page.
  var lines: [EventLine] {
    known.filter { $0.name != "OFFSET" } + known.filter { $0.name == "OFFSET" }
      + (link.map { [$0] } ?? [])
  }

  /// Takes a report and returns the lines that the present pages get.
  mutating func add(_ report: EventHub.Report) -> [EventLine] {
    switch report {
    case .line(let bytes):
      let line = EventLine(bytes)
      if let index = known.firstIndex(where: { $0.name == line.name }) {
        known[index] = line
      } else if known.count < Self.maxClasses, !Self.events.contains(line.name) {
        known.append(line)
      }
      return [line]
    case .up:
      guard link != nil else { return [] }
      link = nil
      return [Self.link("up", nil)]
    case .down(let message):
      known = []
      let line = Self.link("down", message)
      guard line != link else { return [] }
      link = line
      return [line]
    case .tick:
      return []
    }
  }

  /// Lines that matter only when they come.
  private static let events: Set<String> = ["ANIMATION", "ERROR", ""]

  private static func link(_ state: String, _ message: String?) -> EventLine {
    let text = message.map { ",\"message\":\(JSONText.quoted($0))" } ?? ""
    return EventLine(Array("{\"class\":\"LINK\",\"state\":\"\(state)\"\(text)}".utf8))
  }
}

/// The lines for one page, which waits for them.
package final class PageEvents: Sendable {
  private struct State {
    var backlog = EventBacklog()
    var waiter: CheckedContinuation<[UInt8]?, Never>?
    var isClosed = false
  }

  private let state = Mutex(State())

  /// Adds lines, or closes a page for which too much waits.
  func add(_ lines: [EventLine]) {
    let (waiter, events) = state.withLock {
      state -> (CheckedContinuation<[UInt8]?, Never>?, [UInt8]?) in
      guard !state.isClosed else { return (nil, nil) }
      for line in lines { state.backlog.add(line) }
      if state.backlog.isOverfull {
        state.isClosed = true
        state.backlog = EventBacklog()
      }
      guard let waiter = state.waiter else { return (nil, nil) }
      state.waiter = nil
      return (waiter, state.isClosed ? nil : state.backlog.take())
    }
    waiter?.resume(returning: events)
  }

  /// Returns the events that have come since the last call, or waits for some; nil once it is closed. For one
  /// reader.
  package func next() async -> [UInt8]? {
    await withCheckedContinuation { waiter in
      let ready = state.withLock { state -> [UInt8]?? in
        if state.isClosed { return .some(nil) }
        if !state.backlog.isEmpty { return state.backlog.take() }
        state.waiter = waiter
        return nil
      }
      if let ready { waiter.resume(returning: ready) }
    }
  }

  /// Ends the waiting.
  package func close() {
    let waiter = state.withLock { state in
      state.isClosed = true
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume(returning: nil)
  }
}
