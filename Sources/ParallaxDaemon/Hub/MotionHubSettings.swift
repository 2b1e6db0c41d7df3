package import ParallaxConfig
package import ParallaxMotion

/// How the screens are turned, and what may change while the daemon runs.
extension MotionHub {
  // -- Orientation

  /// What the screens are turned to changed, or may have.
  package func orientationsChanged(atNanoseconds now: Int64) {
    let common = orientations.common.orientation
    engine.turn(.common, to: common, atNanoseconds: now)
    for user in users {
      let own = orientations.own(user.uid)
      if own != nil, user.screen == nil { user.screen = engine.addScreen(like: .common) }
      // Who loses their own keeps the screen, turned as everybody's: no jump.
      if let screen = user.screen {
        engine.turn(screen, to: own?.orientation ?? common, atNanoseconds: now)
      }
    }
    recorder?.orientationsChanged(atNanoseconds: now)
  }

  /// Whether iio-sensor-proxy is to be asked how the device is turned: something moves, nobody
  /// stronger says how, and what the proxy reads is not in the device that we stream from.
  package var asksSensorProxy: Bool {
    device.state == .streaming && sourceSwitch.isRunning && orientations.set == nil
      && orientations.configured == nil && !hasAccelerometer
  }

  /// A screen for one client alone.
  package func addScreen(_ orientation: Orientation) -> MotionEngine.Screen {
    engine.addScreen(orientation)
  }

  package func remove(_ screen: MotionEngine.Screen) {
    engine.remove(screen)
  }

  // -- Settings

  /// The configuration with what SET put over it.
  package var motionSettings: MotionSettings { overrides.applied(to: configuration.motion) }

  package func recenter(atNanoseconds now: Int64) {
    engine.recenter(atNanoseconds: now)
  }

  /// The next sample begins a segment, and a recording that gives the same when it is replayed.
  package func startRecording() {
    engine.startRecording()
  }

  package func setOverrides(_ change: (inout MotionOverrides) -> Void) {
    change(&overrides)
    engine.reconfigure(motionSettings)
    audience?.settingsChanged()
  }

  /// Takes a new configuration; the source begins anew where that changes what it gives.
  package func reconfigure(_ new: Configuration, atNanoseconds now: Int64) {
    let old = configuration
    configuration = new
    gates.policy = new.gates
    orientations.configured = new.orientation.source
    orientations.panel = new.orientation.panel
    globalFade.setFade(seconds: new.motion.fadeSeconds)
    for user in users { user.fade.setFade(seconds: new.motion.fadeSeconds) }
    engine.reconfigure(motionSettings)
    audience?.settingsChanged()
    animations.configurationChanged(atNanoseconds: now)
    if new.source != old.source || new.sampling != old.sampling
      || !new.motion.sharesSensor(with: old.motion)
    {
      replaceSource(atNanoseconds: now)
    }
    configurationChanged()
    orientationsChanged(atNanoseconds: now)
    gatesChanged(atNanoseconds: now)
    demandChanged(atNanoseconds: now)
  }

  /// Whether the configuration or a receiver has a layer of that name.
  func hasLayer(_ name: String) -> Bool {
    configuration.layers.layers.contains { $0.name == name } || audience?.hasLayer(name) ?? false
  }

  func replaceSource(atNanoseconds now: Int64) {
    source.stop()
    showsMotion = false
    source = makeSource(configuration)
    // What ticks meanwhile does so as fast as the configuration says.
    pace = FramePace(motionSettings, sourceHertz: nil)
    hasAccelerometer = false
    orientations.accelerometer = nil
    let wasOn = sourceSwitch.isOn
    sourceSwitch.sourceWasReplaced()
    recorder?.sourceWasReplaced(atNanoseconds: now)
    setDevice(.idle, rateHertz: nil, reason: nil, atNanoseconds: now)
    if wasOn { startSource(atNanoseconds: now) }
  }
}
