// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import HummingbirdCore
import NIOCore
import NIOPosix
import ParallaxPage
import ParallaxWebCore
import Synchronization

/// Answers the requests of the page.
final class PageServer: Sendable {
  let token: String

  private let files: PageFiles
  private let hub: EventHub
  private let control: DaemonControl
  private let names: [String]
  private let access = Mutex<PageAccess?>(nil)
  private let replays = ReplayRunner()
  /// For what waits: the daemon's answers, and the output of programs.
  private let threads: NIOThreadPool

  /// The longest body of a request that has settings.
  private static let settingsLimit = 64 << 10

  init(
    files: PageFiles, hub: EventHub, control: DaemonControl, token: String, names: [String]
  ) {
    self.files = files
    self.hub = hub
    self.control = control
    self.token = token
    self.names = names
    threads = NIOThreadPool(numberOfThreads: 4)
    threads.start()
  }

  /// Sets the port, which is part of the names by which browsers may ask.
  func listen(on port: Int) {
    access.withLock { $0 = PageAccess(port: port, names: names, token: token) }
  }

  func respond(to request: Request) async -> Response {
    if let refusal = refusal(of: request) { return refusal }
    let path = String(request.head.path?.prefix { $0 != "?" && $0 != "#" } ?? "")
    switch (request.method, path) {
    case (.get, "/events"): return events(request)
    case (.get, "/settings"):
      return await controlled { (control) throws(DaemonControl.Failure) in
        try control.settings()
      }
    case (.get, "/configuration"):
      return await controlled(type: "text/plain; charset=utf-8") {
        (control) throws(DaemonControl.Failure) in try control.configuration()
      }
    case (.get, _), (.head, _): return file(path, request)
    case (.post, "/set"):
      guard let body = await body(request, limit: Self.settingsLimit) else {
        return PageResponse.error(413, "the settings are too long")
      }
      return await controlled { (control) throws(DaemonControl.Failure) in try control.set(body) }
    case (.post, "/recenter"):
      return await controlled { (control) throws(DaemonControl.Failure) in try control.recenter() }
    case (.post, "/pause"):
      return await controlled { (control) throws(DaemonControl.Failure) in
        try control.pause(true)
      }
    case (.post, "/resume"):
      return await controlled { (control) throws(DaemonControl.Failure) in
        try control.pause(false)
      }
    case (.post, "/configuration"):
      return await controlled { (control) throws(DaemonControl.Failure) in
        try control.writeConfiguration()
      }
    case (.post, "/replay"): return await replays.response(to: request, on: threads)
    case (.post, _): return PageResponse.error(404, "there is nothing at \(path)")
    default: return PageResponse.error(405, "only GET, HEAD and POST are allowed")
    }
  }

  // MARK: - Access

  private func refusal(of request: Request) -> Response? {
    // The first Host field is the authority.
    let host = (request.head.authority.map { [$0] } ?? []) + request.values("host")
    guard let access = access.withLock({ $0 }) else {
      return PageResponse.error(503, "the server is starting")
    }
    let refusal = access.refusal(
      of: PageAccess.Request(
        method: request.method.rawValue, host: host, origin: request.values("origin"),
        fetchSite: request.values("sec-fetch-site"), authorization: request.values("authorization"))
    )
    return refusal.map { refusal in
      refusal.status == 421
        ? PageResponse.text(421, refusal.message)
        : PageResponse.error(refusal.status, refusal.message)
    }
  }

  // MARK: - Answers

  private func file(_ path: String, _ request: Request) -> Response {
    guard let file = files.file(path) else {
      return PageResponse.error(404, "there is nothing at \(path)")
    }
    if let known = request.headers[.ifNoneMatch], EntityTag.matches(file.tag, ifNoneMatch: known) {
      return PageResponse.make(304, type: nil, tag: file.tag, body: [])
    }
    let response = PageResponse.make(200, type: file.type, tag: file.tag, body: file.bytes)
    return request.method == .head ? response.createHeadResponse() : response
  }

  /// Asks the daemon on a thread that may wait.
  private func controlled(
    type: String = "application/json",
    _ ask: @escaping @Sendable (DaemonControl) throws(DaemonControl.Failure) -> [UInt8]
  ) async -> Response {
    let control = control
    do {
      let bytes = try await threads.runIfActive { try ask(control) }
      return PageResponse.make(200, type: type, body: bytes)
    } catch let failure as DaemonControl.Failure {
      let status =
        switch failure.kind {
        case .malformed: 400
        case .refused: 409
        case .denied: 403
        case .unavailable: 503
        }
      return PageResponse.error(status, failure.message)
    } catch {
      return PageResponse.error(500, "\(error)")
    }
  }

  /// Returns the body; nil if it is too long or incomplete.
  private func body(_ request: Request, limit: Int) async -> [UInt8]? {
    guard let buffer = try? await request.body.collect(upTo: limit) else { return nil }
    return Array(buffer.readableBytesView)
  }

  private func events(_ request: Request) -> Response {
    let hub = hub
    return PageResponse.stream("text/event-stream") { writer in
      let page = hub.join()
      defer { hub.leave(page) }
      try await request.body.consumeWithInboundCloseHandler { _ in
        while let events = await page.next() {
          try await writer.write(ByteBuffer(bytes: events))
        }
      } onInboundClosed: {
        page.close()
      }
      try await writer.finish(nil)
    }
  }
}

extension Request {
  /// Returns the values of all fields with a name, which is in lower case.
  func values(_ name: String) -> [String] {
    headers.filter { $0.name.canonicalName == name }.map(\.value)
  }
}
