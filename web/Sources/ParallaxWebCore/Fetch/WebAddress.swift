import FoundationEssentials

/// An address that documents may come from: http or https, with a host, and without what has no
/// place in it (a user's name, a fragment).
package struct WebAddress: Hashable, Sendable, CustomStringConvertible {
  /// As it is asked for.
  package let text: String
  /// "http" or "https".
  package let scheme: String

  /// Bytes of the longest.
  package static let lengthLimit = 2048

  /// Why a text is none, for a person.
  package struct Problem: Error, Equatable, Sendable, CustomStringConvertible {
    package let description: String
  }

  package init(_ text: String) throws(Problem) {
    guard text.utf8.count <= Self.lengthLimit else {
      throw Problem(description: "an address has at most \(Self.lengthLimit) bytes")
    }
    // What is to be quoted to a person has no line feeds in it.
    guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), let url = URL(string: text),
      let scheme = url.scheme?.lowercased()
    else { throw Problem(description: "an address is wanted, as in https://HOST/PATH") }
    guard scheme == "http" || scheme == "https" else {
      throw Problem(description: "\(scheme): is no way to a document; http and https are")
    }
    guard let host = url.host(), !host.isEmpty else {
      throw Problem(description: "\(text): there is no host in it; https://HOST/PATH is wanted")
    }
    guard url.user() == nil, url.password() == nil else {
      throw Problem(description: "an address with a user's name or password is not asked for")
    }
    self.scheme = scheme
    self.text = url.fragment() == nil ? text : String(text.prefix { $0 != "#" })
  }

  package var description: String { text }

  /// BASE/ID.json.
  package func document(_ id: DocumentID) throws(Problem) -> WebAddress {
    guard !text.contains("?") else {
      throw Problem(description: "\(text): a base address has no ? in it")
    }
    return try WebAddress(text + (text.hasSuffix("/") ? "" : "/") + id.fileName)
  }

  /// Where a redirect from here leads.
  /// - Parameter location: the header's value, absolute or relative.
  package func redirect(to location: String) throws(Problem) -> WebAddress {
    guard let here = URL(string: text), let there = URL(string: location, relativeTo: here) else {
      throw Problem(description: "\(text): it redirects to no address")
    }
    let target = try WebAddress(there.absoluteString)
    guard scheme == "http" || target.scheme == "https" else {
      throw Problem(description: "\(text): it redirects from https to http, which is not followed")
    }
    return target
  }
}
