// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import ParallaxConfig
import ParallaxDevice
import ParallaxMotion
import ParallaxTestSupport
import Testing

@testable import ParallaxDaemon

/// A daemon with a gyroscope in memory.
final class GyroRig {
  let rig: Rig
  let gyro: FakeGyro
  let source: GyroSource
  /// The state folder, with the stored biases.
  let folder: TemporaryFolder

  init(_ settings: [String] = []) throws {
    let clock = SettableClock(Rig.startTime)
    let gyro = FakeGyro(clock: clock)
    folder = try TemporaryFolder()
    let source = GyroSource(
      gyro.environment, biases: BiasStore(process: Self.process(stateFolder: folder.path)) { _ in })
    rig = try Rig(
      ["source.kind=iio", "motion.smoothing=none", "motion.bias=off"] + settings, clock: clock
    ) { configuration in
      source.configure(GyroRequest(configuration), settings: configuration.motion)
      guard configuration.source.kind == .automatic else { return source }
      return AutoSource(source, or: SyntheticSource(seed: 1))
    }
    self.gyro = gyro
    self.source = source
  }

  private static func process(stateFolder: String) -> ProcessEnvironment {
    ProcessEnvironment(userID: 1000, variables: ["STATE_DIRECTORY": stateFolder])
  }

  /// Streams the same rate at 100 Hz.
  func stream(seconds: Double, x: Double = 0.5, y: Double = -0.8) {
    for _ in 0..<Int(seconds * 100) {
      rig.run(seconds: 0.01)
      gyro.scan(x, y)
      gyro.callHandlers()
    }
  }

  /// Returns DEVICE lines as `state` or `state: reason`, GATE lines as `open` or `closed`, without
  /// OFFSET.
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
