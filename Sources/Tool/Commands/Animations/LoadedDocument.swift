// SPDX-License-Identifier: Apache-2.0

import ParallaxDocuments

/// A document that is named on the command line.
struct LoadedDocument {
  /// The name for messages.
  let name: String
  let document: AnimationDocument

  /// - Parameters:
  ///   - path: `-` is standard input.
  ///   - driver: See `DocumentReader.read`, as for `mustHaveDriver`.
  ///   - variables: The values of its variables.
  init(
    path: String, driver: String?, mustHaveDriver: Bool = false,
    variables: VariableValues = .none
  ) throws(CommandFailure) {
    name = Self.name(ofPath: path)
    let text = try Self.text(ofPath: path)
    do {
      document = try DocumentReader.read(
        text, name: name, driver: driver, mustHaveDriver: mustHaveDriver, variables: variables)
    } catch {
      throw CommandFailure(error)
    }
  }

  /// Reports the layer of a Lottie file that plays, and the features that are not supported, one per line.
  func report() {
    if let layer = document.lottieLayer { Console.report("\(name): plays \(layer)") }
    Self.report(document.unsupportedFeatures, of: name)
  }

  fileprivate static func report(_ leftOut: [String], of name: String) {
    for text in leftOut { Console.report("\(name): left out: \(text)") }
  }

  /// Returns the name for messages.
  static func name(ofPath path: String) -> String {
    path == "-" ? "standard input" : path
  }

  /// Reads a file, or standard input.
  static func text(ofPath path: String) throws(CommandFailure) -> [UInt8] {
    do {
      return try DocumentFile.text(path: path)
    } catch {
      throw CommandFailure(error)
    }
  }
}

/// A Lottie file, without a choice of the layer to follow.
struct LoadedLottie {
  /// The name for messages.
  let name: String
  /// nil if the file is a parallax document.
  let file: LottieFile?

  init(path: String, variables: VariableValues) throws(CommandFailure) {
    name = LoadedDocument.name(ofPath: path)
    let text = try LoadedDocument.text(ofPath: path)
    do {
      file = try DocumentReader.lottieFile(text, name: name, variables: variables)
    } catch {
      throw CommandFailure(error)
    }
  }

  /// Reports the features that the tracks do not show, one per line.
  func reportLeftOut() { LoadedDocument.report(file?.unsupportedTrackFeatures ?? [], of: name) }
}
