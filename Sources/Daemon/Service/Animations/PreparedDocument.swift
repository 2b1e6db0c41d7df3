// SPDX-License-Identifier: Apache-2.0

import ParallaxAnimation
import ParallaxBase
import ParallaxDocuments
import ParallaxProtocol

/// A document as it is played. Reading it takes up to some 10 ms for the largest one.
package struct PreparedDocument: Sendable {
  /// The id in ANIMATION lines.
  let id: String
  /// The file that a request has read it from.
  var file: String?
  /// The layer that the document names.
  let layer: String?
  /// Whether it follows a layer of a Lottie file.
  let isTrack: Bool
  let timeline: Timeline<Pose>
  /// The further layers that play with it, each with a delay of its own.
  let followers: [StaggeredLayer]
  let reducedMotion: ReducedMotion
  /// A remark for the user: the layer of a Lottie file that plays, and what does not.
  let note: String?

  enum ReducedMotion: Sendable {
    case none
    case timeline(Timeline<Pose>)
    /// Another document, by its id.
    case document(String)
  }

  /// Reads the document of a request.
  ///
  /// - Parameters:
  ///   - given: The id that the request gives it.
  ///   - driver: The layer of a Lottie file to follow.
  ///   - variables: The values of its variables.
  init(
    _ value: JSONValue, id given: String?, driver: String?, variables: VariableValues
  ) throws(PlayError) {
    let id = try given.map { (text) throws(PlayError) in try DocumentID(requested: text).text }
    let document = try PlayError.translating { () throws(DocumentError) in
      try DocumentReader.read(
        value, name: id ?? "document", driver: driver, variables: variables)
    }
    self.init(document, id: id ?? document.id ?? "document", layer: driver)
  }

  /// Reads the text of a document in a request.
  ///
  /// - Parameters:
  ///   - file: The name of its file; without its extension it is the id of a document that has none.
  ///   - given, driver, variables: As above.
  init(
    _ text: String, file: String?, id given: String?, driver: String?, variables: VariableValues
  ) throws(PlayError) {
    let id = try given.map { (text) throws(PlayError) in try DocumentID(requested: text).text }
    let text = Array(text.utf8)
    let document = try PlayError.translating { () throws(DocumentError) in
      try DocumentReader.read(
        text, name: file ?? id ?? "document", driver: driver, variables: variables)
    }
    self.init(
      document, id: id ?? document.id ?? file.flatMap(DocumentID.init(ofFile:))?.text ?? "document",
      layer: driver)
    self.file = file
  }

  /// Reads the text of a document that was found by its id.
  ///
  /// - Parameter loops: Whether it repeats forever.
  init(
    _ text: [UInt8], id: DocumentID, driver: String? = nil, loops: Bool = false,
    variables: VariableValues = .none
  ) throws(PlayError) {
    var document = try PlayError.translating { () throws(DocumentError) in
      try DocumentReader.read(
        text, name: "\(id.text).json", driver: driver, variables: variables)
    }
    if loops {
      guard Timeline(document.animation).durationSeconds > 0 else {
        throw PlayError("\(id.text).json: has no duration and cannot repeat", .badDocument)
      }
      document.animation = document.animation.repeatedForever()
    }
    self.init(document, id: id.text, layer: driver)
  }

  /// - Parameter given: The layer of the request, which plays alone.
  private init(_ document: AnimationDocument, id: String, layer given: String?) {
    var document = document
    if given != nil { document.stagger = nil }
    let parts = document.parts
    self.id = id
    layer = parts[0].layer
    followers = parts.dropFirst().map {
      StaggeredLayer(layer: $0.layer, timeline: Timeline($0.animation))
    }
    isTrack = if case .track = document.animation.content { true } else { false }
    timeline = Timeline(parts[0].animation)
    reducedMotion =
      switch document.reducedMotion {
      case .none: .none
      case .animation(let animation): .timeline(Timeline(animation))
      case .document(let id): .document(id)
      }
    note = document.note
  }
}

extension AnimationDocument {
  fileprivate var note: String? {
    var parts = lottieLayer.map { ["plays \($0)"] } ?? []
    if !unsupportedFeatures.isEmpty {
      parts.append("left out: " + unsupportedFeatures.prefix(5).joined(separator: "; "))
    }
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }
}

/// A layer that plays a document after the first one.
struct StaggeredLayer: Sendable {
  let layer: String?
  let timeline: Timeline<Pose>
}

/// Why an animation does not play.
package struct PlayError: Error, Sendable {
  let answer: ErrorMessage

  init(_ message: String, _ code: ErrorMessage.Code) {
    answer = ErrorMessage(message: message, code: code)
  }

  init(_ error: DocumentError) {
    self.init(error.description, error.meaning.code)
  }

  static let workerIsBusy = PlayError(
    "too many documents are waiting to be read; try again later", .unavailable)

  fileprivate static func translating<Value>(
    _ body: () throws(DocumentError) -> Value
  ) throws(PlayError) -> Value {
    do throws(DocumentError) {
      return try body()
    } catch {
      throw PlayError(error)
    }
  }
}

extension DocumentID {
  /// The name of a file without its extension; nil if that is not valid.
  fileprivate init?(ofFile path: String) {
    guard let name = path.split(separator: "/").last else { return nil }
    let stem = name.hasSuffix(".json") ? name.dropLast(5) : name
    do throws(SettingError) { try self.init(String(stem)) } catch { return nil }
  }

  /// Checks the id in a request.
  init(requested text: String) throws(PlayError) {
    do throws(SettingError) {
      try self.init(text)
    } catch {
      throw PlayError(error.message, .badRequest)
    }
  }
}

extension DocumentError.Meaning {
  fileprivate var code: ErrorMessage.Code {
    switch self {
    case .noSuchAnimation: .noSuchAnimation
    case .badData: .badDocument
    case .noPermission, .readFailed: .unavailable
    }
  }
}
