package import ParallaxDevice
package import ParallaxSystem

/// What a gyroscope of the daemon's stands on; tests give their own.
package struct GyroSurroundings {
  /// Whoever may wait for drivers.
  package var makeWorker: () throws(IIOError) -> any DeviceWorking
  /// Calls back whenever a descriptor is readable, as long as the result is held.
  package var follow: (Int32, @escaping () -> Void) -> AnyObject?
  /// Calls back when IIO devices come and go, as long as the result is held.
  package var followDevices: (@escaping (DeviceChange) -> Void) -> AnyObject?
  /// CLOCK_MONOTONIC, ns.
  package var clock: () -> Int64
  /// Takes what whoever runs the daemon should know, a line each.
  package var log: (Log.Level, String) -> Void

  package init(
    makeWorker: @escaping () throws(IIOError) -> any DeviceWorking,
    follow: @escaping (Int32, @escaping () -> Void) -> AnyObject?,
    followDevices: @escaping (@escaping (DeviceChange) -> Void) -> AnyObject?,
    clock: @escaping () -> Int64, log: @escaping (Log.Level, String) -> Void
  ) {
    self.makeWorker = makeWorker
    self.follow = follow
    self.followDevices = followDevices
    self.clock = clock
    self.log = log
  }
}
