package import ParallaxDevice
package import ParallaxMotion

/// A gyroscope of the kernel's, as a source of motion.
package final class IIOSource: MotionSource {
  package let driver = "iio"

  private let link: GyroLink
  private let wish: GyroWish
  private let settings: MotionSettings
  private let clock: () -> Int64

  package init(
    _ link: GyroLink, _ wish: GyroWish, settings: MotionSettings, clock: @escaping () -> Int64
  ) {
    self.link = link
    self.wish = wish
    self.settings = settings
    self.clock = clock
  }

  /// The device's own, once there was one.
  package var name: String? { link.facts?.name ?? wish.name }

  package var dueNanoseconds: Int64? { link.deadlineNanoseconds }

  package func start(atNanoseconds now: Int64) -> SourceEvent? {
    link.want(wish, settings: settings, atNanoseconds: now)
    return nil
  }

  package func next(atNanoseconds now: Int64) -> SourceEvent? { link.next(atNanoseconds: now) }

  package func stop() { link.unwant(atNanoseconds: clock()) }

  package func remember(sensorBias bias: AngularRate, atNanoseconds now: Int64) {
    link.remember(bias, atNanoseconds: now)
  }
}
