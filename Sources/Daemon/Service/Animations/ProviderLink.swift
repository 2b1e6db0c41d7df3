// SPDX-License-Identifier: Apache-2.0

import Glibc
package import ParallaxBase
package import ParallaxLoop
import ParallaxMotion
import ParallaxProtocol

/// Fetches documents of a web server through parallax-provider, over a Unix socket: the daemon itself
/// does not use the network. Nothing here blocks, and every request is answered within 6 s.
///
/// Each request has its own connection, so there is no connection to keep or restore between requests,
/// and systemd starts the provider on demand.
package final class ProviderLink {
  /// The time limit of a request. The provider itself reports a server that does not answer after 5 s.
  package static let timeLimit: MotionDuration = .seconds(6)
  /// The maximum number of pending requests.
  package static let limit = 16

  private let loop: EventLoop
  private let path: String
  private let timeLimit: MotionDuration
  private let clock: () -> MotionInstant
  private var requests: [ProviderRequest] = []

  /// - Parameters:
  ///   - path: The provider's socket, `SocketPaths.provider`.
  ///   - timeLimit: Default 6 s.
  package init(
    _ loop: EventLoop, path: String, timeLimit: MotionDuration = timeLimit,
    clock: @escaping () -> MotionInstant = MonotonicClock.now
  ) {
    self.loop = loop
    self.path = path
    self.timeLimit = timeLimit
    self.clock = clock
  }

  /// The number of pending requests.
  package var pending: Int { requests.count }

  /// Fetches the document `id` of the server at `base`.
  ///
  /// - Parameters:
  ///   - id: Letters, digits, `.`, `_` and `-`.
  ///   - base: `animations.url`, as in `https://example.org/animations`.
  ///   - reply: Called once; before `fetch` returns if the provider cannot be reached.
  package func fetch(
    _ id: String, from base: String,
    reply: @escaping (Result<ProvidedDocument, ProviderError>) -> Void
  ) {
    guard requests.count < Self.limit else {
      return reply(
        .failure(
          ProviderError("\(Self.limit) documents are already being fetched; try again later")))
    }
    do throws(SystemError) {
      let request = try ProviderRequest(
        loop, path: path, id: id, base: base,
        deadline: clock() + timeLimit
      ) { [weak self] request, result in
        self?.requests.removeAll { $0 === request }
        reply(result)
      }
      requests.append(request)
    } catch {
      reply(.failure(Self.providerError(error)))
    }
  }

  /// Returns the command that starts the provider of a socket.
  private static func advice(_ error: SystemError) -> String {
    let path = error.path ?? "PATH"
    return path.hasPrefix("/run/parallax/")
      ? "systemctl enable --now parallax-provider.socket"
      : "systemctl --user enable --now parallax-provider.socket, or "
        + "parallax-provider --socket \(path)"
  }

  private static func providerError(_ error: SystemError) -> ProviderError {
    switch error.number {
    case ENOENT, ECONNREFUSED:
      ProviderError(
        "animations.url requires parallax-provider, which is not running; \(advice(error))")
    case EAGAIN:
      ProviderError("parallax-provider is busy; try again later")
    default:
      ProviderError("cannot contact parallax-provider: \(error)")
    }
  }
}

/// One request and its connection. Releasing it cancels the request without a reply.
private final class ProviderRequest {
  private typealias Reply = (ProviderRequest, Result<ProvidedDocument, ProviderError>) -> Void

  private var stream: UnixStream?
  // Must end before the stream: see `close`.
  private var source: IOSource?
  private var timer: TimerSource?
  private var unsent: [UInt8]
  private var answer: ProviderAnswer
  private var reply: Reply?

  private static let blockBytes = 64 << 10

  init(
    _ loop: EventLoop, path: String, id: String, base: String, deadline: MotionInstant,
    reply: @escaping (ProviderRequest, Result<ProvidedDocument, ProviderError>) -> Void
  ) throws(SystemError) {
    answer = ProviderAnswer(id: id)
    unsent = Self.line(id: id, base: base)
    let stream = try UnixStream.connect(to: path)
    timer = try loop.timer { [weak self] in
      self?.end(.failure(ProviderError("parallax-provider does not answer")))
    }
    source = try loop.watch(descriptor: stream.descriptor.raw, interest: [.read, .write]) {
      [weak self] events in self?.handle(events)
    }
    self.stream = consume stream
    self.reply = reply
    timer?.arm(at: deadline)
  }

  deinit { close() }

  private static func line(id: String, base: String) -> [UInt8] {
    var line = OutputBuffer()
    line.append("{\"class\":\"FETCH\",\"base\":")
    line.append(jsonString: base)
    line.append(",\"id\":")
    line.append(jsonString: id)
    line.append("}\n")
    return line.withBytes { Array($0) }
  }

  private func handle(_ events: IOEvents) {
    // Bytes sent before a hang-up still count.
    if events.contains(.readable) || !events.isDisjoint(with: [.hungUp, .failed]) { receive() }
    if events.contains(.writable), reply != nil { send() }
  }

  private func send() {
    switch unsent.withUnsafeBytes({ stream?.send($0) ?? .closed }) {
    case .sent(let count): unsent.removeFirst(count)
    case .wouldBlock: break
    // Reading reports a provider that is gone, after the bytes that it has sent.
    case .closed, .failed: unsent = []
    }
    if unsent.isEmpty { source?.interest = .read }
  }

  private func receive() {
    var result: Result<ProvidedDocument, ProviderError>?
    withUnsafeTemporaryAllocation(byteCount: Self.blockBytes, alignment: 1) { buffer in
      switch stream?.receive(into: buffer) ?? .closed {
      case .received(let count):
        do throws(ProviderError) {
          if try answer.add(UnsafeRawBufferPointer(rebasing: buffer[..<count])) {
            result = answer.whole().map { .success($0) }
          }
        } catch {
          result = .failure(error)
        }
      case .wouldBlock: break
      case .endOfInput, .closed, .failed:
        result = .failure(ProviderError("parallax-provider ended before answering"))
      }
    }
    if let result { end(result) }
  }

  private func end(_ result: Result<ProvidedDocument, ProviderError>) {
    guard let reply else { return }
    close()
    self.reply = nil
    reply(self, result)
  }

  private func close() {
    timer?.cancel()
    source?.cancel()
    timer = nil
    source = nil
    stream = nil
  }
}
