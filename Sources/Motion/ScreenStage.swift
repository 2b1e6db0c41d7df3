// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase

/// The second half of the pipeline: motion of the device becomes motion on one screen.
///
/// remap -> scale -> clamp -> smooth -> clamp; with `auto` smoothing, remap -> scale -> line -> clamp. It
/// takes each frame, and ticks while no frame comes but the orientation still changes. The offset never
/// leaves the ranges. Allocates nothing per frame.
package struct ScreenStage: Sendable {
  /// The motion at the last frame or tick; zero before the first.
  package private(set) var output = ScreenMotion.zero

  private var settings: ScreenSettings
  private var turn: Turn
  private var smoother = Smoother.none
  private var rest = RestHold()
  private var lastFrame: SensorFrame?
  private var lastTime: MotionInstant?

  private struct ScreenSettings {
    var scale: PixelScale
    var rangeX: PixelRange
    var rangeY: PixelRange
    var smoothing: Smoothing
    var fade: MotionDuration
    /// 1/R.
    var periodSeconds: Double

    init(_ settings: MotionSettings) {
      scale = settings.resolvedScale
      rangeX = settings.rangeX
      rangeY = settings.rangeY
      smoothing = settings.smoothing
      fade = MotionDuration(seconds: settings.fadeSeconds)
      periodSeconds = 1 / settings.frameRate.timeRuleHertz
    }

    var isAuto: Bool { if case .auto = smoothing { true } else { false } }
  }

  package init(settings: MotionSettings, orientation: Orientation) {
    self.settings = ScreenSettings(settings)
    turn = Turn(orientation)
  }

  /// The orientation at the end of the present blend.
  package var orientation: Orientation { turn.orientation }

  /// Whether a blend of orientations is under way, which needs ticks while no frames come.
  /// Mutating for the reason that `SensorStage.biasState` gives.
  package var isTurning: Bool { mutating get { turn.isMoving } }

  /// Moves to a frame. One between those on the grid shows the motion at its instant and leaves everything else as
  /// it is, so that the frames on the grid do not depend on it.
  package mutating func update(_ frame: SensorFrame) {
    guard !frame.isBetween else {
      var stage = self
      stage.advance(to: frame.time, with: frame)
      output = stage.output
      return
    }
    if frame.startsSegment { lastTime = nil }
    lastFrame = frame
    advance(to: frame.time, with: frame)
  }

  /// How frames of a run are made; nil if more than scale, clamp and smoothing is active.
  var runPlan: RunPlan? {
    guard !settings.isAuto, lastTime != nil, let remap = turn.constant else { return nil }
    return RunPlan(
      axes: ScreenAxes(remap: remap, scale: settings.scale), rangeX: settings.rangeX,
      rangeY: settings.rangeY)
  }

  /// Smooths the frames of a run, which have been placed on the screen.
  ///
  /// - Parameter last: The last frame of the run.
  mutating func smooth(
    _ run: SampleRun, _ plan: RunPlan, last: SensorFrame, _ frames: inout FrameColumns
  ) {
    guard run.count > 0, let before = lastTime else { return }
    smoother.step(run, plan, after: before, &frames)
    let end = run.frame + run.count - 1
    output = ScreenMotion(
      offset: PixelOffset(x: frames.x[end], y: frames.y[end]), velocity: .zero)
    lastFrame = last
    lastTime = last.time
  }

  /// Moves the last frame's motion to a later instant, with no velocity: no sample has come since.
  package mutating func tick(at now: MotionInstant) {
    guard let lastFrame, lastTime != nil else { return }
    advance(to: now, with: lastFrame)
    output.velocity = .zero
  }

  /// Changes the orientation, blending the two remaps over the fade.
  package mutating func turn(to orientation: Orientation, at now: MotionInstant) {
    turn.begin(to: orientation, at: now, duration: settings.fade)
  }

  /// Applies settings from the next frame on; smoothing continues from the present output.
  package mutating func reconfigure(_ motion: MotionSettings) {
    settings = ScreenSettings(motion)
    output = ScreenMotion(offset: clamp(output.offset), velocity: .zero)
    smoother = Smoother(settings.smoothing, startingAt: output.offset)
    rest = RestHold()
  }

  private mutating func advance(to time: MotionInstant, with frame: SensorFrame) {
    let wasTurning = turn.isMoving
    let axes = ScreenAxes(remap: turn.remap(at: time), scale: settings.scale)
    if settings.isAuto {
      output = automatic(frame, axes, time: time, isTurning: wasTurning)
    } else {
      output = smoothed(frame, axes, time: time)
    }
    lastTime = max(time, lastTime ?? time)
  }

  private mutating func automatic(
    _ frame: SensorFrame, _ axes: ScreenAxes, time: MotionInstant, isTurning: Bool
  ) -> ScreenMotion {
    if lastTime == nil { rest = RestHold() }
    let rates = axes.rates(frame.estimate)
    let period = settings.periodSeconds
    switch frame.estimate.mode {
    case .tilt:
      return ScreenMotion(
        rates.x.measured.softened(by: settings.rangeX, periodSeconds: period),
        rates.y.measured.softened(by: settings.rangeY, periodSeconds: period))
    case .rate:
      let motion = ScreenMotion(
        MotionLine.smoothed(rates.x, range: settings.rangeX, periodSeconds: period),
        MotionLine.smoothed(rates.y, range: settings.rangeY, periodSeconds: period))
      // A picture that turns is not held.
      let away =
        isTurning
        ? PixelOffset(x: .infinity, y: .infinity)
        : PixelOffset(x: rates.x.newest - rates.x.mean, y: rates.y.newest - rates.y.mean)
      var held = rest.apply(
        to: motion, away: away, time: time,
        reach: PixelOffset(x: settings.rangeX.reach, y: settings.rangeY.reach))
      held.offset = clamp(held.offset)
      return held
    }
  }

  private mutating func smoothed(
    _ frame: SensorFrame, _ axes: ScreenAxes, time: MotionInstant
  ) -> ScreenMotion {
    let input = clamp(axes.offset(frame.motion))
    let offset: PixelOffset
    if let last = lastTime {
      offset = clamp(smoother.step(toward: input, dtSeconds: max(.zero, time - last).seconds))
    } else {
      smoother = Smoother(settings.smoothing, startingAt: input)
      offset = input
    }
    let period = settings.periodSeconds
    if let velocity = smoother.velocity {
      return ScreenMotion(
        MotionLine(offset: offset.x, velocity: velocity.x)
          .bounded(by: settings.rangeX, periodSeconds: period),
        MotionLine(offset: offset.y, velocity: velocity.y)
          .bounded(by: settings.rangeY, periodSeconds: period))
    }
    let rates = axes.rates(frame.estimate)
    switch frame.estimate.mode {
    case .tilt:
      return ScreenMotion(
        MotionLine(offset: offset.x, velocity: rates.x.slope)
          .bounded(by: settings.rangeX, periodSeconds: period),
        MotionLine(offset: offset.y, velocity: rates.y.slope)
          .bounded(by: settings.rangeY, periodSeconds: period))
    case .rate:
      return ScreenMotion(
        MotionLine.unsmoothed(
          offset: offset.x, rates.x, range: settings.rangeX, periodSeconds: period),
        MotionLine.unsmoothed(
          offset: offset.y, rates.y, range: settings.rangeY, periodSeconds: period))
    }
  }

  private func clamp(_ offset: PixelOffset) -> PixelOffset {
    PixelOffset(x: settings.rangeX.clamp(offset.x), y: settings.rangeY.clamp(offset.y))
  }
}

/// The way from the device's axes to px on the screen's.
struct ScreenAxes {
  let remap: ScreenRemap
  let scale: PixelScale

  func offset(_ motion: DrivingMotion) -> PixelOffset {
    let turned = remap.apply(motion)
    return PixelOffset(x: turned.x * scale.x, y: turned.y * scale.y)
  }

  fileprivate func rates(_ estimate: MotionEstimate) -> (x: MotionLine.Rate, y: MotionLine.Rate) {
    let (newest, mean) = (offset(estimate.newest), offset(estimate.mean))
    let (slope, quick) = (offset(estimate.slope), offset(estimate.quickSlope))
    return (
      MotionLine.Rate(
        newest: newest.x, mean: mean.x, slope: slope.x, quickSlope: quick.x,
        ageSeconds: estimate.ageSeconds),
      MotionLine.Rate(
        newest: newest.y, mean: mean.y, slope: slope.y, quickSlope: quick.y,
        ageSeconds: estimate.ageSeconds)
    )
  }
}

extension MotionLine.Rate {
  /// The line of a tilt: an integral has no noise that is worth a filter, and its velocity is measured.
  fileprivate var measured: MotionLine {
    MotionLine(offset: newest - slope * ageSeconds, velocity: slope)
  }
}

extension ScreenMotion {
  fileprivate init(_ x: MotionLine, _ y: MotionLine) {
    self.init(
      offset: PixelOffset(x: x.offset, y: y.offset),
      velocity: PixelVelocity(x: x.velocity, y: y.velocity))
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

  /// The remap; nil during a blend.
  var constant: ScreenRemap? { blend == nil ? remap : nil }

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
