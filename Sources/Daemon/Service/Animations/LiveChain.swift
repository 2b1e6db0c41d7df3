// SPDX-License-Identifier: Apache-2.0

import ParallaxAnimation
import ParallaxBase
import ParallaxProtocol

/// A chain of documents that plays: parts one after the other, or together, in one pass or several.
///
/// It knows what comes next, not how: `AnimationDirector` finds and reads the parts, and plays them.
/// In a sequence the next part is fetched while one plays, and begins at the instant at which that one
/// has ended.
struct LiveChain {
  let number: UInt64
  let id: String
  private let request: ChainRequest
  let start: PlayStart
  /// nil: detached, it ends with no connection.
  weak var owner: (any AnimationOwner)?
  let tag: RequestTag?
  /// Whether its start was reported to the owner, but not yet its end.
  var isOwed = false

  /// The parts of a pass; ANIMATE appends to them.
  private(set) var parts: [RequestedAnimation]
  /// The part of the pass that begins next.
  private var next = 0
  private var passesLeft: Int?
  private var partsLeft: Int?
  /// The parts that have begun, in all passes.
  private(set) var begun = 0
  /// The parts that begin next, in their order; nil: being found and read.
  var ready: [Result<ReadyAnimation, PlayError>?] = []
  /// The numbers of the plays that have begun and not ended.
  var playing: [UInt64] = []
  /// When the next part, or pass, begins; nil while parts play.
  private(set) var due: MotionInstant?
  /// When the newest part, or pass, began; it may be between two frames.
  private(set) var lastBegin: MotionInstant?
  /// When the last part that has ended did so.
  private(set) var lastEnd: MotionInstant?

  init(
    _ request: ChainRequest, parts: [RequestedAnimation], number: UInt64, id: String,
    start: PlayStart, owner: (any AnimationOwner)?, tag: RequestTag?, at now: MotionInstant
  ) {
    self.request = request
    self.parts = parts
    self.number = number
    self.id = id
    self.start = start
    self.owner = owner
    self.tag = tag
    passesLeft = request.passes
    partsLeft = request.take
    due = now.adding(delay: request.delaySeconds)
  }

  var isParallel: Bool { request.order == .parallel }

  /// Whether all of `ready` has been found and read.
  var isReady: Bool { !ready.isEmpty && ready.allSatisfy { $0 != nil } }

  /// When the next parts begin; nil until they have been read, or others have ended.
  var nextBegin: MotionInstant? { isReady && playing.isEmpty ? due : nil }

  /// Whether the next parts begin by that time, as far as they have been read.
  func isDue(at now: MotionInstant) -> Bool {
    guard let nextBegin else { return false }
    return nextBegin <= now
  }

  /// Takes what begins now.
  mutating func takeReady() -> (
    results: [Result<ReadyAnimation, PlayError>], since: MotionInstant
  )? {
    guard let due else { return nil }
    let results = ready.compactMap(\.self)
    ready = []
    begun += results.count
    lastBegin = due
    self.due = nil
    return (results, due)
  }

  /// Takes note that what played has ended at a time.
  mutating func ended(at time: MotionInstant) {
    lastEnd = time
    due = time.adding(delay: request.delaySeconds)
  }

  /// Returns the parts to find and read next; empty if the chain has no more.
  mutating func takeRequests() -> [RequestedAnimation] {
    guard partsLeft != 0, !parts.isEmpty else { return [] }
    if next == parts.count {
      if let left = passesLeft, left <= 1 { return [] }
      passesLeft = passesLeft.map { $0 - 1 }
      next = 0
    }
    let all = isParallel ? parts[next...] : parts[next..<next + 1]
    let taken = all.prefix(partsLeft ?? .max)
    next += isParallel ? all.count : taken.count
    partsLeft = partsLeft.map { $0 - taken.count }
    return Array(taken)
  }

  /// Whether it repeats without an end.
  var isEndless: Bool { passesLeft == nil && partsLeft == nil }

  /// Ends it with the present pass, as a closed gate does.
  mutating func endWithThisPass() { passesLeft = 1 }

  mutating func append(_ part: RequestedAnimation) { parts.append(part) }

  /// The id of a part on the stage. Parts that play together need one each.
  func stageID(ofPart index: Int) -> String { isParallel ? "\(id)#\(index)" : id }
}

extension MotionInstant {
  fileprivate func adding(delay seconds: Double) -> MotionInstant {
    self + MotionDuration(seconds: seconds)
  }
}
