// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase
import ParallaxProtocol

/// What the connections of one user share, on both sockets: many connections get no more than one.
package final class UserBudget {
  /// Requests per second that a user may send in the long run: eight times what a display that polls
  /// 60 times per second sends.
  package static let requestsPerSecond = 500.0
  /// Requests that a user may send at once.
  package static let requestBurst = 1_000.0
  /// The price of a connection, in requests: accepting, greeting and closing one costs about as much.
  package static let connectionCost = 10.0
  /// A longer request costs one more for each of these: parsing 60 kB takes as long as many short requests.
  package static let bytesPerRequest = 1 << 10
  /// Bytes that may wait in the daemon for or from a user's connections, recordings excepted.
  package static let maxWaitingBytes = 1 << 20

  package private(set) var waitingBytes = 0
  private let isLimited: Bool
  private let memory: FreedMemory
  private var channels = 0
  private var requests = TokenBucket(perSecond: requestsPerSecond, burst: requestBurst)

  /// - Parameter isLimited: False for privileged users.
  fileprivate init(isLimited: Bool, memory: FreedMemory) {
    self.isLimited = isLimited
    self.memory = memory
  }

  // MARK: - Requests

  /// Pays for a connection, or returns why it is refused.
  func refusal(at now: MotionInstant) -> ErrorMessage? {
    !isLimited || requests.take(Self.connectionCost, at: now) ? nil : Self.tooManyRequests
  }

  /// Pays for a request of that many bytes; false if the user has sent too many.
  func takeRequest(bytes: Int, at now: MotionInstant) -> Bool {
    !isLimited || requests.take(1 + Double(bytes / Self.bytesPerRequest), at: now)
  }

  /// The last line for a user who has sent too many.
  static let tooManyRequests = ErrorMessage(
    message:
      "you send too many requests: the limit is \(Int(requestsPerSecond)) per second for each user",
    code: .tooMany)

  // MARK: - Memory

  /// Whether the user's connections together hold more than they may.
  var isOverMemory: Bool { isLimited && waitingBytes > Self.maxWaitingBytes }

  /// Takes note that a channel's waiting bytes have changed.
  func changeWaitingBytes(by change: Int) {
    waitingBytes += change
    if change < 0 { memory.add(-change) }
  }

  func channelDidOpen() { channels += 1 }

  func channelDidClose() {
    channels -= 1
    memory.add(FreedMemory.bytesPerClient)
  }

  /// Whether a new budget could replace it.
  fileprivate func isUnused(at now: MotionInstant) -> Bool {
    channels == 0 && requests.isFull(at: now)
  }
}

/// The budgets of the users that are connected, or were a moment ago.
package final class UserBudgets {
  private var budgets: [Key: UserBudget] = [:]
  /// The number of budgets at which unused ones are removed.
  private var purgeCount = 64
  private let memory = FreedMemory()

  private struct Key: Hashable {
    var userID: UInt32
    var isLimited: Bool
  }

  package init() {}

  /// The number of budgets that are kept.
  package var count: Int { budgets.count }

  /// Returns the budget of a user. It is kept while it differs from a new one.
  ///
  /// - Parameter isLimited: False for privileged users.
  package func budget(
    ofUser userID: UInt32, isLimited: Bool, at now: MotionInstant
  ) -> UserBudget {
    let key = Key(userID: userID, isLimited: isLimited)
    if let budget = budgets[key] { return budget }
    if budgets.count >= purgeCount {
      budgets = budgets.filter { !$0.value.isUnused(at: now) }
      purgeCount = max(64, 2 * budgets.count)
    }
    let budget = UserBudget(isLimited: isLimited, memory: memory)
    budgets[key] = budget
    return budget
  }

  /// Returns freed memory to the system once it is worth the call.
  func releaseMemory() { memory.release() }
}

/// Memory that clients no longer use. The allocator keeps it until a call releases it.
private final class FreedMemory {
  /// What a closed connection frees, roughly.
  static let bytesPerClient = 8 << 10
  /// From this size on it is released: a call takes up to a millisecond.
  private static let threshold = 512 << 10

  private var bytes = 0

  func add(_ count: Int) { bytes += count }

  func release() {
    guard bytes >= Self.threshold else { return }
    bytes = 0
    HeapMemory.release()
  }
}
