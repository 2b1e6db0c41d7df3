// SPDX-License-Identifier: Apache-2.0

import ParallaxAnimation
import ParallaxBase
import ParallaxProtocol

/// Chains: finding, reading and playing their parts.
extension AnimationDirector {
  typealias ChainReply = (Result<AckMessage, PlayError>) -> Void

  /// Starts a chain.
  ///
  /// - Parameters:
  ///   - parts: With their layers and, where the request contains them, their documents.
  ///   - reply: Called once, when the first part has been found and read, before it begins.
  func startChain(
    _ request: ChainRequest, parts: [RequestedAnimation], id: String,
    _ start: PlayStart, owner: any AnimationOwner, tag: RequestTag?, waiter: any DocumentWaiter,
    reply: @escaping ChainReply
  ) {
    guard chains.count < Self.limit else {
      return reply(
        .failure(PlayError("\(Self.limit) chains already play; stop one first", .unavailable)))
    }
    let now = clock()
    // Another start of a chain takes its place, like that of an animation.
    _ = stop(id: id, at: now)
    let chain = LiveChain(
      request, parts: parts, number: nextNumber(), id: id, start: start,
      owner: start.isDetached ? nil : owner, tag: tag, at: now)
    chains.append(chain)
    prepareNext(of: chain.number, waiter: waiter, reply: reply)
  }

  /// Adds a part to the end of a chain.
  func append(
    _ part: RequestedAnimation, to id: String, for client: any AnimationOwner
  ) throws(PlayError) {
    guard let index = chains.firstIndex(where: { $0.id == id }) else {
      throw PlayError("no chain '\(id)' plays", .noSuchAnimation)
    }
    guard chains[index].owner === client || chains[index].start.uid == client.userID else {
      throw PlayError("chain '\(id)' was begun by another user", .denied)
    }
    guard !chains[index].isParallel else {
      throw PlayError("the parts of chain '\(id)' play together; nothing follows", .unavailable)
    }
    guard chains[index].parts.count < ChainRequest.maxParts else {
      throw PlayError("chain '\(id)' has \(ChainRequest.maxParts) parts, the most", .unavailable)
    }
    chains[index].append(part)
    if chains[index].ready.isEmpty { prepareNext(of: chains[index].number) }
  }

  // MARK: - Parts

  /// Finds and reads what comes next, while the present part plays.
  private func prepareNext(
    of number: UInt64, waiter: (any DocumentWaiter)? = nil, reply: ChainReply? = nil
  ) {
    guard let index = chains.firstIndex(where: { $0.number == number }) else { return }
    let requests = chains[index].takeRequests()
    chains[index].ready = requests.map { _ in nil }
    for (place, request) in requests.enumerated() {
      library.prepare(request, for: waiter) { [weak self] result in
        guard let self, let index = chains.firstIndex(where: { $0.number == number }) else {
          return
        }
        if let answer = reply, case .failure(let error) = result, chains[index].begun == 0 {
          chains.remove(at: index)
          return answer(.failure(error))
        }
        guard place < chains[index].ready.count else { return }
        chains[index].ready[place] = result
        guard chains[index].isReady else { return }
        let now = clock()
        if let answer = reply {
          answer(.success(AckMessage(id: chains[index].id, time: now)))
          report(.started, of: number, at: now)
        }
        advanceChains(to: now)
        reportEvents(at: now)
      }
    }
  }

  /// Starts what is due, and ends the chains that have no more parts.
  func advanceChains(to time: MotionInstant) {
    // A part that starts reports its events, which leads here again.
    guard !isAdvancingChains else { return }
    isAdvancingChains = true
    defer { isAdvancingChains = false }
    var begun = 0
    settleChains()
    while begun < ChainRequest.maxParts,
      let index = chains.firstIndex(where: { $0.isDue(at: time) || $0.isOver })
    {
      begun += 1
      if chains[index].isOver {
        let chain = chains[index]
        end(chain.number, .completed, position: .end, time: chain.lastEnd, at: time)
      } else {
        begin(index, at: time)
      }
      settleChains()
    }
    // Parts without a duration, again and again: the rest of this pass is the end.
    if begun == ChainRequest.maxParts {
      for index in chains.indices where chains[index].isDue(at: time) && chains[index].isEndless {
        chains[index].endWithThisPass()
      }
    }
  }

  private func begin(_ index: Int, at time: MotionInstant) {
    let first = chains[index].begun
    guard let (results, since) = chains[index].takeReady() else { return }
    let chain = chains[index]
    for case .failure(let error) in results { return fail(chain.number, error, at: time) }
    let animations = results.compactMap { try? $0.get() }
    if isBlocked { chains[index].endWithThisPass() }
    var numbers: [UInt64] = []
    for (offset, animation) in animations.enumerated() {
      let part = AnimationPart(number: first + offset, document: animation.id)
      if let refusal = refusal(of: animation, at: time) {
        // Parts that play together begin together, or not at all.
        for number in numbers { cancel(number, at: time) }
        fail(chain.number, PlayError(refusal, .unavailable), at: time)
        return
      }
      var start = chain.start
      // Only the first part waits for its hand.
      if part.number > 0 { start.isPaused = false }
      let number = self.start(
        animation.named(chain.stageID(ofPart: part.number)), start,
        part: ChainPlace(chain: chain.number, part: part), since: since, at: time)
      if let number { numbers.append(number) }
    }
    guard let index = chains.firstIndex(where: { $0.number == chain.number }) else { return }
    chains[index].playing += numbers
    prepareNext(of: chain.number)
  }

  /// Takes note of the parts that have ended.
  func settleChains() {
    for index in chains.indices where !chains[index].playing.isEmpty {
      var last = MotionInstant.distantPast
      for number in chains[index].playing {
        guard let end = partEnds[number] else { continue }
        last = max(last, end)
      }
      chains[index].playing.removeAll { partEnds.removeValue(forKey: $0) != nil }
      if chains[index].playing.isEmpty { chains[index].ended(at: last) }
    }
  }

  // MARK: - Ends

  private func fail(_ number: UInt64, _ error: PlayError, at now: MotionInstant) {
    end(number, .failed, position: .current, message: error.answer.message, at: now)
  }

  /// Cancels the chains with an id, or all, without their parts.
  func cancelChains(id: String?, at now: MotionInstant) {
    for chain in chains where id == nil || chain.id == id {
      end(chain.number, .cancelled, position: .start, at: now)
    }
  }

  /// Cancels the chains of an owner who has left.
  func cancelChains(of owner: any AnimationOwner, at now: MotionInstant) {
    for chain in chains where chain.owner === owner {
      _ = stop(id: chain.id, at: now)
    }
  }

  private func end(
    _ number: UInt64, _ event: AnimationMessage.Event, position: AnimationMessage.Position,
    message: String? = nil, time: MotionInstant? = nil, at now: MotionInstant
  ) {
    report(event, of: number, position: position, message: message, time: time, at: now)
    chains.removeAll { $0.number == number }
  }

  private func report(
    _ event: AnimationMessage.Event, of number: UInt64,
    position: AnimationMessage.Position? = nil, message: String? = nil,
    time: MotionInstant? = nil, at now: MotionInstant
  ) {
    guard let chain = chains.first(where: { $0.number == number }) else { return }
    reportChain(
      AnimationMessage(
        id: chain.id, event: event, position: position, message: message, time: time ?? now),
      of: number, at: now)
  }
}

/// Which part of which chain an animation is.
struct ChainPlace {
  let chain: UInt64
  let part: AnimationPart
}

extension LiveChain {
  /// Whether all parts have ended and none follows.
  fileprivate var isOver: Bool { begun > 0 && playing.isEmpty && ready.isEmpty }
}
