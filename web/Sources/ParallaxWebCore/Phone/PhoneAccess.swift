// SPDX-License-Identifier: Apache-2.0

/// Decides which requests the phone's server answers.
///
/// The page has no secrets, so everyone who reaches the server may read it. Samples need the token of the code, or
/// for Sensor Logger that of its address. Neither permits anything else.
package struct PhoneAccess: Sendable {
  /// The parts of a request on which the decision depends.
  package struct Request: Sendable {
    package var method: String
    package var path: String
    package var isEncrypted: Bool
    /// All values of each field.
    package var host: [String]
    package var origin: [String]
    package var authorization: [String]

    package init(
      method: String, path: String, isEncrypted: Bool = true, host: [String],
      origin: [String] = [], authorization: [String] = []
    ) {
      self.method = method
      self.path = path
      self.isEncrypted = isEncrypted
      self.host = host
      self.origin = origin
      self.authorization = authorization
    }
  }

  package enum Decision: Equatable, Sendable {
    /// A file of the page.
    case file
    /// A request of the page that has the token.
    case phone
    /// A push of Sensor Logger that has its token.
    case push
    /// To the same path over HTTPS.
    case redirect
    case refused(status: Int, message: String)
  }

  /// The token in the code.
  package let token: String
  /// The token in the address for Sensor Logger: that address may be used without encryption, the code never is.
  package let pushToken: String
  private let hosts: Set<String>

  /// - Parameters:
  ///   - port: The port on which the server listens.
  ///   - names: The names and addresses in the certificate.
  package init(port: Int, names: [String], token: String, pushToken: String) {
    hosts = Set(names.flatMap { PageAccess.hosts($0.lowercased(), port: port, usual: 443) })
    self.token = token
    self.pushToken = pushToken
  }

  package func decide(_ request: Request) -> Decision {
    guard request.host.count == 1, hosts.contains(request.host[0].lowercased()) else {
      return .refused(status: 421, message: "this server has another name; scan the code again")
    }
    switch request.method {
    case "GET", "HEAD": return request.isEncrypted ? .file : .redirect
    case "POST" where request.path.hasPrefix("/push/"):
      // Websites can post here from any browser that reaches this server; the app has no origin.
      guard request.origin.isEmpty else {
        return .refused(status: 403, message: "this address is for the app Sensor Logger")
      }
      return equal(String(request.path.dropFirst("/push/".count)), pushToken)
        ? .push
        : .refused(
          status: 401, message: "this address is no longer valid; copy the one that is shown now")
    case "POST":
      guard request.isEncrypted else {
        return .refused(status: 403, message: "use https")
      }
      guard request.origin.count == 1, isOwn(origin: request.origin[0]) else {
        return .refused(status: 403, message: "requests from other pages are not answered")
      }
      guard request.authorization.count == 1,
        equal(request.authorization[0], "Bearer \(token)")
      else {
        return .refused(
          status: 401, message: "this code is no longer valid; scan the one that is shown now")
      }
      return .phone
    default: return .refused(status: 405, message: "only GET, HEAD and POST are allowed")
    }
  }

  private func isOwn(origin: String) -> Bool {
    let scheme = "https://"
    return origin.hasPrefix(scheme) && hosts.contains(origin.dropFirst(scheme.count).lowercased())
  }

  private func equal(_ text: String, _ secret: String) -> Bool {
    PageAccess.equal(Array(text.utf8), Array(secret.utf8))
  }
}
