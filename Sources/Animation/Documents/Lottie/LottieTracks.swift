// SPDX-License-Identifier: Apache-2.0

/// Every layer with keyframes or a parent, frame by frame, as `preview --tracks` prints them; those of
/// precompositions on request.
/// Layers with an expression are excluded: their keyframes are not what the file shows.
package struct LottieTracks: Sequence, IteratorProtocol, Sendable {
  /// The names of the columns.
  package static let columns = [
    "ind", "tick", "t", "frame", "visible", "px", "py", "ax", "ay", "sx", "sy", "r", "o",
    "m_a", "m_b", "m_c", "m_d", "m_e", "m_f",
  ]

  private let file: LottieFile
  private let rateHertz: Double
  private var place = 0
  private var tick = 0

  private let count: Int

  /// - Parameter hasNested: Whether the layers of precompositions follow those of the file.
  init(_ file: LottieFile, rateHertz: Double, hasNested: Bool) {
    self.file = file
    count = hasNested ? file.layers.count : file.ownCount
    self.rateHertz = rateHertz
  }

  /// One layer at one tick. Layers are in the order of the file, each with all its ticks.
  package struct Row: Equatable, Sendable {
    /// The `ind` of the layer.
    package var number: Int64
    /// The `ind` of each layer around it and its own, separated by slashes: `3/1`.
    package var path: String
    package var tick: Int
    package var seconds: Double
    package var frame: Double
    package var isVisible: Bool
    /// In px.
    package var position: LottieVector
    package var anchor: LottieVector
    /// In %.
    package var scale: LottieVector
    package var rotationDegrees: Double
    /// In %.
    package var opacity: Double
    /// From the layer to the composition, including its parents.
    package var matrix: LottieMatrix
  }

  package mutating func next() -> Row? {
    while place < count {
      let frame = file.inFrame + Double(tick) * file.frameRate / rateHertz
      if isIncluded(file.layers[place]), frame < file.outFrame {
        defer { tick += 1 }
        return row(frame)
      }
      place += 1
      tick = 0
    }
    return nil
  }

  private func isIncluded(_ layer: LottieLayer) -> Bool {
    (layer.transform.hasKeyframes || layer.parent != nil) && layer.transform.expressions.isEmpty
  }

  private func row(_ frame: Double) -> Row {
    let layer = file.layers[place]
    let outer = frame
    let frame = file.frame(of: place, at: outer)
    return Row(
      number: layer.number, path: file.numbers(of: place), tick: tick,
      seconds: Double(tick) / rateHertz, frame: frame, isVisible: file.isVisible(place, at: outer),
      position: layer.transform.position.value(at: frame),
      anchor: layer.transform.anchor.value(at: frame),
      scale: layer.transform.scale.value(at: frame),
      rotationDegrees: layer.transform.rotation.value(at: frame).x,
      opacity: layer.transform.opacity.value(at: frame).x, matrix: file.matrix(place, at: outer))
  }
}

extension LottieFile {
  /// Returns the tracks of the layers.
  ///
  /// - Parameters:
  ///   - rateHertz: Ticks per second, above 0.
  ///   - hasNested: Whether the layers of precompositions follow those of the file.
  package func tracks(rateHertz: Double = 30, hasNested: Bool = false) -> LottieTracks {
    LottieTracks(self, rateHertz: rateHertz, hasNested: hasNested)
  }

  // The depth of these recursions is that of the precompositions, which is limited.

  /// Returns the frame of a layer's composition.
  func frame(of place: Int, at frame: Double) -> Double {
    guard let container = layers[place].container, let clock = layers[container].clock else {
      return frame
    }
    return clock.frame(at: self.frame(of: container, at: frame))
  }

  /// Returns whether a layer and those around it are drawn.
  func isVisible(_ place: Int, at frame: Double) -> Bool {
    let own = self.frame(of: place, at: frame)
    guard own >= layers[place].inFrame, own < layers[place].outFrame else { return false }
    return layers[place].container.map { isVisible($0, at: frame) } ?? true
  }

  fileprivate func numbers(of place: Int) -> String {
    let own = "\(layers[place].number)"
    return layers[place].container.map { "\(numbers(of: $0))/\(own)" } ?? own
  }

  /// Returns the matrix from a layer to the composition of the file.
  ///
  /// - Parameter frame: The frame of the file.
  func matrix(_ place: Int, at frame: Double) -> LottieMatrix {
    let matrix = ownMatrix(place, at: self.frame(of: place, at: frame))
    guard let container = layers[place].container else { return matrix }
    return self.matrix(container, at: frame).applied(to: matrix)
  }

  /// Returns the matrix from a layer to its own composition.
  private func ownMatrix(_ place: Int, at frame: Double) -> LottieMatrix {
    var matrix = layers[place].transform.matrix(at: frame)
    var parent = layers[place].parent
    while let place = parent {
      matrix = layers[place].transform.matrix(at: frame).applied(to: matrix)
      parent = layers[place].parent
    }
    return matrix
  }
}
