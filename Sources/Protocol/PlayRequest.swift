// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

/// PLAY: starts an animation.
///
///     {"class":"PLAY","id":"nudge","layer":"card","detached":true}
///     {"class":"PLAY","id":"nudge","document":{"parallax":1,"animation":{"delay":1}}}
///     {"class":"PLAY","id":"shake","variables":{"strength":8}}
///     {"class":"PLAY","text":"{\n \"parallax\": 1, ...","file":"examples/nudge.json"}
package struct PlayRequest: Equatable, Sendable {
  package enum Subject: Equatable, Sendable {
    /// `id`: a document in the daemon's folder or on its server.
    case id(String)
    /// `document`: the document itself, as JSON text. `id` overrides the document's id in ANIMATION
    /// lines; nil keeps it.
    case document([UInt8], id: String?)
    /// `text` and `file`: the text of a document, and the name of its file. Errors have the file's line
    /// and column; the file's name is the id of a document that has none.
    case text(String, file: String)
    /// `chain`: several of the above, in one animation.
    indirect case chain([PlayRequest], ChainRequest)
  }

  package var subject: Subject
  /// `layer`: the layer to move; nil: the document's, or else all layers.
  package var layer: String?
  /// `detached`: the animation survives the end of the connection, and the connection receives no
  /// ANIMATION lines for it.
  package var isDetached: Bool
  /// `as`: the id in ANIMATION lines, for ANIMATE and STOP; nil: that of the document.
  package var name: String?
  /// `paused`: waits at its start for ANIMATE.
  package var isPaused: Bool
  /// `pauses_at_end`: pauses at an end instead of ending, so that it can be reversed.
  package var pausesAtEnd: Bool

  /// `variables`: the values of the document's variables, as the JSON text of an object without line
  /// ends; nil: its defaults.
  package var variables: [UInt8]?

  package init(
    _ subject: Subject, layer: String? = nil, isDetached: Bool = false, name: String? = nil,
    isPaused: Bool = false, pausesAtEnd: Bool = false, variables: [UInt8]? = nil
  ) {
    self.subject = subject
    self.variables = variables
    self.layer = layer
    self.isDetached = isDetached
    self.name = name
    self.isPaused = isPaused
    self.pausesAtEnd = pausesAtEnd
  }

  /// The maximum length of a PLAY or an ANIMATE, in bytes; other requests have 64 KiB. A document of
  /// 1 MiB fits even if each of its bytes is escaped in `text`.
  package static let lineLimit = 2_306_868
}

extension OutputBuffer {
  /// Appends the fields of a PLAY after its class and tag.
  mutating func appendFields(of play: PlayRequest) {
    switch play.subject {
    case .id(let id), .document(_, let id?): append(field: "id", text: id)
    case .document(_, nil), .text: break
    case .chain(let parts, let chain): appendFields(of: chain, parts: parts)
    }
    append(field: "layer", text: play.layer)
    append(field: "as", text: play.name)
    if play.isDetached { append(trueField: "detached") }
    if play.isPaused { append(trueField: "paused") }
    if play.pausesAtEnd { append(trueField: "pauses_at_end") }
    if let variables = play.variables {
      append(field: "variables")
      append(jsonLine: variables)
    }
    switch play.subject {
    case .document(let text, _):
      append(field: "document")
      append(jsonLine: text)
    case .text(let text, let file): appendFields(ofText: text, file: file)
    case .id, .chain: break
    }
  }

  /// Appends `,"text":"...","file":"..."`.
  mutating func appendFields(ofText text: String, file: String) {
    append(field: "text", text: text)
    append(field: "file", text: file)
  }

  private mutating func append(trueField key: StaticString) {
    append(field: key)
    append(jsonBool: true)
  }

  /// Appends JSON text on one line.
  mutating func append(jsonLine text: [UInt8]) {
    reserve(text.count)
    for byte in text {
      // JSON allows line ends only between values, where a space has the same meaning.
      let isLineEnd = byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
      append(byte: isLineEnd ? UInt8(ascii: " ") : byte)
    }
  }
}
