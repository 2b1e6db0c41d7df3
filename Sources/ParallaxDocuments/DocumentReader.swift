package import ParallaxJSON

/// Reads an animation document, ours or a Lottie file's.
package enum DocumentReader {
  /// - Parameters:
  ///   - text: UTF-8 JSON, with a byte order mark or without.
  ///   - name: of the file, or the id; for messages.
  ///   - driver: the layer of a Lottie file whose transform plays; nil, or where it has none of that
  ///     name: its first animated one.
  package static func read(
    _ text: [UInt8], name: String, driver: String? = nil
  ) throws(DocumentError) -> AnimationDocument {
    try read(value(text, name: name), name: name, driver: driver)
  }

  /// A document that came as a part of something else.
  package static func read(
    _ value: JSONValue, name: String, driver: String? = nil
  ) throws(DocumentError) -> AnimationDocument {
    do throws(JSONShapeError) {
      let root = JSONNode(value)
      switch try Kind(root) {
      case .ours: return try OurDocument.read(root)
      case .lottie: return try lottie(root, driver: driver)
      }
    } catch {
      throw DocumentError(name: name, error)
    }
  }

  /// A Lottie file itself, for what is to be seen of its layers; nil where it is one of our documents.
  package static func lottieFile(
    _ text: [UInt8], name: String
  ) throws(DocumentError) -> LottieFile? {
    let root = JSONNode(try value(text, name: name))
    do throws(JSONShapeError) {
      guard try Kind(root) == .lottie else { return nil }
      return try lottieFile(root)
    } catch {
      throw DocumentError(name: name, error)
    }
  }

  private static func lottie(
    _ root: JSONNode, driver: String?
  ) throws(JSONShapeError) -> AnimationDocument {
    let file = try lottieFile(root)
    guard let driver else { return try file.document() }
    if file.layerNames.contains(driver) { return try file.document(driver: driver) }
    // It is the name of a layer on the stream, then.
    var document = try file.document()
    document.leftOut.insert(
      "layer \(Quoted.text(driver)): the file has none of that name; its first animated one drives",
      at: 0)
    return document
  }

  private static func lottieFile(_ root: JSONNode) throws(JSONShapeError) -> LottieFile {
    guard root.value.isNested(atMost: DocumentLimits.depth) else {
      throw root.error("nested more than \(DocumentLimits.depth) deep, which is not allowed")
    }
    return try LottieFile(root)
  }

  /// The text behind the byte order mark that a file may begin with.
  package static func withoutMark(_ text: [UInt8]) -> ArraySlice<UInt8> {
    text.starts(with: [0xEF, 0xBB, 0xBF]) ? text[3...] : text[...]
  }

  private static func value(_ text: [UInt8], name: String) throws(DocumentError) -> JSONValue {
    do {
      return try JSONValue.parse(withoutMark(text).span.bytes, limits: DocumentLimits.text)
    } catch {
      throw DocumentError(name: name, error)
    }
  }

  enum Kind {
    case ours, lottie

    init(_ root: JSONNode) throws(JSONShapeError) {
      guard case .object(let object) = root.value else {
        throw root.error("expected an object, found \(root.value.kind); \(Self.allowed)")
      }
      if object["parallax"] != nil {
        self = .ours
      } else if LottieFile.isLottie(root.value) {
        self = .lottie
      } else if object["animation"] != nil {
        throw root.error("\"parallax\" is missing; add \"parallax\": 1")
      } else {
        throw root.error("this is no animation; \(Self.allowed)")
      }
    }

    private static let allowed =
      "expected \"parallax\": 1 with \"animation\", or a Lottie file with \"layers\""
  }
}

extension JSONValue {
  /// Whether no more than so many arrays and objects are inside one another.
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
