// SPDX-License-Identifier: Apache-2.0

package import ParallaxTime

/// The second half of the pipeline: motion of the device becomes motion on one screen.
///
/// remap -> scale -> clamp -> smooth -> clamp. It takes each frame, and ticks while no frame comes
/// but the orientation still changes. The output never leaves the ranges. Allocates nothing per
/// frame.
package struct ScreenStage: Sendable {
  /// The motion at the last frame or tick, px; 0 before the first.
  package private(set) var output = PixelOffset.zero

  private var settings: ScreenSettings
  private var turn: Turn
  private var smoother = Smoother.none
  private var lastInput = DrivingMotion.zero
  private var lastTime: MotionInstant?

  private struct ScreenSettings {
    var scale: PixelScale
    var rangeX: PixelRange
    var rangeY: PixelRange
    var smoothing: Smoothing
    var fade: MotionDuration

    init(_ settings: MotionSettings) {
      scale = settings.resolvedScale
      rangeX = settings.rangeX
      rangeY = settings.rangeY
      smoothing = settings.resolvedSmoothing
      fade = MotionDuration(seconds: settings.fadeSeconds)
    }
  }

  package init(settings: MotionSettings, orientation: Orientation) {
    self.settings = ScreenSettings(settings)
    turn = Turn(orientation)
  }

  /// The orientation at the end of the present blend.
  package var orientation: Orientation { turn.orientation }

  /// Whether a blend of orientations is under way, which needs ticks while no frames come.
  package var isTurning: Bool { turn.isMoving }

  package mutating func update(_ frame: SensorFrame) -> PixelOffset {
    if frame.startsSegment { lastTime = nil }
    lastInput = frame.motion
    return advance(to: frame.time)
  }

  /// Returns the last frame's motion at a later instant.
  package mutating func tick(at now: MotionInstant) -> PixelOffset {
    guard lastTime != nil else { return output }
    return advance(to: now)
  }

  /// Changes the orientation, blending the two remaps over the fade.
  package mutating func turn(to orientation: Orientation, at now: MotionInstant) {
    turn.begin(to: orientation, at: now, duration: settings.fade)
  }

  /// Applies settings from the next frame on; smoothing continues from the present output.
  package mutating func reconfigure(_ motion: MotionSettings) {
    settings = ScreenSettings(motion)
    output = clamp(output)
    smoother = Smoother(settings.smoothing, startingAt: output)
  }

  private mutating func advance(to time: MotionInstant) -> PixelOffset {
    let turned = turn.remap(at: time).apply(lastInput)
    let input = clamp(
      PixelOffset(x: turned.x * settings.scale.x, y: turned.y * settings.scale.y))
    if let last = lastTime {
      let seconds = max(.zero, time - last).seconds
      output = clamp(smoother.step(toward: input, dtSeconds: seconds))
    } else {
      smoother = Smoother(settings.smoothing, startingAt: input)
      output = input
    }
    lastTime = max(time, lastTime ?? time)
    return output
  }

  private func clamp(_ offset: PixelOffset) -> PixelOffset {
    PixelOffset(x: settings.rangeX.clamp(offset.x), y: settings.rangeY.clamp(offset.y))
  }
}

/// The remap, constant or in a blend from one orientation to another.
private struct Turn: Sendable {
  private(set) var orientation: Orientation
  private var remap: ScreenRemap
  private var blend: Blend?

  private struct Blend {
    var from: ScreenRemap
    var since: MotionInstant
    var duration: MotionDuration
  }

  init(_ orientation: Orientation) {
    self.orientation = orientation
    remap = ScreenRemap(orientation)
  }

  var isMoving: Bool { blend != nil }

  mutating func begin(to orientation: Orientation, at now: MotionInstant, duration: MotionDuration)
  {
    guard orientation != self.orientation else { return }
    let current = remap(at: now)
    self.orientation = orientation
    remap = ScreenRemap(orientation)
    blend =
      duration > .zero
      ? Blend(from: current, since: now, duration: duration) : nil
  }

  mutating func remap(at now: MotionInstant) -> ScreenRemap {
    guard let blend else { return remap }
    let share = max(.zero, now - blend.since) / blend.duration
    guard share < 1 else {
      self.blend = nil
      return remap
    }
    return blend.from.blended(with: remap, share: CubicBezier.easeInOut.value(at: share))
  }
}
