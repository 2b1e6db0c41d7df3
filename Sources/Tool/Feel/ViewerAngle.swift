// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// The tilt that a device has in space, with the whole recording known.
///
/// The viewer's direction in the device's frame, v, turns with the device (v' = v x w) and returns to
/// (0, 0, 1) with a time constant, from at most a limit. Each step turns v exactly, by the mean of two samples (Rodrigues).
/// This is a second implementation beside the pipeline's, which it measures.
enum ViewerAngle {
  /// Returns (a, b) at each sample, rad: the angle to the viewer along the screen's axes in `normal`.
  static func angles(
    of samples: ArraySlice<FeelRecording.Sample>, timeConstantSeconds: Double, limit: Double
  ) -> [SIMD2<Double>] {
    var direction = SIMD3(0.0, 0.0, 1.0)
    var angles: [SIMD2<Double>] = [.zero]
    angles.reserveCapacity(samples.count)
    for (before, now) in zip(samples, samples.dropFirst()) {
      let seconds = now.seconds - before.seconds
      let turn = 0.5 * seconds * (before.rate + now.rate)
      direction = turned(direction, backBy: turn)
      let across = hypot(direction.x, direction.y)
      guard across > 1e-12 else {
        angles.append(.zero)
        continue
      }
      let angle = min(
        atan2(across, direction.z) * exp(-seconds / timeConstantSeconds), limit)
      let (along, sine) = (SIMD2(direction.x, direction.y) / across, sin(angle))
      direction = SIMD3(along.x * sine, along.y * sine, cos(angle))
      angles.append(SIMD2(-along.x, along.y) * angle)
    }
    return angles
  }

  /// Returns a direction in the frame of a device that has turned by a rotation vector, rad.
  private static func turned(_ direction: SIMD3<Double>, backBy turn: SIMD3<Double>)
    -> SIMD3<Double>
  {
    let angle = (turn * turn).sum().squareRoot()
    guard angle > 1e-12 else { return direction }
    let axis = turn / angle
    return direction * cos(angle) - cross(axis, direction) * sin(angle)
      + axis * ((axis * direction).sum() * (1 - cos(angle)))
  }

  private static func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
  }
}
