// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ParallaxWebCore

@Suite("Access to the page's server")
struct PageAccessTests {
  private let token = "0123456789abcdef0123456789abcdef"

  private func status(
    _ method: String = "GET", host: [String] = ["127.0.0.1:8090"], origin: [String] = [],
    fetchSite: [String] = [], authorization: [String] = [], port: Int = 8090,
    names: [String] = []
  ) -> Int? {
    PageAccess(port: port, names: names, token: token).refusal(
      of: .init(
        method: method, host: host, origin: origin, fetchSite: fetchSite,
        authorization: authorization))?.status
  }

  @Test(arguments: ["127.0.0.1:8090", "localhost:8090", "LocalHost:8090", "[::1]:8090"])
  func ownHosts(host: String) {
    #expect(status(host: [host]) == nil)
  }

  /// A name of an attacker that resolves to this machine, and what else is not this server.
  @Test(arguments: [
    "attacker.example:8090", "127.0.0.1", "localhost", "127.0.0.1:80", "127.0.0.1:80900", "",
    "localhost:8090.attacker.example", "localhost.:8090", "evil@localhost:8090", "[::1]",
    "::1:8090",
    "127.0.0.1:8090, attacker.example", "0.0.0.0:8090",
  ])
  func foreignHosts(host: String) {
    #expect(status(host: [host]) == 421)
  }

  @Test func aRequestHasOneHost() {
    #expect(status(host: []) == 421)
    #expect(status(host: ["localhost:8090", "attacker.example:8090"]) == 421)
    #expect(status(host: ["localhost:8090", "localhost:8090"]) == 421)
  }

  @Test(arguments: [
    ("board", "board:8090"), ("board:9000", "board:9000"), ("192.0.2.7", "192.0.2.7:8090"),
    ("fe80::1", "[fe80::1]:8090"), ("[fe80::1]", "[fe80::1]:8090"),
    ("[fe80::1]:9", "[fe80::1]:9"), ("Board", "board:8090"),
  ])
  func allowedNames(name: String, host: String) {
    #expect(status(host: [host], names: [name]) == nil)
    #expect(status(host: [host]) == 421)
    #expect(status(host: [host], origin: ["http://\(host)"], names: [name]) == nil)
  }

  @Test func portEightyIsLeftOut() {
    #expect(status(host: ["localhost"], port: 80) == nil)
    #expect(status(host: ["[::1]"], port: 80) == nil)
    #expect(status(host: ["localhost:80"], port: 80) == nil)
  }

  @Test(arguments: ["http://127.0.0.1:8090", "http://localhost:8090", "http://[::1]:8090"])
  func ownOrigins(origin: String) {
    #expect(status(origin: [origin]) == nil)
  }

  @Test(arguments: [
    "http://attacker.example", "https://127.0.0.1:8090", "null", "", "http://127.0.0.1",
    "http://127.0.0.1:8091", "http://127.0.0.1:8090.attacker.example", "file://",
  ])
  func foreignOrigins(origin: String) {
    #expect(status(origin: [origin]) == 403)
    let bearer = ["Bearer \(token)"]
    #expect(status("POST", origin: [origin], authorization: bearer) == 403)
  }

  @Test(arguments: [
    ("same-origin", Int?.none), ("none", nil), ("same-site", 403), ("cross-site", 403), ("", 403),
  ])
  func fetchSites(site: String, expected: Int?) {
    #expect(status(fetchSite: [site]) == expected)
  }

  @Test func whatControlsNeedsTheToken() {
    #expect(status("POST") == 401)
    #expect(status("POST", authorization: ["Bearer \(token)"]) == nil)
    for wrong in [
      "", token, "bearer \(token)", "Bearer ", "Bearer \(token)0", "Bearer \(token.dropLast())",
      "Bearer \(token.uppercased())", "Bearer  \(token)",
    ] {
      #expect(status("POST", authorization: [wrong]) == 401, "\(wrong)")
    }
    #expect(status("POST", authorization: ["Bearer \(token)", "Bearer \(token)"]) == 401)
    for method in ["PUT", "DELETE", "OPTIONS", "PATCH", "get"] {
      #expect(status(method) == 401)
    }
    #expect(status("HEAD") == nil)
  }

  @Test func textsAreCompared() {
    #expect(PageAccess.equal([1, 2], [1, 2]))
    #expect(PageAccess.equal([], []))
    #expect(!PageAccess.equal([1, 2], [1, 3]))
    #expect(!PageAccess.equal([0, 2], [1, 2]))
    #expect(!PageAccess.equal([1], [1, 2]))
  }

  @Test func tokensAreRandom() {
    let tokens = (0..<100).map { _ in PageAccess.randomToken() }
    #expect(Set(tokens).count == 100)
    #expect(tokens.allSatisfy { $0.count == 32 && $0.allSatisfy(\.isHexDigit) })
  }
}
