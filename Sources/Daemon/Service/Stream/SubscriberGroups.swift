// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

/// Sorts the subscribers into groups.
///
/// A subscriber is in a group of its own from each request that could change what it gets until it is sent
/// the same frame as the others with its settings: then all of them would get the same lines.
final class SubscriberGroups {
  /// The groups that want frames, in no particular order.
  private(set) var active: [SubscriberGroup] = []
  /// Of these, the one that others with the same settings join.
  private var established: [Key: SubscriberGroup] = [:]
  /// False keeps every subscriber in a group of its own, for comparison.
  var sharesLines = true
  /// The other active ones.
  private var unsettled: [SubscriberGroup] = []

  private struct Key: Hashable {
    let userID: UInt32
    let settings: SubscriberSettings

    init(_ group: SubscriberGroup) {
      userID = group.user.uid
      settings = group.settings
    }
  }

  /// Adds a group with one subscriber, which may then be in another group. Unless it is enabled, it is
  /// in no list.
  func insert(_ group: SubscriberGroup) {
    guard group.settings.isEnabled else { return }
    group.place = active.count
    active.append(group)
    guard !settle(group) else { return }
    group.unsettledPlace = unsettled.count
    unsettled.append(group)
  }

  /// Takes a subscriber out, with the settings and the history of its group. `insert` adds the result.
  func isolate(_ subscriber: Subscriber) -> SubscriberGroup {
    let group = subscriber.group
    guard group.count > 1 else {
      withdraw(group)
      return group
    }
    group.remove(subscriber)
    let own = SubscriberGroup(like: group)
    own.add(subscriber)
    return own
  }

  /// Joins groups after a frame was offered to all of them.
  func settle(after seq: UInt64) {
    // Backward: the last one takes the place of one that leaves.
    var index = unsettled.count - 1
    while index >= 0 {
      let group = unsettled[index]
      if group.lastOffered == seq, settle(group) { removeUnsettled(group) }
      index -= 1
    }
  }

  /// Establishes a group, or joins it with the established one if they would send the same from now on.
  private func settle(_ group: SubscriberGroup) -> Bool {
    let key = Key(group)
    guard let other = established[key] else {
      established[key] = group
      return true
    }
    if other === group { return true }
    guard sharesLines, other.history == group.history else { return false }
    withdraw(group)
    other.absorb(group)
    return true
  }

  private func withdraw(_ group: SubscriberGroup) {
    guard let place = group.place else { return }
    group.place = nil
    let last = active.removeLast()
    if last !== group {
      active[place] = last
      last.place = place
    }
    removeUnsettled(group)
    let key = Key(group)
    if established[key] === group { established[key] = nil }
  }

  private func removeUnsettled(_ group: SubscriberGroup) {
    guard let place = group.unsettledPlace else { return }
    group.unsettledPlace = nil
    let last = unsettled.removeLast()
    guard last !== group else { return }
    unsettled[place] = last
    last.unsettledPlace = place
  }
}
