// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase
package import ParallaxDevice
package import ParallaxLoop

/// What `GyroSource` needs from the program around it; tests replace it.
package struct GyroEnvironment {
  /// Why a worker could not be started.
  package typealias WorkerError = SystemError

  /// Creates the worker, which may block on drivers.
  package var makeWorker: () throws(WorkerError) -> any DeviceWorking
  /// Calls the handler whenever a descriptor is readable, as long as the result is held.
  package var follow: (Int32, @escaping () -> Void) -> AnyObject?
  /// Calls the handler when IIO devices are added, changed or removed, as long as the result is held.
  package var followDevices: (@escaping (DeviceChange) -> Void) -> AnyObject?
  /// Returns the name of the only device there can be, or why it is missing; nil: neither is known before one
  /// is opened.
  package var device: () -> Result<String, DeviceError>?
  /// CLOCK_MONOTONIC.
  package var clock: () -> MotionInstant
  /// Writes a line to the daemon's log.
  package var log: (Log.Level, String) -> Void

  package init(
    makeWorker: @escaping () throws(WorkerError) -> any DeviceWorking,
    follow: @escaping (Int32, @escaping () -> Void) -> AnyObject?,
    followDevices: @escaping (@escaping (DeviceChange) -> Void) -> AnyObject?,
    device: @escaping () -> Result<String, DeviceError>? = { nil },
    clock: @escaping () -> MotionInstant, log: @escaping (Log.Level, String) -> Void
  ) {
    self.makeWorker = makeWorker
    self.follow = follow
    self.followDevices = followDevices
    self.device = device
    self.clock = clock
    self.log = log
  }
}
