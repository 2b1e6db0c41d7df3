// SPDX-License-Identifier: Apache-2.0

package import ParallaxAnimation
package import ParallaxBase

/// Reads an animation document: a native one or a Lottie file.
package enum DocumentReader {
  /// - Parameters:
  ///   - text: UTF-8 JSON, with a byte order mark or without.
  ///   - name: The file or the id, for messages.
  ///   - driver: The layer of a Lottie file to play. If nil or not in the file, the one that moves most
  ///     of the picture plays.
  ///   - mustHaveDriver: Whether a driver that is not in the file is an error, and also one for a native
  ///     document, which has no layers.
  ///   - variables: The values of variables, or of the slots of a Lottie file, by name.
  package static func read(
    _ text: [UInt8], name: String, driver: String? = nil, mustHaveDriver: Bool = false,
    variables: VariableValues = .none
  ) throws(DocumentError) -> AnimationDocument {
    try reading(text, name: name) { (root) throws(JSONShapeError) in
      try document(root, driver: driver, mustHaveDriver: mustHaveDriver, variables: variables)
    }
  }

  /// Reads a document that is part of another JSON text.
  package static func read(
    _ value: JSONValue, name: String, driver: String? = nil, variables: VariableValues = .none
  ) throws(DocumentError) -> AnimationDocument {
    do throws(JSONShapeError) {
      return try document(
        JSONNode(value), driver: driver, mustHaveDriver: false, variables: variables)
    } catch {
      throw DocumentError(name: name, error)
    }
  }

  private static func document(
    _ root: JSONNode, driver: String?, mustHaveDriver: Bool, variables: VariableValues
  ) throws(JSONShapeError) -> AnimationDocument {
    switch try Kind(root) {
    case .native:
      if mustHaveDriver, let driver {
        throw root.error(
          "a parallax document has no layer \(QuotedText.of(driver)) to follow; omit --layer")
      }
      return try NativeDocument.read(root, variables: variables.object)
    case .lottie:
      let file = try lottieFile(root, variables)
      return try mustHaveDriver ? file.document(driver: driver) : lottie(file, driver: driver)
    }
  }

  /// Returns the text of a document for a request, whose line can contain neither other bytes than UTF-8 nor NUL.
  ///
  /// - Throws: Where the first such byte is.
  package static func string(_ text: [UInt8], name: String) throws(DocumentError) -> String {
    if let string = String(validating: text, as: UTF8.self), !text.contains(0) { return string }
    _ = try read(text, name: name)
    throw DocumentError(.badData, name: name, "is not UTF-8 text; save it as UTF-8")
  }

  /// Reads the `curve` of a request, in the grammar of native documents; nil if it has none.
  package static func curve(of node: JSONNode) throws(JSONShapeError) -> Curve? {
    try CurveReader.curve(of: node)
  }

  /// Reads a Lottie file for access to its layers; nil if the text is a native document.
  package static func lottieFile(
    _ text: [UInt8], name: String, variables: VariableValues = .none
  ) throws(DocumentError) -> LottieFile? {
    try reading(text, name: name) { (root) throws(JSONShapeError) in
      try Kind(root) == .lottie ? lottieFile(root, variables) : nil
    }
  }

  /// Parses a text. Errors have its line and column.
  private static func reading<Value>(
    _ text: [UInt8], name: String, _ body: (JSONNode) throws(JSONShapeError) -> Value
  ) throws(DocumentError) -> Value {
    let root = JSONNode(try value(text, name: name))
    do throws(JSONShapeError) {
      return try body(root)
    } catch {
      throw DocumentError(name: name, error, in: text)
    }
  }

  private static func lottie(
    _ file: LottieFile, driver: String?
  ) throws(JSONShapeError) -> AnimationDocument {
    guard let driver else { return try file.document() }
    if file.place(ofLayer: driver) != nil { return try file.document(driver: driver) }
    // The name is that of a layer of the stream.
    var document = try file.document()
    document.unsupportedFeatures.insert(
      "layer \(QuotedText.of(driver)): not in the file; its layers are "
        + shortList(file.layerNames.map(QuotedText.of)), at: 0)
    return document
  }

  private static func lottieFile(
    _ root: JSONNode, _ variables: VariableValues
  ) throws(JSONShapeError) -> LottieFile {
    guard root.value.isNested(atMost: DocumentLimits.depth) else {
      throw root.error("nested too deep; the limit is \(DocumentLimits.depth) levels")
    }
    return try LottieFile(root, variables: variables)
  }

  /// Returns the text without a leading byte order mark.
  package static func withoutByteOrderMark(_ text: [UInt8]) -> ArraySlice<UInt8> {
    text.starts(with: [0xEF, 0xBB, 0xBF]) ? text[3...] : text[...]
  }

  private static func value(_ text: [UInt8], name: String) throws(DocumentError) -> JSONValue {
    if let problem = packed(text, name: name) {
      throw DocumentError(.badData, name: name, problem)
    }
    do {
      return try JSONValue.parse(withoutByteOrderMark(text).span.bytes, limits: DocumentLimits.text)
    } catch {
      throw DocumentError(name: name, error)
    }
  }

  /// Returns what to do with a compressed file; nil for others. A .lottie file is a zip archive with the
  /// JSON of its animations in the folder animations (version 1) or a (version 2).
  private static func packed(_ text: [UInt8], name: String) -> String? {
    if text.starts(with: [0x50, 0x4B, 0x03, 0x04]) {
      return "is a zip archive (.lottie), not JSON; extract its animation: "
        + "unzip -p FILE.lottie 'a*/*.json' > FILE.json"
    }
    if text.starts(with: [0x1F, 0x8B]) {
      return "is compressed; decompress it: zcat FILE > FILE.json"
    }
    return nil
  }

  enum Kind {
    case native, lottie

    init(_ root: JSONNode) throws(JSONShapeError) {
      guard case .object(let object) = root.value else {
        throw root.error("expected an object, got \(root.value.kind); \(Self.allowed)")
      }
      if object["parallax"] != nil {
        self = .native
      } else if LottieFile.isLottie(root.value) {
        self = .lottie
      } else if object["animation"] != nil {
        throw root.error("\"parallax\" is missing; add \"parallax\": 1")
      } else {
        throw root.error("not an animation; \(Self.allowed)")
      }
    }

    private static let allowed =
      "expected \"parallax\": 1 with \"animation\", or a Lottie file with \"layers\""
  }
}

extension JSONValue {
  /// Returns whether arrays and objects are nested at most `depth` levels deep.
  fileprivate func isNested(atMost depth: Int) -> Bool {
    switch self {
    case .array(let elements):
      depth > 0 && elements.allSatisfy { $0.isNested(atMost: depth - 1) }
    case .object(let object):
      depth > 0 && object.members.allSatisfy { $0.value.isNested(atMost: depth - 1) }
    default: true
    }
  }
}
