// SPDX-License-Identifier: Apache-2.0

/// Every layer with keyframes or a parent, frame by frame, as `preview --tracks` prints them.
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

  init(_ file: LottieFile, rateHertz: Double) {
    self.file = file
    self.rateHertz = rateHertz
  }

  /// One layer at one tick. Layers are in the order of the file, each with all its ticks.
  package struct Row: Equatable, Sendable {
    /// The `ind` of the layer.
    package var number: Int64
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
    while place < file.layers.count {
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
    (layer.hasKeyframes || layer.parent != nil) && layer.expressions.isEmpty
  }

  private func row(_ frame: Double) -> Row {
    let layer = file.layers[place]
    return Row(
      number: layer.number, tick: tick, seconds: Double(tick) / rateHertz, frame: frame,
      isVisible: frame >= layer.inFrame && frame < layer.outFrame,
      position: layer.transform.position.value(at: frame),
      anchor: layer.transform.anchor.value(at: frame),
      scale: layer.transform.scale.value(at: frame),
      rotationDegrees: layer.transform.rotation.value(at: frame).x,
      opacity: layer.transform.opacity.value(at: frame).x, matrix: file.matrix(place, at: frame))
  }
}

extension LottieFile {
  /// Returns the tracks of the layers.
  ///
  /// - Parameter rateHertz: Ticks per second, above 0.
  package func tracks(rateHertz: Double = 30) -> LottieTracks {
    LottieTracks(self, rateHertz: rateHertz)
  }

  /// Returns the matrix from a layer to the composition.
  func matrix(_ place: Int, at frame: Double) -> LottieMatrix {
    var matrix = layers[place].transform.matrix(at: frame)
    var parent = layers[place].parent
    while let place = parent {
      matrix = layers[place].transform.matrix(at: frame).applied(to: matrix)
      parent = layers[place].parent
    }
    return matrix
  }
}
