// SPDX-License-Identifier: Apache-2.0

import ParallaxTestSupport
import Testing

@testable import ParallaxClient

/// The library with a running parallaxd.
@Suite("A stream from parallaxd", .timeLimit(.minutes(10)))
struct LiveStreamTests {
  @Test func versionOffsetsWithLayersAndEchoArrive() async throws {
    let daemon = try LiveDaemon()
    let stream = ParallaxStream(
      .init(
        socketPath: daemon.socket, watch: WatchMessage(layers: [.init(name: "bg", depth: -0.5)])))
    var iterator = stream.makeAsyncIterator()
    #expect(try await iterator.next() == .version(.current))
    var isEchoed = false
    var offsets: [OffsetMessage] = []
    while offsets.count < 5, let message = try await iterator.next() {
      switch message {
      case .watch(let watch):
        isEchoed = true
        #expect(watch.layers == [.init(name: "bg", depth: -0.5)])
      case .offset(let offset) where isEchoed: offsets.append(offset)
      default: break
      }
    }
    for (offset, next) in zip(offsets, offsets.dropFirst()) {
      // On a busy machine, some frames may be lost, which `dropped` reports.
      #expect(next.seq == offset.seq + 1 + (next.dropped ?? 0))
      #expect(next.time > offset.time)
    }
    for offset in offsets {
      let layer = try #require(offset.layers.first)
      #expect(offset.layers.count == 1 && layer.name == "bg")
      #expect(abs(layer.x + 0.5 * offset.x) < 0.000_1)
    }
    let last = try #require(offsets.last)
    #expect(stream.offset(at: last.time) != nil)
    // Times are on this machine's clock: the frame is recent.
    #expect(abs(last.time.duration(to: .now).components.seconds) < 60)
  }

  @Test func invalidWatchIsReportedAndTheStreamContinues() async throws {
    let daemon = try LiveDaemon()
    let stream = ParallaxStream(.init(socketPath: daemon.socket))
    stream.send(WatchMessage(rateHertz: -1))
    var isReported = false
    for try await message in stream {
      if case .error(let error) = message {
        #expect(error.code == .badRequest)
        isReported = true
      } else if isReported, case .offset = message {
        break
      }
    }
    #expect(isReported)
  }

  @Test func streamReconnectsToARestartedDaemon() async throws {
    let folder = try TemporaryFolder()
    var daemon: LiveDaemon? = try LiveDaemon(in: folder)
    let stream = ParallaxStream(
      .init(
        socketPath: folder("parallax.sock"),
        reconnection: .exponential(from: .milliseconds(1), to: .milliseconds(10))))
    var iterator = stream.makeAsyncIterator()
    #expect(try await iterator.next() == .version(.current))
    _ = try daemon?.end()
    var isShutDown = false
    while !isShutDown, let message = try await iterator.next() {
      if case .device(let device) = message { isShutDown = device.reason == "shutdown" }
    }
    #expect(isShutDown)
    daemon = try LiveDaemon(in: folder)
    var classes: [String] = []
    while classes.last != "offset", let message = try await iterator.next() {
      switch message {
      case .version: classes.append("version")
      case .offset: classes.append("offset")
      default: break
      }
    }
    #expect(classes == ["version", "offset"])
    withExtendedLifetime(daemon) {}
  }
}
