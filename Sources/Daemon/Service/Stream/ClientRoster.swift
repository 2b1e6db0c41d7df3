// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

/// A client that a `ClientRoster` lists.
protocol RosterClient: AnyObject {
  var channel: LineChannel { get }
  /// Its index in the roster. Only the roster sets it.
  var place: Int { get set }
}

/// The clients of a service: which are connected, which have closed, and whose time limit ends next.
///
/// Clients report what changes, so that a turn of the loop costs nothing for those that do nothing.
final class ClientRoster<Client: RosterClient> {
  /// In no particular order.
  private(set) var clients: [Client] = []
  private var closed: [Client] = []
  private let stalls = StallQueue()

  func add(_ client: Client) {
    client.place = clients.count
    clients.append(client)
    client.channel.follow(stalls: stalls) { [weak self, weak client] in
      if let client { self?.closed.append(client) }
    }
  }

  /// Whether `removeClosed` would return anyone.
  var hasClosed: Bool { !closed.isEmpty }

  /// Removes the clients that have closed since the last call. The last client takes the place of each.
  func removeClosed() -> [Client] {
    let removed = closed
    closed = []
    for client in removed {
      let last = clients.removeLast()
      guard last !== client else { continue }
      clients[client.place] = last
      last.place = client.place
    }
    return removed
  }

  /// When `expire` must be called next; nil if no client has lines waiting.
  var deadline: MotionInstant? { stalls.deadline }

  /// Disconnects the clients that have read nothing for too long.
  func expire(at now: MotionInstant) { stalls.expire(at: now) }
}

/// The channels whose lines wait for the client to read, by the time at which each is to be looked at.
///
/// A channel is in it at most once. Its entry stays while the client reads, which moves the time limit:
/// only when the entry is due, it gets the new one.
final class StallQueue {
  private struct Entry {
    var channel: LineChannel
    var due: MotionInstant
  }

  /// Ascending; those before `first` are over.
  private var entries: [Entry] = []
  private var first = 0

  /// No later than the first time limit; nil if there is none.
  var deadline: MotionInstant? {
    while first < entries.count, entries[first].channel.deadline == nil { removeFirst() }
    return first < entries.count ? entries[first].due : nil
  }

  func add(_ channel: LineChannel) {
    guard !channel.isInStallQueue, let due = channel.deadline else { return }
    channel.isInStallQueue = true
    var (low, high) = (first, entries.count)
    // Most come last.
    if let last = entries.last, last.due <= due { low = high }
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].due <= due { low = middle + 1 } else { high = middle }
    }
    entries.insert(Entry(channel: channel, due: due), at: low)
  }

  /// Closes the channels whose time limit has passed.
  func expire(at now: MotionInstant) {
    while let due = deadline, due <= now {
      let channel = removeFirst()
      channel.expire(at: now)
      add(channel)
    }
  }

  @discardableResult
  private func removeFirst() -> LineChannel {
    let channel = entries[first].channel
    channel.isInStallQueue = false
    first += 1
    if first == entries.count || first >= 256 && first * 2 >= entries.count {
      entries.removeFirst(first)
      first = 0
    }
    return channel
  }
}
