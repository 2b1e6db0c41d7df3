// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import HummingbirdCore
import NIOCore
import NIOPosix
import ParallaxWebCore
import Synchronization

/// Answers the requests of the page.
final class PageServer: Sendable {
  let token: String

  private let files: PageFiles
  private let relay: DaemonRelay
  private let names: [String]
  private let access = Mutex<PageAccess?>(nil)
  private let replays = ReplayRunner()
  private let phone: PhoneHost
  /// For what waits: the output of programs.
  private let threads: NIOThreadPool

  init(
    files: PageFiles, sockets: DaemonSockets, phone: PhoneHost, token: String, names: [String]
  ) {
    self.files = files
    relay = DaemonRelay(sockets: sockets)
    self.phone = phone
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
    case (.get, "/events"): return relay.events(request)
    case (.get, _), (.head, _): return file(path, request)
    case (.post, "/control"):
      guard let body = try? await request.body.collect(upTo: PageLines.maxBytes) else {
        return PageResponse.error(413, "more than \(PageLines.maxBytes >> 10) KiB of requests")
      }
      return await relay.answers(to: Array(body.readableBytesView))
    case (.post, "/configuration"): return await writeConfiguration()
    case (.post, "/replay"): return await replays.response(to: request, on: threads)
    case (.post, "/phone"): return await phone.start()
    case (.post, "/phone/end"): return await phone.stop()
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
    return PageResponse.file(file, request)
  }

  /// Has `parallax tune` write what SET has changed. Returns the path of the file.
  private func writeConfiguration() async -> Response {
    let sockets = relay.sockets
    do {
      return try await threads.runIfActive {
        let program = try ToolProgram.start(["tune", "--keep"] + sockets.options)
        var path: [UInt8] = []
        while case let output = program.read(), !output.isEmpty { path += output }
        if let message = program.end(name: "the settings") {
          return PageResponse.error(409, message)
        }
        return PageResponse.make(200, type: "text/plain; charset=utf-8", body: path)
      }
    } catch let error as ToolProgram.StartError {
      return PageResponse.error(500, error.message)
    } catch {
      return PageResponse.error(500, "\(error)")
    }
  }
}

extension Request {
  /// Returns the values of all fields with a name, which is in lower case.
  func values(_ name: String) -> [String] {
    headers.filter { $0.name.canonicalName == name }.map(\.value)
  }
}
