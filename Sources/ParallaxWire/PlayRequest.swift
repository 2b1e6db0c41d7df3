// SPDX-License-Identifier: Apache-2.0

import ParallaxText

/// PLAY: starts an animation.
///
///     {"class":"PLAY","id":"nudge","layer":"card","detached":true}
///     {"class":"PLAY","id":"nudge","document":{"parallax":1,"animation":{"delay":1}}}
package struct PlayRequest: Equatable, Sendable {
  package enum Subject: Equatable, Sendable {
    /// `id`: a document in the daemon's folder or on its server.
    case id(String)
    /// `document`: the document itself, as JSON text. `id` overrides the document's id in ANIMATION
    /// lines; nil keeps it.
    case document([UInt8], id: String?)
  }

  package var subject: Subject
  /// `layer`: the layer to move; nil: the document's, or else all layers.
  package var layer: String?
  /// `detached`: the animation survives the end of the connection, and the connection receives no
  /// ANIMATION lines for it.
  package var isDetached: Bool

  package init(_ subject: Subject, layer: String? = nil, isDetached: Bool = false) {
    self.subject = subject
    self.layer = layer
    self.isDetached = isDetached
  }

  /// The maximum length of a PLAY line, in bytes; other requests have 64 KiB.
  package static let lineLimit = 1_153_434
}

extension OutputBuffer {
  /// Appends the fields of a PLAY after its class and tag.
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
      // JSON allows line ends only between values, where a space has the same meaning.
      let isLineEnd = byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
      append(byte: isLineEnd ? UInt8(ascii: " ") : byte)
    }
  }
}
