// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase
import ParallaxGates
package import ParallaxLoop

/// Gets the orientation from iio-sensor-proxy while the hub needs it.
package final class OrientationLink {
  private let hub: MotionHub
  private var watch: OrientationWatch?

  /// - Parameter bus: The system bus, which `GateWatch` opens while there are subscribers.
  package init(
    _ loop: EventLoop, _ bus: Bus, hub: MotionHub, log: @escaping (Log.Level, String) -> Void
  ) throws(SystemError) {
    self.hub = hub
    watch = try OrientationWatch(loop, bus, log: log) { [weak self] in self?.changed() }
  }

  /// Starts or ends the claim. Call it after every turn of the event loop, before the bus is closed.
  package func update() {
    let isRequested = hub.asksSensorProxy
    if watch?.isRequested != isRequested { watch?.isRequested = isRequested }
  }

  private func changed() {
    hub.update(at: MonotonicClock.now()) { inputs in
      inputs.orientations.sensorProxy = watch?.orientation
      inputs.orientations.needsAgents = watch?.isForbidden ?? false
    }
  }
}
