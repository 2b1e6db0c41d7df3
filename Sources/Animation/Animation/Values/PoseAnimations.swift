// SPDX-License-Identifier: Apache-2.0

public import ParallaxMotion

// The vocabulary for writing animations of a pose.
extension Animation {
  // MARK: - Steps

  /// Moves by px to the right and down.
  ///
  /// - Parameters:
  ///   - px: Distance from the current place.
  ///   - duration: Default: 0.25 s; with a spring, until it is at rest.
  ///   - curve: Default: ``Curve/ease``.
  public static func move(
    by px: PixelOffset, duration: Duration? = nil, curve: Curve = .ease
  ) -> Animation {
    step(.moveBy(px), duration, curve)
  }

  /// Moves to a place, in px to the right of, and below, the place of rest.
  ///
  /// - Parameters:
  ///   - px: The place.
  ///   - duration: Default: 0.25 s; with a spring, until it is at rest.
  ///   - curve: Default: ``Curve/ease``.
  public static func move(
    to px: PixelOffset, duration: Duration? = nil, curve: Curve = .ease
  ) -> Animation {
    step(.moveTo(px), duration, curve)
  }

  /// Rotates by degrees clockwise.
  ///
  /// - Parameters:
  ///   - degrees: Angle from the current one.
  ///   - duration: Default: 0.25 s; with a spring, until it is at rest.
  ///   - curve: Default: ``Curve/ease``.
  public static func rotate(
    by degrees: Double, duration: Duration? = nil, curve: Curve = .ease
  ) -> Animation {
    step(.rotateBy(degrees), duration, curve)
  }

  /// Rotates to degrees clockwise.
  ///
  /// - Parameters:
  ///   - degrees: The angle; 0 is upright.
  ///   - duration: Default: 0.25 s; with a spring, until it is at rest.
  ///   - curve: Default: ``Curve/ease``.
  public static func rotate(
    to degrees: Double, duration: Duration? = nil, curve: Curve = .ease
  ) -> Animation {
    step(.rotateTo(degrees), duration, curve)
  }

  /// Rotates by degrees clockwise about a point of the layer, which stays where it is.
  ///
  /// - Parameters:
  ///   - degrees: Angle from the current one.
  ///   - anchor: px to the right and down from the layer's center, in the layer.
  ///   - duration: Default: 0.25 s; with a spring, until it is at rest.
  ///   - curve: Default: ``Curve/ease``.
  public static func rotate(
    by degrees: Double, about anchor: PixelOffset, duration: Duration? = nil, curve: Curve = .ease
  ) -> Animation {
    step(.pivotBy(degrees, anchor: anchor), duration, curve)
  }

  /// Rotates to degrees clockwise about a point of the layer, which stays where it is.
  ///
  /// - Parameters:
  ///   - degrees: The angle; 0 is upright.
  ///   - anchor: px to the right and down from the layer's center, in the layer.
  ///   - duration: Default: 0.25 s; with a spring, until it is at rest.
  ///   - curve: Default: ``Curve/ease``.
  public static func rotate(
    to degrees: Double, about anchor: PixelOffset, duration: Duration? = nil, curve: Curve = .ease
  ) -> Animation {
    step(.pivotTo(degrees, anchor: anchor), duration, curve)
  }

  /// Multiplies the scale of each axis by a factor of its own.
  ///
  /// - Parameters:
  ///   - x: Factor of the current scale to the right.
  ///   - y: Factor of the current scale downward.
  ///   - duration: Default: 0.25 s; with a spring, until it is at rest.
  ///   - curve: Default: ``Curve/ease``.
  public static func scale(
    byX x: Double, y: Double, duration: Duration? = nil, curve: Curve = .ease
  ) -> Animation {
    step(.stretchBy(x: x, y: y), duration, curve)
  }

  /// Scales each axis to a factor of its own.
  ///
  /// - Parameters:
  ///   - x: The scale to the right; 1 is unscaled.
  ///   - y: The scale downward; 1 is unscaled.
  ///   - duration: Default: 0.25 s; with a spring, until it is at rest.
  ///   - curve: Default: ``Curve/ease``.
  public static func scale(
    toX x: Double, y: Double, duration: Duration? = nil, curve: Curve = .ease
  ) -> Animation {
    step(.stretchTo(x: x, y: y), duration, curve)
  }

  /// Multiplies the scale.
  ///
  /// - Parameters:
  ///   - factor: Factor of the current scale.
  ///   - duration: Default: 0.25 s; with a spring, until it is at rest.
  ///   - curve: Default: ``Curve/ease``.
  public static func scale(
    by factor: Double, duration: Duration? = nil, curve: Curve = .ease
  ) -> Animation {
    step(.scaleBy(factor), duration, curve)
  }

  /// Scales to a factor.
  ///
  /// - Parameters:
  ///   - scale: The factor; 1 is unscaled.
  ///   - duration: Default: 0.25 s; with a spring, until it is at rest.
  ///   - curve: Default: ``Curve/ease``.
  public static func scale(
    to scale: Double, duration: Duration? = nil, curve: Curve = .ease
  ) -> Animation {
    step(.scaleTo(scale), duration, curve)
  }

  /// Fades to an opacity.
  ///
  /// - Parameters:
  ///   - opacity: 0 (invisible) to 1.
  ///   - duration: Default: 0.25 s; with a spring, until it is at rest.
  ///   - curve: Default: ``Curve/ease``.
  public static func fade(
    to opacity: Double, duration: Duration? = nil, curve: Curve = .ease
  ) -> Animation {
    step(.fadeTo(opacity), duration, curve)
  }

  // MARK: - From one value to another

  /// Moves from one place to another, wherever the layer is.
  ///
  /// - Parameters:
  ///   - start: The first place, in px to the right of, and below, the place of rest.
  ///   - end: The last one.
  ///   - duration: Default: 0.25 s; with a spring, until it is at rest.
  ///   - curve: Default: ``Curve/ease``.
  public static func move(
    from start: PixelOffset, to end: PixelOffset, duration: Duration? = nil, curve: Curve = .ease
  ) -> Animation {
    between(Pose(offset: start), Pose(offset: end), .offset, duration, curve)
  }

  /// Rotates from one angle to another, whatever the layer's is.
  ///
  /// - Parameters:
  ///   - start: The first angle, in degrees clockwise.
  ///   - end: The last one.
  ///   - duration: Default: 0.25 s; with a spring, until it is at rest.
  ///   - curve: Default: ``Curve/ease``.
  public static func rotate(
    from start: Double, to end: Double, duration: Duration? = nil, curve: Curve = .ease
  ) -> Animation {
    between(
      Pose(rotationDegrees: start), Pose(rotationDegrees: end), .rotation, duration, curve)
  }

  /// Scales from one factor to another, whatever the layer's is.
  ///
  /// - Parameters:
  ///   - start: The first factor; 1 is unscaled.
  ///   - end: The last one.
  ///   - duration: Default: 0.25 s; with a spring, until it is at rest.
  ///   - curve: Default: ``Curve/ease``.
  public static func scale(
    from start: Double, to end: Double, duration: Duration? = nil, curve: Curve = .ease
  ) -> Animation {
    between(Pose(scale: start), Pose(scale: end), .scale, duration, curve)
  }

  /// Fades from one opacity to another, whatever the layer's is.
  ///
  /// - Parameters:
  ///   - start: The first opacity, 0 (invisible) to 1.
  ///   - end: The last one.
  ///   - duration: Default: 0.25 s; with a spring, until it is at rest.
  ///   - curve: Default: ``Curve/ease``.
  public static func fade(
    from start: Double, to end: Double, duration: Duration? = nil, curve: Curve = .ease
  ) -> Animation {
    between(Pose(opacity: start), Pose(opacity: end), .opacity, duration, curve)
  }

  private static func between(
    _ start: Pose, _ end: Pose, _ channels: PoseChannels, _ duration: Duration?, _ curve: Curve
  ) -> Animation {
    .keyframes(
      Keyframes(
        [
          Keyframes.Frame(share: 0, pose: start, channels: channels),
          Keyframes.Frame(share: 1, pose: end, channels: channels, curve: curve),
        ], durationSeconds: duration?.inSeconds ?? curve.naturalSeconds(from: start, to: end)))
  }

  private static func step(
    _ change: PoseChange, _ duration: Duration?, _ curve: Curve
  ) -> Animation {
    .step(AnimationStep(change, durationSeconds: duration?.inSeconds, curve: curve))
  }
}
