// SPDX-License-Identifier: Apache-2.0

import Glibc
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOSSL
import ParallaxWebCore
import Synchronization

/// Serves the phone's page and takes its samples, on one address of this machine.
final class PhoneServer: Sendable {
  /// The options of a server.
  struct Options: Sendable {
    var port = 8443
    /// The address to listen on, which is also the one in the code.
    var address: String
    /// The device's name; nil: the name that the phone reports.
    var name: String?
    /// How long a silent phone keeps its place, in seconds. Its connections are closed after 30 s at most.
    var patience = 60.0
    var sockets: DaemonSockets
    var page: PageFiles
    /// Called with each line for people.
    var log: @Sendable (String) -> Void
  }

  /// The facts that people and phones need to connect to a server that listens.
  struct Invitation: Sendable {
    /// The address in the code, with the token.
    let address: String
    /// The address for Sensor Logger, with its token.
    let push: String
    let fingerprint: String
  }

  private let options: Options
  private let feed: PhoneFeed
  private let seat: Mutex<PhoneSeat>
  private let access = Mutex<PhoneAccess?>(nil)
  private let names: [String]
  private let fingerprint: String
  private let context: NIOSSLContext

  /// Reads or makes the certificate.
  init(_ options: Options) throws {
    self.options = options
    feed = PhoneFeed(sockets: options.sockets.control)
    seat = Mutex(PhoneSeat(patience: options.patience))
    names = [options.address] + NetworkAddresses.hostNames()
    let (certificate, warning) = try PhoneCertificate.kept(for: names)
    if let warning { options.log(warning) }
    fingerprint = try certificate.fingerprint()
    context = try certificate.context()
  }

  /// Serves until the task is cancelled.
  ///
  /// - Throws: the reason why it cannot listen, or `CancellationError`.
  func run(_ onListening: @escaping @Sendable (Invitation) -> Void) async throws {
    let silent = Logger(label: "parallax-web") { _ in SwiftLogNoOpLogHandler() }
    let peers = PeerCounts()
    let patience = TimeAmount.seconds(Int64(min(30, options.patience)))
    let application = Application(
      responder: CallbackResponder<PhoneContext> { request, context in
        await self.respond(to: request, context)
      },
      server: HTTPServerBuilder { [context] responder in
        PhoneConnection(
          base: HTTP1Channel(
            responder: responder,
            configuration: .init(
              httpDecoderConfiguration: .init(
                maxHeaderFieldSize: 8 << 10, maxHeaderListSize: 16 << 10, maxHeaderFieldCount: 64))),
          tls: context, peers: peers, patience: patience)
      },
      configuration: ApplicationConfiguration(
        address: .hostname(options.address, port: options.port), serverName: nil,
        availableConnectionsDelegate: MaximumAvailableConnections(64, logger: silent)),
      onServerRunning: { channel in
        onListening(self.listen(on: channel.localAddress?.port ?? self.options.port))
      },
      logger: silent)
    do {
      try await withThrowingTaskGroup { group in
        group.addTask { try await application.runService(gracefulShutdownSignals: []) }
        group.addTask { try await self.watchSeat() }
        // Either ends only with an error, or because the task was cancelled.
        defer { group.cancelAll() }
        try await group.next()
        throw CancellationError()
      }
    } catch {
      await feed.end()
      throw error
    }
  }

  private func listen(on port: Int) -> Invitation {
    let access = PhoneAccess(
      port: port, names: names, token: PageAccess.randomToken(),
      pushToken: PageAccess.randomToken())
    self.access.withLock { $0 = access }
    let host = options.address.contains(":") ? "[\(options.address)]" : options.address
    return Invitation(
      address: "https://\(host):\(port)/#\(access.token)",
      push: "http://\(host):\(port)/push/\(access.pushToken)", fingerprint: fingerprint)
  }

  /// Ends the feed of a phone that has been silent for too long.
  private func watchSeat() async throws {
    while true {
      try await Task.sleep(for: .milliseconds(500))
      if seat.withLock({ $0.expire(at: Self.now) }) {
        options.log("the phone has been silent for \(Int(options.patience)) s; waiting for a phone")
        await feed.end()
      }
    }
  }

  /// Seconds of CLOCK_MONOTONIC.
  private static var now: Double {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
  }

  // MARK: - Requests

  private func respond(to request: Request, _ context: PhoneContext) async -> Response {
    let path = String(request.head.path?.prefix { $0 != "?" && $0 != "#" } ?? "")
    guard let access = access.withLock({ $0 }) else {
      return PageResponse.error(503, "the server is starting")
    }
    let decision = access.decide(
      PhoneAccess.Request(
        method: request.method.rawValue, path: path, isEncrypted: await context.isEncrypted(),
        host: (request.head.authority.map { [$0] } ?? []) + request.values("host"),
        origin: request.values("origin"), authorization: request.values("authorization")))
    let response: Response
    switch decision {
    case .file: response = file(path, request)
    case .redirect: response = redirect(to: path, request)
    case .phone: response = await answer(path, request)
    case .push: response = await push(request)
    case .refused(let status, let message):
      var refusal = PageResponse.error(status, message)
      // Its body is not read.
      if request.method == .post { refusal.headers[.connection] = "close" }
      response = refusal
    }
    context.channel.pipeline.fireUserInboundEventTriggered(PhoneConnection.RequestReceived())
    return response
  }

  /// The page is a folder of its own within the page of `parallax web`, with which it shares these files.
  private static let shared = ["/page.css", "/icon.svg"]

  private func file(_ path: String, _ request: Request) -> Response {
    let place =
      Self.shared.contains(path) ? path : "/phone" + (path == "/" ? "/index.html" : path)
    guard let file = options.page.file(place) else {
      return PageResponse.error(404, "there is nothing at \(path)")
    }
    return PageResponse.file(file, request)
  }

  private func redirect(to path: String, _ request: Request) -> Response {
    let host = request.head.authority ?? request.values("host").first ?? ""
    var response = PageResponse.text(308, "use https://\(host)\(path)")
    response.headers[.location] = "https://\(host)\(path)"
    return response
  }

  private func answer(_ path: String, _ request: Request) async -> Response {
    let phones = request.values("parallax-phone")
    guard phones.count == 1, (16...64).contains(phones[0].utf8.count) else {
      return PageResponse.error(400, "expected the field Parallax-Phone")
    }
    switch path {
    case "/samples":
      guard let body = try? await request.body.collect(upTo: PhoneSamples.maxBytes) else {
        return PageResponse.error(413, "more than \(PhoneSamples.maxBytes >> 10) KiB of samples")
      }
      do throws(PhoneSamples.ReadError) {
        return await take(
          try PhoneSamples(page: Array(body.readableBytesView)), of: phones[0],
          named: PhoneName.of(userAgent: request.values("user-agent").first ?? ""))
      } catch {
        return PageResponse.error(400, error.message)
      }
    case "/end":
      await leave(phones[0])
      return PageResponse.make(204, type: nil, body: [])
    default: return PageResponse.error(404, "there is nothing at \(path)")
    }
  }

  private func push(_ request: Request) async -> Response {
    guard let body = try? await request.body.collect(upTo: SensorLoggerPush.maxBytes) else {
      return PageResponse.error(413, "more than \(SensorLoggerPush.maxBytes >> 20) MiB")
    }
    do throws(PhoneSamples.ReadError) {
      let push = try SensorLoggerPush(Array(body.readableBytesView))
      // The app also tests the address, with an empty payload.
      guard let samples = push.samples else {
        return PageResponse.text(200, "no gyroscope in this push; turn it on in the app")
      }
      return await take(samples, of: "push \(push.device)", named: "Sensor Logger")
    } catch {
      return PageResponse.error(400, error.message)
    }
  }

  /// Passes on the samples of the phone in the seat.
  private func take(
    _ samples: PhoneSamples, of phone: String, named name: String
  ) async -> Response {
    let name = options.name ?? name
    switch seat.withLock({ $0.take(phone, count: samples.samples.count, at: Self.now) }) {
    case .taken:
      return PageResponse.error(409, "another phone is connected; end it there first")
    case .tooFast: return PageResponse.error(429, "too many samples")
    case .began:
      // Of a phone whose time has just passed: its name is not this one's.
      await feed.end()
      options.log("\(name) is connected")
    case .goesOn: break
    }
    do {
      let state = try await feed.send(samples, from: name)
      lastRefusal.withLock { $0 = nil }
      return PageResponse.make(
        200, type: "application/json",
        body: Array("{\"state\":\(JSONText.quoted(state))}\n".utf8))
    } catch let error as PhoneFeed.Refused {
      if lastRefusal.withLock({ $0.replace(with: error.message) }) { options.log(error.message) }
      return PageResponse.error(503, error.message)
    } catch {
      return PageResponse.error(503, "\(error)")
    }
  }

  private func leave(_ phone: String) async {
    guard seat.withLock({ $0.leave(phone) }) else { return }
    options.log("the phone has disconnected; waiting for a phone")
    await feed.end()
  }

  /// Why the daemon refuses. Logged only once, because the page keeps trying.
  private let lastRefusal = Mutex<String?>(nil)
}

extension String? {
  /// Returns whether the text is new.
  fileprivate mutating func replace(with text: String) -> Bool {
    defer { self = text }
    return self != text
  }
}

/// A request of a phone, with its connection.
struct PhoneContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  let channel: any Channel

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    channel = source.channel
  }

  /// Whether the connection uses TLS.
  func isEncrypted() async -> Bool {
    (try? await channel.pipeline.containsHandler(type: NIOSSLServerHandler.self).get()) != nil
  }
}
