// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxClient
import ParallaxMotion
import ParallaxProtocol
import ParallaxTestSupport
import ParallaxTrace
import Testing

@testable import ParallaxTool

/// A recording that `parallax feed` sends gives the OFFSET lines of the same recording as the daemon's source,
/// which `LiveIsReplayTests` compares with its replay.
struct FedRecordingTests {
  private static let recordings = [
    "phyphox-walk/Gyroscope.csv", "sensorlogger-iphone12/Gyroscope.csv",
    "sensorlogger-uncal/GyroscopeUncalibrated.csv", "xio-fusion/sensor_data.csv",
    "xio-gait/short_walk.csv", "small/above-37.csv", "small/back.csv", "small/near-30.3.csv",
    "small/near-33.csv", "small/slow-20.csv",
  ]

  /// The rows of a recording that are compared: some are of minutes.
  private static let maxRows = 3_000

  @Test(arguments: recordings, [[], ["motion.mode=tilt", "sampling.rate=60"]])
  func aFedRecordingIsThatRecording(_ name: String, _ options: [String]) throws {
    let path = testDataPath("Recordings/\(name)")
    // A live source estimates a bias, and fades in.
    let settings = ["motion.bias=off", "orientation.source=normal", "gates.fade=0"] + options
    let fed = try Self.feed(path, settings)
    let folder = try TemporaryFolder()
    let start = try text(ofFile: path).split(
      separator: "\n", maxSplits: Self.maxRows, omittingEmptySubsequences: false
    ).prefix(Self.maxRows).joined(separator: "\n")
    let short = try folder.write(start + "\n", to: "Gyroscope.csv")
    let rig = try Rig(["source.kind=trace", "source.trace=\(short)"] + settings)
    let client = rig.subscribe()
    rig.runUntilIdle()
    let played = client.frames().map(\.text)
    #expect(played.count > 50)
    // A feed does not say where it ends, so that the last frame may be missing.
    #expect((0...1).contains(played.count - fed.prefix(played.count).count))
    for (fed, played) in zip(fed, played) { try #require(fed == played) }
  }

  /// Returns the OFFSET lines.
  private static func feed(_ path: String, _ settings: [String]) throws -> [String] {
    var reader = try TraceReader(path: path)
    if reader.hasZ { try reader.requireZ() }
    let rate = reader.findNominalRate(frameRate: .standard)
    let rig = try Rig(["source.kind=feed"] + settings)
    let sender = rig.control()
    sender.send(
      bytes: ControlRequest.feed(
        FeedRequest(
          name: "fed", clock: .monotonic, rateHertz: rate, mountMatrix: reader.header.mountMatrix)
      ).line())
    let client = rig.subscribe()
    var pacing = FeedPacing(keepsTimes: true)
    var lines: [String] = []
    for _ in 0..<maxRows {
      guard case .sample(let sample) = try reader.nextArrived() else { break }
      pacing.add([sample], at: rig.now)
      while let due = pacing.due {
        rig.run(seconds: max(0, (due - rig.now).seconds))
        if let row = pacing.next(at: max(due, rig.now)) {
          sender.send(
            bytes: FeedStateMachine.lines([
              SampleRequest(time: row.time, rateRadPerSec: row.rateRadPerSec)
            ]))
        }
      }
      lines += client.frames().map(\.text)
    }
    rig.run(seconds: 0.4)
    return lines + client.frames().map(\.text)
  }
}
