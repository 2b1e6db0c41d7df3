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

  /// Line and column of a path in the text of the document; nil if it has no text of its own.
  private let position: DocumentPlace?

  package init(_ meaning: Meaning, name: String, place: String = "", _ message: String) {
    self.init(meaning, name: name, place: place, position: nil, message)
  }

  private init(
    _ meaning: Meaning, name: String, place: String, position: DocumentPlace?, _ message: String
  ) {
    self.meaning = meaning
    self.name = name
    self.place = place
    self.position = position
    self.message = message
  }

  init(name: String, _ error: JSONSyntaxError) {
    self.init(
      .badData, name: name, place: "\(error.line):\(error.column)",
      "invalid JSON: \(error.message)")
  }

  /// - Parameter text: The text of the document; nil if it is part of another one.
  init(name: String, _ error: JSONShapeError, in text: [UInt8]? = nil) {
    self.init(
      .badData, name: name, place: error.path,
      position: text.flatMap {
        DocumentPlace(of: error.path, in: DocumentReader.withoutByteOrderMark($0))
      }, error.message)
  }

  /// `nudge.json:3:14: $.animation.fade: ...`, or without line and column if the document is part of another
  /// one.
  public var description: String {
    if place.isEmpty { return "\(name): \(message)" }
    if let position { return "\(name):\(position.line):\(position.column): \(place): \(message)" }
    return place.hasPrefix("$") ? "\(name): \(place): \(message)" : "\(name):\(place): \(message)"
  }
}
