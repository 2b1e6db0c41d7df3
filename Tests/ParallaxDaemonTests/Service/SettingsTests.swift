// SPDX-License-Identifier: Apache-2.0

import ParallaxConfig
import ParallaxDaemon
import ParallaxMotion
import ParallaxTestSupport
import Testing

/// SET of the motion's settings in a running daemon.
struct SettingsTests {
  private func set(_ rig: Rig, _ key: String, _ json: String) throws -> Line {
    try #require(
      rig.control().ask(#"{"class":"SET","key":"\#(key)","value":\#(json)}"#).first)
  }

  @Test func aReloadKeepsWhatWasSet() throws {
    let rig = try Rig(["source.kind=synthetic"])
    _ = try set(rig, "recenter", "2")
    _ = try set(rig, "smoothing", #""none""#)
    var configuration = rig.core.hub.configuration
    configuration.motion.recenterSeconds = 7
    configuration.motion.smoothing = .ema(timeConstantSeconds: 1)
    rig.core.hub.reconfigure(configuration, at: rig.now)
    #expect(rig.core.hub.configuration.motion.recenterSeconds == 2)
    #expect(rig.core.hub.configuration.motion.smoothing == .none)
    _ = try set(rig, "recenter", #""auto""#)
    #expect(rig.core.hub.configuration.motion.recenterSeconds == 7)
  }

  /// Half of a tilt's way back takes another time as soon as `recenter` changes.
  @Test func recenterActsAtOnce() throws {
    func path(_ value: String?) throws -> [Double] {
      let rig = try Rig(["source.kind=synthetic", "motion.mode=tilt"])
      let client = rig.subscribe()
      rig.run(seconds: 2)
      if let value { _ = try set(rig, "recenter", value) }
      rig.run(seconds: 1)
      return client.lines().filter { $0.name == "OFFSET" }.compactMap { $0.number("x") }
    }
    let (slow, quick) = (try path(nil), try path("0.05"))
    #expect(slow.count == quick.count)
    #expect(slow.prefix(55) == quick.prefix(55))
    #expect(abs(quick.last ?? 9) < abs(slow.last ?? 0) / 2)
  }

  /// A client that draws a picture needs it for the hidden margin.
  @Test func deviceHasTheRange() throws {
    let rig = try Rig(["source.kind=synthetic", "motion.range-y=0:2.5"])
    var changes: [HubChange] = []
    let client = rig.subscribe()
    rig.core.hub.changed = { changes.append($0) }
    func ranges() -> [String] {
      client.lines().filter { $0.name == "DEVICE" }.map { line in
        String(line.text.drop { $0 != "[" })
      }
    }
    #expect(ranges() == [#"[-5,5],"range_y":[0,2.5]}"#])
    _ = try set(rig, "range-x", #""-20:8""#)
    #expect(ranges() == [#"[-20,8],"range_y":[0,2.5]}"#])
    // Neither the same range again nor another setting is news, and the journal records no device.
    _ = try set(rig, "range-x", #""-20:8""#)
    _ = try set(rig, "scale", "8")
    #expect(ranges() == [])
    #expect(changes == [])
  }
}
