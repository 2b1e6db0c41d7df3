// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import ParallaxWebCore

/// Performs the steps of a `Fetch` with a real network.
struct HTTPFetcher: Sendable {
  private let client: HTTPClient
  private let keeper: CacheKeeper

  /// One thread is enough: documents are small and requests rare.
  static let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

  /// - Parameter caFile: certificates to trust besides the system's.
  init(_ keeper: CacheKeeper, caFile: String?) throws {
    self.keeper = keeper
    var tls = TLSConfiguration.makeClientConfiguration()
    tls.certificateVerification = .fullVerification
    if let caFile { tls.additionalTrustRoots = [.file(caFile)] }
    var configuration = HTTPClient.Configuration(
      tlsConfiguration: tls,
      // `Fetch` follows redirects itself, since it checks each one.
      redirectConfiguration: .disallow,
      timeout: .init(
        connect: .seconds(Int64(Fetch.timeLimitSeconds)),
        read: .seconds(Int64(Fetch.timeLimitSeconds))),
      connectionPool: .init(idleTimeout: .seconds(10)),
      ignoreUncleanSSLShutdown: false,
      decompression: .disabled)
    configuration.httpVersion = .http1Only
    // A prompt error is better than waiting for an unreachable server.
    configuration.connectionPool.retryConnectionEstablishment = false
    client = HTTPClient(
      eventLoopGroupProvider: .shared(Self.group), configuration: configuration)
  }

  /// Answers a request within `Fetch.timeLimitSeconds`, whatever the server does.
  func answer(_ request: FetchRequest) async -> FetchAnswer {
    var fetch = Fetch(request, copy: await keeper.copy(of: request))
    let first = fetch.begin(atSeconds: CacheKeeper.nowSeconds)
    let conclusion = await conclusion(fetch, first)
    await keeper.apply(conclusion.change, for: request)
    return conclusion.answer
  }

  /// Returns the result of the fetch, or a timeout if that comes first.
  private func conclusion(_ fetch: Fetch, _ first: Fetch.Step) async -> Fetch.Conclusion {
    let ended = await withTaskGroup(of: Fetch.Conclusion?.self) { group in
      group.addTask { await run(fetch, first) }
      group.addTask {
        try? await Task.sleep(for: .seconds(Fetch.timeLimitSeconds))
        return nil
      }
      defer { group.cancelAll() }
      return await group.next() ?? nil
    }
    return ended ?? fetch.handleTimeout(atSeconds: CacheKeeper.nowSeconds)
  }

  private func run(_ fetch: Fetch, _ first: Fetch.Step) async -> Fetch.Conclusion {
    var fetch = fetch
    var step = first
    var response: HTTPClientResponse?
    while true {
      do {
        switch step {
        case .done(let conclusion):
          return conclusion
        case .get(let address, let tag):
          let head = try await client.execute(
            Self.request(address, ifNoneMatch: tag),
            timeout: .seconds(Int64(Fetch.timeLimitSeconds)))
          response = head
          step = fetch.receive(Self.head(head), atSeconds: CacheKeeper.nowSeconds)
        case .readBody:
          let body = try await Self.body(response)
          step =
            body.map { fetch.receive(body: $0, atSeconds: CacheKeeper.nowSeconds) }
            ?? fetch.handleBodyTooLong(atSeconds: CacheKeeper.nowSeconds)
        case .readReason:
          // A reason that breaks off still counts.
          let reason = await Self.start(of: response)
          step = fetch.receive(reason: reason, atSeconds: CacheKeeper.nowSeconds)
        }
      } catch {
        step = fetch.fail(NetworkErrorMessage.text(error), atSeconds: CacheKeeper.nowSeconds)
      }
    }
  }

  private static func request(
    _ address: WebAddress, ifNoneMatch tag: String?
  ) -> HTTPClientRequest {
    var request = HTTPClientRequest(url: address.text)
    request.headers.add(name: "Accept", value: "application/json")
    request.headers.add(name: "Accept-Encoding", value: "identity")
    request.headers.add(name: "User-Agent", value: "parallax/\(WebRelease.version)")
    if let tag { request.headers.add(name: "If-None-Match", value: tag) }
    return request
  }

  private static func head(_ response: HTTPClientResponse) -> ResponseHead {
    ResponseHead(
      status: Int(response.status.code),
      contentType: response.headers.first(name: "Content-Type"),
      contentLength: response.headers.first(name: "Content-Length").flatMap { Int($0) },
      contentEncoding: response.headers.first(name: "Content-Encoding"),
      entityTag: response.headers.first(name: "ETag"),
      location: response.headers.first(name: "Location"))
  }

  /// Returns the start of a body, as far as it arrives.
  private static func start(of response: HTTPClientResponse?) async -> [UInt8] {
    var bytes: [UInt8] = []
    guard let response else { return bytes }
    do {
      for try await part in response.body {
        bytes += part.readableBytesView.prefix(Fetch.reasonLimit - bytes.count)
        if bytes.count == Fetch.reasonLimit { break }
      }
    } catch {}
    return bytes
  }

  /// - Returns: nil if the body is larger than a document may be; the rest is not read.
  private static func body(_ response: HTTPClientResponse?) async throws -> [UInt8]? {
    guard let response else { return [] }
    var bytes: [UInt8] = []
    for try await part in response.body {
      guard bytes.count + part.readableBytes <= DocumentLimits.bytes else { return nil }
      bytes += part.readableBytesView
    }
    return bytes
  }
}
