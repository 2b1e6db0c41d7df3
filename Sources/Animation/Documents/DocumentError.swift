// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

/// Why a document cannot be played: where, what is wrong, and what is allowed.
public struct DocumentError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What went wrong.
  #if hasAttribute(nonexhaustive)
    @nonexhaustive
  #endif
  public enum Meaning: Sendable {
    /// No document has this name here. Another place may have it.
    case noSuchAnimation
    /// Permission to read it is denied.
    case noPermission
    /// Reading it failed.
    case readFailed
    /// The document is malformed.
    case badData
  }

  /// What went wrong.
  public let meaning: Meaning
  /// The file or the id, as given.
  public let name: String
  /// The place in it: `3:14` (line and column) or `$.animation.sequence[2]`. Empty: the whole
  /// document.
  public let place: String
  /// What is wrong and what is allowed, in one line.
  public let message: String

  package init(_ meaning: Meaning, name: String, place: String = "", _ message: String) {
    self.meaning = meaning
    self.name = name
    self.place = place
    self.message = message
  }

  init(name: String, _ error: JSONSyntaxError) {
    self.init(
      .badData, name: name, place: "\(error.line):\(error.column)",
      "invalid JSON: \(error.message)")
  }

  init(name: String, _ error: JSONShapeError) {
    self.init(.badData, name: name, place: error.path, error.message)
  }

  /// `nudge.json:3:14: $.animation.fade: ...`: the description with line and column.
  ///
  /// - Parameter text: The text of the document.
  package func description(in text: [UInt8]) -> String {
    let bare = DocumentReader.withoutByteOrderMark(text)
    guard place.hasPrefix("$"), let at = DocumentPlace(of: place, in: bare) else {
      return description
    }
    return "\(name):\(at.line):\(at.column): \(place): \(message)"
  }

  /// `nudge.json: $.animation.fade: ...` or `nudge.json:3:14: ...`.
  public var description: String {
    if place.isEmpty { return "\(name): \(message)" }
    return place.hasPrefix("$") ? "\(name): \(place): \(message)" : "\(name):\(place): \(message)"
  }
}
