/// The second half of the pipeline: motion of the device becomes motion on one screen.
///
/// remap -> scale -> clamp -> smooth -> clamp. Give it each frame, or, while no frame comes but
/// something still moves, ticks. The output never leaves the ranges. Allocates nothing a frame.
package struct ScreenStage: Sendable {
  /// px; the motion at the last frame or tick, 0 before the first.
  package private(set) var output = PixelOffset.zero

  private var settings: ScreenSettings
  private var turn: Turn
  private var smoother = Smoother.none
  private var lastInput = DrivingMotion.zero
  private var lastTime: Int64?

  private struct ScreenSettings {
    var scale: PixelScale
    var rangeX: PixelRange
    var rangeY: PixelRange
    var smoothing: Smoothing
    var fadeNanoseconds: Int64

    init(_ settings: MotionSettings) {
      scale = settings.resolvedScale
      rangeX = settings.rangeX
      rangeY = settings.rangeY
      smoothing = settings.resolvedSmoothing
      fadeNanoseconds = Int64((settings.fadeSeconds * 1e9).rounded())
    }
  }

  package init(settings: MotionSettings, orientation: Orientation) {
    self.settings = ScreenSettings(settings)
    turn = Turn(orientation)
  }

  /// Where the picture is turned to.
  package var orientation: Orientation { turn.orientation }

  /// Whether the picture still turns, so that ticks are wanted where no frames come.
  package var isTurning: Bool { turn.isMoving }

  package mutating func update(_ frame: SensorFrame) -> PixelOffset {
    if frame.startsSegment { lastTime = nil }
    lastInput = frame.motion
    return advance(to: frame.timeNanoseconds)
  }

  /// The last frame's motion, at a later instant.
  package mutating func tick(atNanoseconds now: Int64) -> PixelOffset {
    guard lastTime != nil else { return output }
    return advance(to: now)
  }

  /// Turns the picture: the two remaps are blended over `fade`.
  package mutating func turn(to orientation: Orientation, atNanoseconds now: Int64) {
    turn.begin(to: orientation, at: now, durationNanoseconds: settings.fadeNanoseconds)
  }

  /// Takes new settings from the next frame on; smoothing goes on from where the output is.
  package mutating func reconfigure(_ motion: MotionSettings) {
    settings = ScreenSettings(motion)
    output = clamp(output)
    smoother = Smoother(settings.smoothing, startingAt: output)
  }

  private mutating func advance(to time: Int64) -> PixelOffset {
    let turned = turn.remap(at: time).apply(lastInput)
    let input = clamp(
      PixelOffset(x: turned.x * settings.scale.x, y: turned.y * settings.scale.y))
    if let last = lastTime {
      let seconds = Double(max(0, time - last)) * 1e-9
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

/// The remap, at rest or on its way from one orientation to another.
private struct Turn: Sendable {
  private(set) var orientation: Orientation
  private var remap: ScreenRemap
  private var blend: Blend?

  private struct Blend {
    var from: ScreenRemap
    var since: Int64
    var durationNanoseconds: Int64
  }

  init(_ orientation: Orientation) {
    self.orientation = orientation
    remap = ScreenRemap(orientation)
  }

  var isMoving: Bool { blend != nil }

  mutating func begin(to orientation: Orientation, at now: Int64, durationNanoseconds: Int64) {
    guard orientation != self.orientation else { return }
    let current = remap(at: now)
    self.orientation = orientation
    remap = ScreenRemap(orientation)
    blend =
      durationNanoseconds > 0
      ? Blend(from: current, since: now, durationNanoseconds: durationNanoseconds) : nil
  }

  mutating func remap(at now: Int64) -> ScreenRemap {
    guard let blend else { return remap }
    let share = Double(max(0, now - blend.since)) / Double(blend.durationNanoseconds)
    guard share < 1 else {
      self.blend = nil
      return remap
    }
    return blend.from.blended(with: remap, share: CubicBezier.easeInOut.value(at: share))
  }
}
