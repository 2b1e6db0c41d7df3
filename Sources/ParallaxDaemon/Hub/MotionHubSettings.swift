// SPDX-License-Identifier: Apache-2.0

package import ParallaxConfig
package import ParallaxMotion
package import ParallaxTime

/// Settings, and what may change while the daemon runs.
extension MotionHub {
  /// The configuration's settings of motion with those of SET.
  package var motionSettings: MotionSettings {
    inputs.overrides.applied(to: configuration.motion)
  }

  /// Gives screens and subscribers the settings that now hold.
  func applySettings() {
    engine.reconfigure(motionSettings)
    for user in users { user.frame?.clamp(to: motionSettings) }
    audience?.settingsChanged()
  }

  package func recenter(at now: MotionInstant) {
    engine.recenter(at: now)
  }

  /// Makes the next sample begin a segment, so that a recording replays to the same frames.
  package func startRecording() {
    engine.startRecording()
  }

  /// Takes over a new configuration. The source starts again if its samples or frames would differ.
  package func reconfigure(_ new: Configuration, at now: MotionInstant) {
    let old = configuration
    configuration = new
    inputs.configure(new)
    for user in users { user.fade.setFade(seconds: new.motion.fadeSeconds) }
    applySettings()
    animations.reconfigure(at: now)
    if new.source != old.source || new.sampling != old.sampling
      || !new.motion.sharesSensor(with: old.motion)
    {
      replaceSource(at: now)
    }
    configurationObserver?.configurationDidChange(&inputs)
    update(at: now)
  }
}
