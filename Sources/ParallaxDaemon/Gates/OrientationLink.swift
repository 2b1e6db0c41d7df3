import ParallaxGates
package import ParallaxSystem

/// Asks iio-sensor-proxy how the device is turned while the hub wants to know, and tells the hub.
package final class OrientationLink {
  private let hub: MotionHub
  private var watch: OrientationWatch?

  /// - Parameter bus: the system bus, which others open while somebody is there.
  package init(
    _ loop: EventLoop, _ bus: Bus, hub: MotionHub, log: @escaping (Log.Level, String) -> Void
  ) throws(SystemError) {
    self.hub = hub
    watch = try OrientationWatch(loop, bus, log: log) { [weak self] in self?.changed() }
  }

  /// Looks whether the hub wants to know. To be called whenever anything may have happened, and before
  /// the bus is closed.
  package func update() {
    let isWanted = hub.asksSensorProxy
    if watch?.isWanted != isWanted { watch?.isWanted = isWanted }
  }

  private func changed() {
    hub.orientations.sensorProxy = watch?.orientation
    hub.orientations.needsAgents = watch?.isForbidden ?? false
    hub.orientationsChanged(atNanoseconds: MonotonicClock.now())
  }
}
