import ParallaxJSON

/// Why there is no animation: what, where and what is allowed.
package struct DocumentError: Error, Equatable, Sendable, CustomStringConvertible {
  package enum Meaning: Sendable {
    /// There is none of that name. Another place may have one.
    case noSuchAnimation
    /// It may not be read.
    case noPermission
    /// Reading it failed.
    case readFailed
    /// It is there and cannot be played.
    case badData
  }

  package let meaning: Meaning
  /// The file or the id, as it was named.
  package let name: String
  /// Where in it: `3:14` (line and column) or `$.animation.sequence[2]`; empty: all of it.
  package let place: String
  package let message: String

  package init(_ meaning: Meaning, name: String, place: String = "", _ message: String) {
    self.meaning = meaning
    self.name = name
    self.place = place
    self.message = message
  }

  init(name: String, _ error: JSONSyntaxError) {
    self.init(.badData, name: name, place: "\(error.line):\(error.column)", error.message)
  }

  init(name: String, _ error: JSONShapeError) {
    self.init(.badData, name: name, place: error.path, error.message)
  }

  /// `nudge.json: $.animation.fade: ...` or `nudge.json:3:14: ...`.
  package var description: String {
    if place.isEmpty { return "\(name): \(message)" }
    return place.hasPrefix("$") ? "\(name): \(place): \(message)" : "\(name):\(place): \(message)"
  }
}
