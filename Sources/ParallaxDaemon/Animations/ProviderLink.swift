import Glibc
package import ParallaxSystem
import ParallaxMotion
import ParallaxWire

/// The daemon's way to documents on a web server: it asks parallax-provider over a Unix socket, and has
/// no network of its own. Nothing here waits, and every question is answered within 6 s.
///
/// One connection a question, made when it is asked: between questions there is nothing to keep or to
/// mend, and systemd starts the provider at the first one.
package final class ProviderLink {
  /// The provider gives up on a server after 5 s and says so; this is for one that says nothing, ns.
  package static let patienceNanoseconds: Int64 = 6_000_000_000
  /// Questions at a time; one more is refused.
  package static let limit = 16

  private let loop: EventLoop
  private let path: String
  private let patienceNanoseconds: Int64
  private let clock: () -> Int64
  private var questions: [ProviderQuestion] = []

  /// - Parameters:
  ///   - path: the provider's socket, `SocketPaths.provider`.
  ///   - patienceNanoseconds: default 6 s.
  package init(
    _ loop: EventLoop, path: String, patienceNanoseconds: Int64 = patienceNanoseconds,
    clock: @escaping () -> Int64 = MonotonicClock.now
  ) {
    self.loop = loop
    self.path = path
    self.patienceNanoseconds = patienceNanoseconds
    self.clock = clock
  }

  /// Questions under way.
  package var waiting: Int { questions.count }

  /// Asks for the document `id` of the server at `base`.
  ///
  /// - Parameters:
  ///   - id: letters, digits, `.`, `_` and `-`.
  ///   - base: `animations.url`, as in `https://example.org/animations`.
  ///   - reply: called once; before `fetch` returns where there is nobody to ask.
  package func fetch(
    _ id: String, from base: String,
    reply: @escaping (Result<ProvidedDocument, ProviderTrouble>) -> Void
  ) {
    guard questions.count < Self.limit else {
      return reply(
        .failure(
          ProviderTrouble("\(Self.limit) documents are being fetched already; try again later")))
    }
    do throws(SystemError) {
      let question = try ProviderQuestion(
        loop, path: path, id: id, base: base,
        deadlineNanoseconds: clock() + patienceNanoseconds
      ) { [weak self] question, result in
        self?.questions.removeAll { $0 === question }
        reply(result)
      }
      questions.append(question)
    } catch {
      reply(.failure(Self.trouble(error)))
    }
  }

  /// How to start the provider that a socket belongs to.
  private static func advice(_ error: SystemError) -> String {
    let path = error.path ?? "PATH"
    return path.hasPrefix("/run/parallax/")
      ? "systemctl enable --now parallax-provider.socket"
      : "systemctl --user enable --now parallax-provider.socket, or "
        + "parallax-provider --socket \(path)"
  }

  private static func trouble(_ error: SystemError) -> ProviderTrouble {
    switch error.number {
    case ENOENT, ECONNREFUSED:
      ProviderTrouble(
        "animations.url needs parallax-provider, which does not run; \(advice(error))")
    case EAGAIN:
      ProviderTrouble("parallax-provider is busy; try again later")
    default:
      ProviderTrouble("parallax-provider cannot be asked: \(error)")
    }
  }
}

/// One question and its connection. Its maker keeps it; let go of, it is taken back without an answer.
private final class ProviderQuestion {
  private typealias Reply = (ProviderQuestion, Result<ProvidedDocument, ProviderTrouble>) -> Void

  private var stream: UnixStream?
  // Behind the stream and yet gone before it: see `close`.
  private var source: IOSource?
  private var timer: TimerSource?
  private var unsent: [UInt8]
  private var answer: ProviderAnswer
  private var reply: Reply?

  private static let blockBytes = 64 << 10

  init(
    _ loop: EventLoop, path: String, id: String, base: String, deadlineNanoseconds: Int64,
    reply: @escaping (ProviderQuestion, Result<ProvidedDocument, ProviderTrouble>) -> Void
  ) throws(SystemError) {
    answer = ProviderAnswer(id: id)
    unsent = Self.line(id: id, base: base)
    let stream = try UnixStream.connect(to: path)
    timer = try loop.timer { [weak self] in
      self?.end(.failure(ProviderTrouble("parallax-provider does not answer")))
    }
    source = try loop.watch(descriptor: stream.descriptor.raw, interest: [.read, .write]) {
      [weak self] events in self?.take(events)
    }
    self.stream = consume stream
    self.reply = reply
    timer?.arm(atNanoseconds: deadlineNanoseconds)
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

  private func take(_ events: IOEvents) {
    // What the provider said before it went still counts.
    if events.contains(.readable) || !events.isDisjoint(with: [.hungUp, .failed]) { receive() }
    if events.contains(.writable), reply != nil { send() }
  }

  private func send() {
    switch unsent.withUnsafeBytes({ stream?.send($0) ?? .closed }) {
    case .sent(let count): unsent.removeFirst(count)
    case .wouldBlock: break
    // A provider that has gone is heard of by reading, behind what it said.
    case .closed, .failed: unsent = []
    }
    if unsent.isEmpty { source?.interest = .read }
  }

  private func receive() {
    var result: Result<ProvidedDocument, ProviderTrouble>?
    withUnsafeTemporaryAllocation(byteCount: Self.blockBytes, alignment: 1) { buffer in
      switch stream?.receive(into: buffer) ?? .closed {
      case .received(let count):
        do throws(ProviderTrouble) {
          if try answer.add(UnsafeRawBufferPointer(rebasing: buffer[..<count])) {
            result = answer.whole().map { .success($0) }
          }
        } catch {
          result = .failure(error)
        }
      case .wouldBlock: break
      case .endOfInput, .closed, .failed:
        result = .failure(ProviderTrouble("parallax-provider ended before it had answered"))
      }
    }
    if let result { end(result) }
  }

  private func end(_ result: Result<ProvidedDocument, ProviderTrouble>) {
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
