// SPDX-License-Identifier: Apache-2.0

import ParallaxAnimation
import ParallaxBase

/// Writes an animation as `AnimationReader` reads it.
///
/// The writer does not check the limits of numbers: the reader does, when `AnimationDocument.encoded()` reads
/// what was written.
enum AnimationWriter {
  /// - Parameter depth: The number of animations around it and itself.
  /// - Throws: An error without `$`, for what documents cannot express.
  static func value(of animation: Animation, depth: Int = 1) throws(JSONShapeError) -> JSONValue {
    // Checked here, too, since this recurses.
    guard depth <= DocumentLimits.depth else {
      throw JSONShapeError(
        path: "",
        message: "animations nested too deep; the limit is \(DocumentLimits.depth) levels")
    }
    func inner(_ child: Animation, _ place: String) throws(JSONShapeError) -> JSONValue {
      try JSONShapeError.locating(place) { () throws(JSONShapeError) in
        try value(of: child, depth: depth + 1)
      }
    }
    func list(_ children: some Sequence<Animation>, _ key: String) throws(JSONShapeError)
      -> JSONValue
    {
      var values: [JSONValue] = []
      for (index, child) in children.enumerated() {
        values.append(try inner(child, ".\(key)[\(index)]"))
      }
      return .object([key: .array(values)])
    }
    switch animation.content {
    case .empty: return ["sequence": []]
    case .step(let step): return StepWriter.value(of: step)
    case .delay(let seconds): return ["delay": .number(seconds)]
    case .keyframes(let keyframes): return try StepWriter.value(of: keyframes)
    case .track:
      throw JSONShapeError(
        path: "",
        message:
          "a closure or a layer of a Lottie file, which a parallax document cannot contain; use keyframes or the file"
      )
    case .sequence(let children): return try list(children, "sequence")
    case .parallel(let children): return try list(children, "parallel")
    case .repeated(let child, let count):
      return ["repeat": value(of: count), "of": try inner(child, ".of")]
    case .reversed(let child): return ["reverse": try inner(child, ".reverse")]
    case .autoreversed(let child): return ["autoreverse": try inner(child, ".autoreverse")]
    case .speed(let child, let factor):
      return ["speed": .number(factor), "of": try inner(child, ".of")]
    }
  }

  private static func value(of count: RepeatCount) -> JSONValue {
    switch count {
    case .times(let count): .integer(Int64(count))
    case .forever: "forever"
    }
  }
}

extension JSONShapeError {
  /// Runs `body` and puts a place before the path of its error.
  static func locating(
    _ place: String, _ body: () throws(JSONShapeError) -> JSONValue
  ) throws(JSONShapeError) -> JSONValue {
    do throws(JSONShapeError) {
      return try body()
    } catch {
      throw JSONShapeError(path: place + error.path, message: error.message)
    }
  }
}
