import ParallaxTestSupport
import Testing

@testable import ParallaxClient

/// The library against parallaxd itself.
@Suite("A stream from a daemon", .timeLimit(.minutes(10)))
struct LiveStreamTests {
  @Test func `greeting, offsets with their layers, and an echo`() async throws {
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
      // A machine that is busy may lose some, and says so.
      #expect(next.seq == offset.seq + 1 + (next.dropped ?? 0))
      #expect(next.timeNanoseconds > offset.timeNanoseconds)
    }
    for offset in offsets {
      let layer = try #require(offset.layers.first)
      #expect(offset.layers.count == 1 && layer.name == "bg")
      #expect(abs(layer.x + 0.5 * offset.x) < 0.000_1)
    }
    let last = try #require(offsets.last)
    let there = MonotonicInstant(nanoseconds: last.timeNanoseconds)
    #expect(stream.offset(at: there) != nil)
    // Times are of this machine's clock: the frame was due a moment ago.
    #expect(abs(there.duration(to: .now).components.seconds) < 60)
  }

  @Test func `a refused WATCH is told, and the stream goes on`() async throws {
    let daemon = try LiveDaemon()
    let stream = ParallaxStream(.init(socketPath: daemon.socket))
    stream.send(WatchMessage(rateHertz: -1))
    var isTold = false
    for try await message in stream {
      if case .error(let error) = message {
        #expect(error.code == .badRequest)
        isTold = true
      } else if isTold, case .offset = message {
        break
      }
    }
    #expect(isTold)
  }

  @Test func `a daemon that is started again is found again`() async throws {
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
