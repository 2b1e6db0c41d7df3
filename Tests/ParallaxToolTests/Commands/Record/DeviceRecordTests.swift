// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxTestSupport
import Testing

/// `parallax record` without a daemon, from gyroscopes that umockdev simulates.
@Suite("Recordings of a gyroscope", .needsUmockdev, .timeLimit(.minutes(10)))
struct DeviceRecordTests {
  private func record(
    _ arguments: String..., seeing gyroscopes: [GyroLayout]
  ) throws -> ProgramResult {
    let home = try TemporaryFolder()
    return try Umockdev.run(
      .parallax, ["record", "-o", "-"] + arguments, seeing: gyroscopes,
      environment: [
        "HOME": home.path, "XDG_CONFIG_HOME": home(".config"), "XDG_RUNTIME_DIR": home.path,
        "PARALLAX_SOCKET": home("none"), "PARALLAX_CONTROL": nil,
      ])
  }

  /// A device without a trigger: raw values 0, 1 and 2, read at even intervals.
  @Test func polled() throws {
    let result = try record("--duration", "0.3", "--rate", "50", seeing: [.bmi160])
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(
      result.output.hasPrefix(
        """
        # device: bmi160
        # rate: 50
        # mount-matrix: -1,0,0;0,-1,0;0,0,1
        # orientation: normal
        # bias: auto
        t,x,y,z
        0.000000000,
        """))
    #expect(result.errorLines.count == 1)
    #expect(result.errors.hasPrefix("parallax: bmi160: polled: "), "\(result.errors)")
    let rows = result.outputLines.dropFirst(6).map { $0.split(separator: ",").map { Double($0) } }
    #expect(rows.count >= 3)
    #expect(rows.allSatisfy { $0.dropFirst() == [0, 0.001065, 0.00213] })
    let times = rows.compactMap(\.first).compactMap(\.self)
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 } && (times.last ?? 1) <= 0.3)
  }

  @Test func oneOfSeveralByName() throws {
    let result = try record(
      "--duration", "0.1", "--device", "bmi160", seeing: [.l3gd20, .bmi160])
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(result.output.hasPrefix("# device: bmi160\n"))
    let none = try record("--device", "mpu6050", seeing: [.l3gd20, .bmi160])
    #expect(none.exitCode == 69)
    #expect(none.output == "")
    #expect(none.errors.contains("mpu6050") && none.errors.contains("l3gd20"), "\(none.errors)")
  }

  @Test(.needsNoDaemon) func noGyroscope() throws {
    let result = try record(seeing: [])
    #expect(result.exitCode == 69)
    #expect(
      result.errors.hasPrefix("parallax: no daemon is running, and no gyroscope"),
      "\(result.errors)")
  }
}

extension Trait where Self == ConditionTrait {
  /// For tests that require that no daemon answers.
  static var needsNoDaemon: Self {
    .disabled(if: access("/run/parallax/control.sock", F_OK) == 0, "the system runs a daemon")
  }
}
