// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

/// The rotation, scale and opacity at which a layer is at rest. They are the layout of its artwork; motion is
/// measured from them, so that a user's own picture is at rest there too.
struct LottieLayout: Equatable, Sendable {
  var rotationDegrees: Double
  /// In %.
  var scale: LottieVector
  /// In %.
  var opacity: Double

  /// From the px of the layer to those of its parent, without a translation.
  var matrix: LottieMatrix { LottieMatrix(rotationDegrees: rotationDegrees, scale: scale) }
}

extension LottieTransform {
  /// Returns the layout.
  ///
  /// A value that does not change is layout. One that changes and is neutral at a keyframe, 0 degrees or
  /// 100 %, has no layout. Any other is measured from its start; a scale that starts below a tenth of the
  /// largest, from that one, and an opacity from the largest. A slot is a parameter, not layout.
  ///
  /// - Parameters:
  ///   - frames: The frames that play.
  ///   - start: The frame that plays first.
  func layout(in frames: ClosedRange<Double>, from start: Double) -> LottieLayout {
    LottieLayout(
      rotationDegrees: Self.layout(rotation, neutral: .zero, frames) { $0.value(at: start) }.x,
      scale: Self.layout(scale, neutral: .whole, frames) { track in
        let first = track.value(at: start)
        return LottieVector(
          x: Self.startOrLargest(first.x, track.values.map(\.x)),
          y: Self.startOrLargest(first.y, track.values.map(\.y)))
      },
      opacity: Self.layout(opacity, neutral: LottieVector(x: 100, y: 0), frames) { track in
        LottieVector(x: min(Self.largest(track.values.map(\.x)), 100), y: 0)
      }.x)
  }

  private static func layout(
    _ track: LottieMotionTrack, neutral: LottieVector, _ frames: ClosedRange<Double>,
    _ changing: (LottieMotionTrack) -> LottieVector
  ) -> LottieVector {
    if track.isSlotted { return neutral }
    guard track.moves(in: frames) else { return track.value(at: frames.lowerBound) }
    return track.values.contains(neutral) ? neutral : changing(track)
  }

  private static func startOrLargest(_ start: Double, _ values: [Double]) -> Double {
    let largest = largest(values)
    return start.magnitude < 0.1 * largest.magnitude ? largest : start
  }

  private static func largest(_ values: [Double]) -> Double {
    values.max { $0.magnitude < $1.magnitude } ?? 0
  }
}

extension LottieFile {
  /// Returns the layout of all that carries what plays for a layer: from the px of its position to those of
  /// the file's composition.
  ///
  /// - Throws: If it enlarges a path so much that poses might not be finite.
  func surroundings(of place: Int) throws(JSONShapeError) -> LottieMatrix {
    func layout(_ place: Int) -> LottieMatrix {
      let start = frame(of: place, at: inFrame)
      return layers[place].transform.layout(in: playedFrames[place], from: start).matrix
    }
    var matrix = LottieMatrix.identity
    if let group = layers[place].group { matrix = layout(place).applied(to: group.outer) }
    for carrier in carriers(of: place) { matrix = layout(carrier).applied(to: matrix) }
    guard [matrix.a, matrix.b, matrix.c, matrix.d].allSatisfy(DocumentLimits.scale.contains) else {
      throw JSONShapeError(
        path: "$." + layers[place].path,
        message:
          "\(layers[place].label): the scale of what carries it is too large; the limit of all "
          + "together is \(SettingText.text(DocumentLimits.scale.upperBound)) times")
    }
    return matrix
  }
}
