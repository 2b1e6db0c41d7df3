import ParallaxMotion

/// PLAY: what is to be played, and on what.
///
///     {"class":"PLAY","id":"nudge","layer":"card","detached":true}
///     {"class":"PLAY","id":"nudge","document":{"parallax":1,"animation":{"delay":1}}}
package struct PlayRequest: Equatable, Sendable {
  package enum Subject: Equatable, Sendable {
    /// `id`: a document that the daemon knows where to find.
    case id(String)
    /// `document`: the document itself, as JSON text. `id` is what ANIMATION lines call it; nil: as
    /// it calls itself.
    case document([UInt8], id: String?)
  }

  package var subject: Subject
  /// `layer`: the layer that moves; nil: the document's own, else all of them.
  package var layer: String?
  /// `detached`: it plays on when the connection ends, and its ANIMATION lines do not come there.
  package var isDetached: Bool

  package init(_ subject: Subject, layer: String? = nil, isDetached: Bool = false) {
    self.subject = subject
    self.layer = layer
    self.isDetached = isDetached
  }

  /// Bytes of a line that is a PLAY; other requests have 64 KiB.
  package static let lineLimit = 1_153_434
}

extension OutputBuffer {
  /// Everything of a PLAY behind its class and tag.
  mutating func appendFields(of play: PlayRequest) {
    switch play.subject {
    case .id(let id), .document(_, let id?): append(field: "id", text: id)
    case .document(_, nil): break
    }
    append(field: "layer", text: play.layer)
    if play.isDetached {
      append(field: "detached")
      append(jsonBool: true)
    }
    guard case .document(let text, _) = play.subject else { return }
    append(field: "document")
    reserve(text.count)
    for byte in text {
      // JSON has line ends between its values only, where a space does as well.
      let isLineEnd = byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
      append(byte: isLineEnd ? UInt8(ascii: " ") : byte)
    }
  }
}
