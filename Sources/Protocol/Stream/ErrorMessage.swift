// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase

/// ERROR: a failure, on both sockets.
public struct ErrorMessage: Equatable, Sendable {
  /// The type of an error, for programs.
  public enum Code: String, CaseIterable, Equatable, Sendable {
    /// A malformed request or an invalid value.
    case badRequest = "bad-request"
    /// The line is too long; the connection ends.
    case tooLong = "too-long"
    /// This user lacks permission to connect or to send this request.
    case denied
    /// A limit on connections or requests is reached; the connection ends.
    case tooMany = "too-many"
    /// Too much is waiting for this client; the connection ends.
    case behind
    /// The configuration is invalid; nothing was changed.
    case badConfiguration = "bad-configuration"
    /// No animation has this id.
    case noSuchAnimation = "no-such-animation"
    /// The animation exists but cannot be played.
    case badDocument = "bad-document"
    /// The daemon does not speak the major version of the protocol that a WATCH states.
    case unsupportedVersion = "unsupported-version"
    /// Not possible at present, such as a recording without a source.
    case unavailable
  }

  /// `message`: what is wrong, where, and what to do, as text.
  public var message: String
  /// `code`: the type of the error; nil if it has none.
  public var code: Code?
  /// `details`: one text per error of a configuration or a setting, without the place in the request;
  /// usually empty.
  public var details: [String]
  /// `key`: the setting that a SET names, if it is refused.
  public var key: String?
  /// `allowed`: the values of that setting, as text; nil if there is no such setting.
  public var allowed: String?

  package init(
    message: String, code: Code? = nil, details: [String] = [], key: String? = nil,
    allowed: String? = nil
  ) {
    self.message = message
    self.code = code
    self.details = details
    self.key = key
    self.allowed = allowed
  }
}

extension ErrorMessage: ProtocolMessage {
  package static let className = "ERROR"
  package static let description = "A request has failed, or the reason why the connection ends."
  package static let blank = ErrorMessage(message: "")

  package mutating func visit(_ fields: inout some Fields) throws(JSONShapeError) {
    try fields.required(
      "message", &message, .text, "What is wrong, where, and what to do, as text.")
    // A later release may have more codes.
    var word = code?.rawValue
    try fields.optional(
      "code", &word, .text(.words(FieldFormat<Code>.words)), "The type of the error.")
    code = word.flatMap(Code.init)
    try fields.optional(
      "details", &details, default: [], .list(of: .text, rules: ["minItems": 1]),
      "One text per error of a configuration or a setting, without the place in the request.")
    try fields.optional("key", &key, .text, "The setting that a refused SET names.")
    try fields.optional("allowed", &allowed, .text, "The values of that setting, as text.")
  }
}
