// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase

/// A plane of the picture, which moves `depth` times as far as the motion.
package struct Layer: Equatable, Sendable {
  package let name: String
  /// At most 10 in magnitude; a negative depth moves against the motion.
  package let depth: Double

  package static let depthLimit = 10.0
  /// The longest name, in bytes of UTF-8.
  package static let nameLimit = 64

  package init(name: String, depth: Double) throws(SettingError) {
    guard !name.isEmpty, name.utf8.count <= Self.nameLimit,
      name.unicodeScalars.allSatisfy({
        $0.value > 0x20 && $0 != "\u{7F}" && !"\"\\,=".unicodeScalars.contains($0)
      })
    else {
      throw SettingError(
        "invalid layer name '\(name)'; use 1 to 64 bytes without spaces, quotes, backslash, "
          + "comma or =")
    }
    guard depth.magnitude <= Self.depthLimit else {
      throw SettingError(
        "the depth \(SettingText.text(depth)) of layer '\(name)' is out of range; use -10 to 10")
    }
    self.name = name
    self.depth = depth
  }
}

/// Up to 16 layers with unique names, in their order in the text.
package struct LayerSet: Equatable, Sendable {
  package let layers: [Layer]

  package static let none = LayerSet(unchecked: [])
  package static let countLimit = 16

  private init(unchecked layers: [Layer]) {
    self.layers = layers
  }

  package init(_ layers: [Layer]) throws(SettingError) {
    guard layers.count <= Self.countLimit else {
      throw SettingError("too many layers: \(layers.count); at most 16 are possible")
    }
    guard Set(layers.map(\.name)).count == layers.count else {
      throw SettingError("two layers have the same name; give each its own")
    }
    self.init(unchecked: layers)
  }

  /// Parses `NAME=DEPTH,...`, as in `bg=0.2,fg=1`. An empty text has no layers.
  package init(parsing text: String) throws(SettingError) {
    var layers: [Layer] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: true) {
      guard let equals = part.lastIndex(of: "="),
        let depth = SettingText.number(part[part.index(after: equals)...])
      else {
        throw SettingError("invalid layer '\(part)'; write NAME=DEPTH, as in bg=0.2,fg=1")
      }
      layers.append(try Layer(name: String(part[..<equals]), depth: depth))
    }
    try self.init(layers)
  }
}
