// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase
package import ParallaxConfig
import ParallaxMotion

/// Settings, and what may change while the daemon runs.
extension MotionHub {
  package func recenter(at now: MotionInstant) {
    engine.recenter(at: now)
  }

  /// Makes the next sample begin a segment, so that a recording replays to the same frames.
  package func startRecording() {
    engine.startRecording()
  }

  /// Takes over a new configuration of the files. What SET has changed stays.
  package func reconfigure(_ new: Configuration, at now: MotionInstant) {
    filed = new
    inputs.configure(new)
    adopt(inputs.overrides.applied(to: new), at: now)
    animations.reconfigure(at: now)
    configurationObserver?.configurationDidChange(&inputs)
    update(at: now)
  }

  /// Puts a configuration into effect. The source starts again if its samples or frames would differ.
  func adopt(_ new: Configuration, at now: MotionInstant) {
    let old = configuration
    configuration = new
    engine.reconfigure(new.motion)
    for user in users {
      user.fade.setFade(seconds: new.motion.fadeSeconds)
      user.frame?.clamp(to: new.motion)
    }
    audience?.settingsChanged(at: now)
    if new.source != old.source || new.sampling != old.sampling
      || !new.motion.sharesSensor(with: old.motion)
    {
      replaceSource(at: now)
    }
  }
}

extension MotionSettings {
  /// Whether a running source and its pipeline go on with these settings.
  fileprivate func sharesSensor(with other: MotionSettings) -> Bool {
    sensorSettings == other.sensorSettings
  }

  /// These settings without the ones that a running pipeline takes over.
  private var sensorSettings: MotionSettings {
    var settings = self
    settings.scale = nil
    settings.rangeX = .standard
    settings.rangeY = .standard
    settings.smoothing = .auto(.normal)
    settings.recenterSeconds = 0
    settings.fadeSeconds = 0
    return settings
  }
}
