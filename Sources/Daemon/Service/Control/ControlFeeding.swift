// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxConfig
import ParallaxProtocol

/// FEED, SAMPLE and SAMPLES: the samples of one client are the source of motion for as long as its
/// connection lasts.
extension ControlService {
  func beginFeed(
    _ request: FeedRequest, of client: ControlSession, tag: RequestTag?, at now: MotionInstant
  ) -> ControlAnswer? {
    if let refusal = refusalOfFeed(of: client) { return .error(refusal, tag: tag) }
    feed.begin(request)
    hub.feedChanged(at: now)
    client.isFeeding = true
    reply(.ack(AckMessage(), tag: tag), to: client, at: now)
    reply(.device(hub.device), to: client, at: now)
    return nil
  }

  private func refusalOfFeed(of client: ControlSession) -> ErrorMessage? {
    let kind = hub.configuration.source.kind
    let why: String
    if client.isFeeding {
      why = "this connection already sends samples"
    } else if let other = feed.facts {
      why = "'\(other.name)' already sends samples; end it first"
    } else if !kind.takesFeed {
      why = Self.mismatch(kind)
    } else {
      return nil
    }
    return ErrorMessage(message: why, code: .unavailable)
  }

  private static func mismatch(_ kind: SourceKind) -> String {
    "the daemon reads \"\(kind.text)\" only; set source.kind to \"gyroscope\" or \"feed\""
  }

  /// Adds samples to the feed. The session delivers them once for all lines of a turn.
  ///
  /// - Returns: The answer; nil if they are accepted.
  func take(
    _ samples: some Sequence<SampleRequest>, from client: ControlSession, tag: RequestTag?,
    at now: MotionInstant
  ) -> ControlAnswer? {
    guard client.isFeeding else {
      return .error(ErrorMessage(message: "send FEED first", code: .unavailable), tag: tag)
    }
    for sample in samples { feed.add(sample, at: now) }
    return nil
  }

  /// Ends the feed of a client, if it has one.
  func endFeed(of client: ControlSession, at now: MotionInstant) {
    guard client.isFeeding else { return }
    client.isFeeding = false
    feed.end()
    hub.feedChanged(at: now)
    // The memory of long lines of samples.
    HeapMemory.release()
  }

  /// Ends a feed that the new configuration does not read.
  func endUnreadFeed(at now: MotionInstant) {
    let kind = hub.configuration.source.kind
    guard !kind.takesFeed else { return }
    for client in clients where client.isFeeding {
      endFeed(of: client, at: now)
      client.channel.finish(
        ErrorMessage(message: Self.mismatch(kind), code: .unavailable), at: now)
    }
  }
}
