// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxMotion
import ParallaxProtocol
import ParallaxTestSupport
@testable import ParallaxTool

/// A stream to draw: a motion on a circle, with its STATUS.
enum ViewExample {
  static let end = MotionInstant(nanoseconds: 20_000_000_000)

  static func status(
    _ settings: [(String, SetRequest.Value)] = standard, overrides: [String] = [],
    frames: UInt64 = 300, uptime: MotionDuration = .seconds(10)
  ) -> StatusMessage {
    StatusMessage(
      release: "1.0", uptime: uptime,
      device: DeviceMessage(
        driver: "iio", name: "gyro_3d", state: .streaming, rateHertz: 100, reason: nil),
      measuredRateHertz: 99.8, gate: GateMessage(open: true, gain: 1, reasons: []),
      orientation: .normal, orientationSource: .builtIn,
      bias: StatusMessage.BiasStatus(isAuto: true, x: 0.011, y: -0.002, z: 0.004),
      subscribers: 2, frames: frames, drops: StatusMessage.DropCounts(),
      latency: .measured(p50: 0.0012, p99: 0.0031, max: 0.01),
      settings: settings.map { SetRequest(key: $0.0, value: $0.1) }, overrides: overrides)
  }

  static let standard: [(String, SetRequest.Value)] = [
    ("bias", .text("auto")), ("mode", .text("rate")), ("mount-matrix", .text("auto")),
    ("range-x", .text("-5:5")), ("range-y", .text("-5:5")), ("rate", .number(30)),
    ("recenter", .number(4)), ("scale", .number(5)), ("smoothing", .text("auto")),
  ]

  static func offset(_ number: Int) -> OffsetMessage {
    let angle = Double(number) / 20
    // A polygon instead of sine and cosine, which differ between machines.
    func triangle(_ value: Double) -> Double {
      let part = value - (value / 4).rounded(.down) * 4
      return part < 2 ? part - 1 : 3 - part
    }
    let (x, y) = (4 * triangle(angle), 3 * triangle(angle + 1))
    return OffsetMessage(
      seq: UInt64(number), time: MotionInstant(nanoseconds: Int64(number) * 33_333_333), x: x,
      y: y, nx: x / 5, ny: y / 5, vx: 0, vy: 0)
  }

  /// A model after 20 s of the stream.
  static func model() -> WatchModel {
    var model = WatchModel()
    model.receive(.version(VersionMessage(release: "1.0", protoMajor: 1, protoMinor: 3)))
    model.receive(
      .device(
        DeviceMessage(
          driver: "iio", name: "gyro_3d", state: .streaming, rateHertz: 100, reason: nil)))
    model.receive(.gate(GateMessage(open: true, gain: 1, reasons: [])))
    model.ratesGranted()
    for number in 300...600 {
      let message = offset(number)
      model.receive(.offset(message))
      model.receive(
        SampleMessage(
          time: message.time, x: message.y / 4, y: message.x / 4, z: message.x * message.y / 40))
    }
    model.receive(status(frames: 270, uptime: .seconds(9)))
    model.receive(status())
    return model
  }

  static let unicode = TerminalCapabilities(isUnicode: true, colors: .sixteen)
  static let ascii = TerminalCapabilities(isUnicode: false, colors: .none)
  static let rich = TerminalCapabilities(isUnicode: true, colors: .trueColor)
}
