// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase
package import ParallaxMotion

extension FieldFormat<Choice<[WatchMessage.LayerDepth]>> {
  static let depths = FieldFormat(
    .either(request: schema(type: ["object", "null"]), answer: schema(type: "object")),
    takesNull: true,
    read: { (node, isStrict) throws(JSONShapeError) in
      if node.value == .null { return .reset }
      var layers: [WatchMessage.LayerDepth] = []
      for (name, depth) in try node.members() {
        layers.append(WatchMessage.LayerDepth(name: name, depth: try depth.number()))
      }
      guard isStrict else { return .own(layers.sorted { $0.name < $1.name }) }
      do throws(SettingError) {
        _ = try LayerSet(depths: layers)
      } catch {
        throw node.error(error.message)
      }
      return .own(layers)
    },
    write: { choice, buffer in
      guard let layers = choice.value else { return buffer.append("null") }
      for (index, layer) in layers.enumerated() {
        buffer.append(index == 0 ? "{" : ",")
        buffer.append(jsonString: layer.name)
        buffer.append(byte: UInt8(ascii: ":"))
        buffer.append(jsonNumber: layer.depth)
      }
      buffer.append(layers.isEmpty ? "{}" : "}")
    })

  private static func schema(type: JSONValue) -> FieldSchema {
    .map(
      of: .rules(["type": "number", "minimum": -10, "maximum": 10]),
      names: .rules(["pattern": .string(LayerSet.namePattern)]),
      description: "The depth, a factor: the layer moves that many times as far as the motion.",
      rules: ["type": type, "maxProperties": 16])
  }
}

extension LayerSet {
  package init(depths: [WatchMessage.LayerDepth]) throws(SettingError) {
    var layers: [Layer] = []
    for layer in depths { layers.append(try Layer(name: layer.name, depth: layer.depth)) }
    try self.init(layers)
  }

  /// The names of layers, for schemas.
  static let namePattern = #"^[^ "'\\,=\t\n]{1,64}$"#
}
