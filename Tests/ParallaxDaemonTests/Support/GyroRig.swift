import Glibc
import ParallaxConfig
import ParallaxDaemon
import ParallaxDevice
import ParallaxMotion
import ParallaxTestSupport
import Testing

/// A daemon with a gyroscope in memory.
final class GyroRig {
  let rig: Rig
  let gyro: FakeGyro
  let link: GyroLink
  /// Where the zeros are kept.
  let folder: TemporaryFolder

  init(_ settings: [String] = []) throws {
    let clock = SettableClock(nanoseconds: 1_000 * Rig.second)
    let gyro = FakeGyro(clock: clock)
    folder = try TemporaryFolder()
    let link = GyroLink(
      gyro.surroundings,
      biases: BiasStore(process: Self.process(stateFolder: folder.path)) { _ in })
    rig = try Rig(
      ["source.kind=iio", "motion.smoothing=none", "motion.bias=off"] + settings, clock: clock
    ) { configuration in
      let source = IIOSource(
        link, GyroWish(frameRate: configuration.motion.frameRate), settings: configuration.motion,
        clock: clock.reading)
      guard configuration.source.kind == .automatic else { return source }
      return AutoSource(gyro: source, synthetic: SyntheticSource(seed: 1))
    }
    self.gyro = gyro
    self.link = link
    link.happened = { [unowned self] in rig.core.hub.sourceIsReady(atNanoseconds: $0) }
  }

  private static func process(stateFolder: String) -> ProcessFacts {
    ProcessFacts(userID: 1000, variables: ["STATE_DIRECTORY": stateFolder])
  }

  /// The same rate again and again, at 100 Hz.
  func stream(seconds: Double, x: Double = 0.5, y: Double = -0.8) {
    for _ in 0..<Int(seconds * 100) {
      rig.run(seconds: 0.01)
      gyro.scan(x, y)
      gyro.tell()
    }
  }

  /// DEVICE lines as `state` or `state: reason`, GATE lines as their reasons, OFFSET left out.
  func news(_ client: Client) -> [String] {
    client.lines().compactMap { line in
      switch line.name {
      case "DEVICE": line["reason"].map { "\(line["state"] ?? ""): \($0)" } ?? line["state"]
      case "GATE": line.text.contains("[]") ? "open" : "closed"
      default: nil
      }
    }
  }
}
