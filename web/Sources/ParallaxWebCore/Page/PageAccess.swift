// SPDX-License-Identifier: Apache-2.0

/// Decides which requests the page's server answers: those of its own page, and those that know the token.
///
/// Every website that a user visits can send requests to this machine. A foreign name that resolves to it
/// shows in Host, a foreign page in Origin and Sec-Fetch-Site.
package struct PageAccess: Sendable {
  /// What of a request decides.
  package struct Request: Sendable {
    package var method: String
    /// All values of each field; a request with two of them is refused.
    package var host: [String]
    package var origin: [String]
    package var fetchSite: [String]
    package var authorization: [String]

    package init(
      method: String, host: [String], origin: [String] = [], fetchSite: [String] = [],
      authorization: [String] = []
    ) {
      self.method = method
      self.host = host
      self.origin = origin
      self.fetchSite = fetchSite
      self.authorization = authorization
    }
  }

  /// Why a request is not answered.
  package struct Refusal: Equatable, Sendable {
    package let status: Int
    package let message: String
  }

  private let hosts: Set<String>
  private let token: String

  /// - Parameters:
  ///   - port: The port on which the server listens.
  ///   - names: Further names and addresses of this machine, with or without a port.
  package init(port: Int, names: [String], token: String) {
    var hosts: Set<String> = []
    for name in ["127.0.0.1", "localhost", "::1"] + names {
      hosts.formUnion(Self.hosts(name.lowercased(), port: port))
    }
    self.hosts = hosts
    self.token = token
  }

  /// Returns why not to answer; nil to answer.
  package func refusal(of request: Request) -> Refusal? {
    guard request.host.count == 1, hosts.contains(request.host[0].lowercased()) else {
      return Refusal(
        status: 421, message: "this server has another name; allow this one with --allow-host")
    }
    guard request.origin.allSatisfy({ isOwn(origin: $0) }) else {
      return Refusal(status: 403, message: "requests from other pages are not answered")
    }
    // The page itself, or the address bar.
    guard request.fetchSite.allSatisfy({ $0 == "same-origin" || $0 == "none" }) else {
      return Refusal(status: 403, message: "requests from other sites are not answered")
    }
    guard request.method == "GET" || request.method == "HEAD" || hasToken(request) else {
      return Refusal(
        status: 401, message: "the token is missing or wrong; open the address that was printed")
    }
    return nil
  }

  private func isOwn(origin: String) -> Bool {
    let scheme = "http://"
    return origin.hasPrefix(scheme)
      && hosts.contains(origin.dropFirst(scheme.count).lowercased())
  }

  private func hasToken(_ request: Request) -> Bool {
    guard request.authorization.count == 1 else { return false }
    return Self.equal(Array(request.authorization[0].utf8), Array("Bearer \(token)".utf8))
  }

  /// Compares in a time that does not depend on where the texts differ.
  static func equal(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }

  /// The texts of Host for a name: with the port, which browsers leave out if it is the usual one of the scheme.
  static func hosts(_ name: String, port: Int, usual: Int = 80) -> [String] {
    let colons = name.count { $0 == ":" }
    if colons == 1 || name.hasPrefix("[") && name.contains("]:") { return [name] }
    let shown = colons > 1 && !name.hasPrefix("[") ? "[\(name)]" : name
    return ["\(shown):\(port)"] + (port == usual ? [shown] : [])
  }

  /// Returns 128 random bits as 32 hexadecimal digits.
  package static func randomToken() -> String {
    var random = SystemRandomNumberGenerator()
    let digits = [random.next(), random.next()].map { (bits: UInt64) in
      let text = String(bits, radix: 16)
      return String(repeating: "0", count: 16 - text.count) + text
    }
    return digits.joined()
  }
}
