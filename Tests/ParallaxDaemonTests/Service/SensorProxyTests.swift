// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxDaemon
import ParallaxDevice
import ParallaxGates
import ParallaxLoop
import ParallaxMotion
import ParallaxTestSupport
import Testing

/// When iio-sensor-proxy is asked for the orientation.
struct SensorProxyTests {
  @Test func askedWhileMotionStreamsAndNothingElseDecides() throws {
    let rig = try Rig()
    let hub = rig.core.hub
    let control = rig.control()
    rig.run(seconds: 10)
    #expect(!hub.asksSensorProxy)
    let client = rig.subscribe()
    rig.run(seconds: 1)
    #expect(hub.asksSensorProxy)
    control.send(#"{"class":"SET","key":"orientation","value":"left-up"}"#)
    #expect(!hub.asksSensorProxy)
    control.send(#"{"class":"SET","key":"orientation","value":"auto"}"#)
    #expect(hub.asksSensorProxy)
    control.send(#"{"class":"SET","key":"paused","value":"on"}"#)
    rig.run(seconds: 1)
    #expect(!hub.asksSensorProxy)
    control.send(#"{"class":"SET","key":"paused","value":"off"}"#)
    rig.run(seconds: 1)
    #expect(hub.asksSensorProxy)
    client.hangUp()
    rig.run(seconds: 5.6)
    #expect(!hub.asksSensorProxy)
  }

  @Test func notAskedIfTheConfigurationDecides() throws {
    let rig = try Rig(["source.kind=synthetic", "orientation.source=left-up"])
    _ = rig.subscribe()
    rig.run(seconds: 1)
    #expect(!rig.core.hub.asksSensorProxy)
  }

  /// Only one process may stream from the device.
  @Test(arguments: [
    (AccelUse.elsewhere, true), (.readAlong(matrix: .identity), false), (.conflicting, false),
  ])
  func notAskedIfTheAccelerometerIsInTheStreamingDevice(use: AccelUse, asks: Bool) throws {
    let test = try GyroRig()
    _ = test.rig.subscribe()
    #expect(!test.rig.core.hub.asksSensorProxy)
    test.gyro.open(
      GyroFacts(id: "iio:device0", name: "bmi160", rateHertz: 100, accelerometer: use))
    // The accelerometer is known once the device streams.
    #expect(!test.rig.core.hub.asksSensorProxy)
    test.stream(seconds: 1)
    #expect(test.rig.core.hub.asksSensorProxy == asks)
    test.gyro.remove()
    #expect(!test.rig.core.hub.asksSensorProxy)
  }

  @Test func itsOrientationTurnsThePictureOverTheFade() throws {
    let source = ScriptSource()
    let rig = try Rig(["motion.smoothing=none", "orientation.panel=left-up"]) { _ in source }
    let client = rig.subscribe()
    rig.run(seconds: 1)
    let hub = rig.core.hub
    hub.update(at: rig.now) { $0.orientations.sensorProxy = .leftUp }
    _ = client.lines()
    rig.run(seconds: 1)
    let frames = client.frames()
    #expect(hub.orientations.common == .init(orientation: .bottomUp, source: .sensorProxy))
    let steps = zip(frames, frames.dropFirst()).map { ($1.x - $0.x).magnitude }
    #expect(frames.last?.x == 4 && steps.allSatisfy { $0 < 2 })
  }

  /// From the bus to the hub, on a bus that has other users.
  @Test func theClaimFollowsTheHub() throws {
    let loop = try EventLoop()
    let daemon = try PrivateBus()
    let proxy = try BusPeer(loop, daemon.address, owning: [OrientationWatch.name])
    proxy.answer = { call in
      switch call.arguments.last {
      case .string("HasAccelerometer"): .values([.variant("b", .bool(true))])
      case .string("AccelerometerOrientation"): .values([.variant("s", .string("left-up"))])
      default: .values([])
      }
    }
    let rig = try Rig()
    let hub = rig.core.hub
    let bus = try Bus(loop, .address(daemon.address), log: { _, _ in })
    let link = try OrientationLink(loop, bus, hub: hub, log: { _, _ in })
    let (client, control) = (rig.subscribe(), rig.control())
    rig.run(seconds: 1)
    bus.open()
    link.update()
    try loop.run("the orientation") { hub.orientations.sensorProxy == .leftUp }
    control.send(#"{"class":"SET","key":"orientation","value":"normal"}"#)
    link.update()
    #expect(hub.orientations.sensorProxy == nil)
    try loop.run("the release") { proxy.calls.last?.member == "ReleaseAccelerometer" }
    #expect(bus.isConnected)
    control.send(#"{"class":"SET","key":"orientation","value":"auto"}"#)
    link.update()
    try loop.run("the orientation again") { hub.orientations.sensorProxy == .leftUp }
    client.hangUp()
    rig.run(seconds: 6)
    link.update()
    #expect(hub.orientations.sensorProxy == nil)
  }
}
