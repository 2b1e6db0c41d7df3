import ParallaxGates
package import ParallaxSystem

/// Asks iio-sensor-proxy how the device is turned while the hub wants to know, and tells the hub.
package final class OrientationLink {
  private let hub: MotionHub
  private let bus: Bus
  private var watch: OrientationWatch?

  /// - Parameter bus: the system bus, for this alone: it is open while there is something to ask.
  package init(
    _ loop: EventLoop, _ bus: Bus, hub: MotionHub, log: @escaping (Log.Level, String) -> Void
  ) throws(SystemError) {
    self.hub = hub
    self.bus = bus
    watch = try OrientationWatch(loop, bus, log: log) { [weak self] in self?.changed() }
  }

  /// Looks whether the hub wants to know. To be called whenever anything may have happened.
  package func update() {
    guard let watch, watch.isWanted != hub.asksSensorProxy else { return }
    if watch.isWanted {
      watch.isWanted = false
      bus.close()
    } else {
      watch.isWanted = true
      bus.open()
    }
  }

  private func changed() {
    hub.orientations.sensorProxy = watch?.orientation
    hub.orientations.needsAgents = watch?.isForbidden ?? false
    hub.orientationsChanged(atNanoseconds: MonotonicClock.now())
  }
}
