// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// The URL of a document or of a base for documents: http or https, with a host, without a user
/// name or fragment.
package struct WebAddress: Hashable, Sendable, CustomStringConvertible {
  /// The URL to request.
  package let text: String
  /// "http" or "https".
  package let scheme: String

  /// The maximum length in bytes.
  package static let lengthLimit = 2048

  /// The reason why a text is not a valid address.
  package struct InvalidAddressError: Error, Equatable, Sendable, CustomStringConvertible {
    package let description: String
  }

  package init(_ text: String) throws(InvalidAddressError) {
    guard text.utf8.count <= Self.lengthLimit else {
      throw InvalidAddressError(description: "a URL must be at most \(Self.lengthLimit) bytes")
    }
    // Printable ASCII only: messages quote the text.
    guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), let url = URL(string: text),
      let scheme = url.scheme?.lowercased()
    else { throw InvalidAddressError(description: "expected a URL such as https://HOST/PATH") }
    guard scheme == "http" || scheme == "https" else {
      throw InvalidAddressError(description: "unsupported scheme '\(scheme)'; use http or https")
    }
    guard let host = url.host(), !host.isEmpty else {
      throw InvalidAddressError(description: "\(text): no host; expected https://HOST/PATH")
    }
    guard url.user() == nil, url.password() == nil else {
      throw InvalidAddressError(description: "a URL must not contain a user name or password")
    }
    self.scheme = scheme
    self.text = url.fragment() == nil ? text : String(text.prefix { $0 != "#" })
  }

  package var description: String { text }

  /// Returns the address of a document: BASE/ID.json.
  package func document(_ id: DocumentID) throws(InvalidAddressError) -> WebAddress {
    guard !text.contains("?") else {
      throw InvalidAddressError(description: "\(text): a base URL must not contain '?'")
    }
    return try WebAddress(text + (text.hasSuffix("/") ? "" : "/") + id.fileName)
  }

  /// Returns the target of a redirect from this address.
  /// - Parameter location: the header's value, absolute or relative.
  package func redirect(to location: String) throws(InvalidAddressError) -> WebAddress {
    guard let current = URL(string: text), let url = URL(string: location, relativeTo: current)
    else { throw InvalidAddressError(description: "the location is not a URL") }
    let target = try WebAddress(url.absoluteString)
    guard scheme == "http" || target.scheme == "https" else {
      throw InvalidAddressError(description: "a redirect from https to http is not allowed")
    }
    return target
  }
}
