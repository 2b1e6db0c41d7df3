import ParallaxTestSupport
import ParallaxWire
import Testing

@testable import ParallaxDaemon
@testable import ParallaxSystem

@Suite struct HubChangeTests {
  private static func device(
    _ state: DeviceMessage.State, name: String? = "gyro_3d", reason: String? = nil
  ) -> HubChange {
    .device(
      DeviceMessage(driver: "iio", name: name, state: state, rateHertz: nil, reason: reason))
  }

  @Test(
    arguments: [
      (
        device(.lost, reason: "it was unplugged"), "<4> source iio gyro_3d, lost: it was unplugged",
        [
          "PARALLAX_DEVICE=gyro_3d", "PARALLAX_DRIVER=iio", "PARALLAX_STATE=lost",
          "PARALLAX_REASON=it was unplugged",
        ]
      ),
      (
        device(.streaming, name: nil), "<6> source iio, streaming",
        ["PARALLAX_DEVICE=iio", "PARALLAX_DRIVER=iio", "PARALLAX_STATE=streaming"]
      ),
      (
        .gate(gain: 0, reasons: ["paused", "device:lost"], uid: nil),
        "<6> gate closed: paused, device:lost",
        ["PARALLAX_REASON=paused", "PARALLAX_REASON=device:lost"]
      ),
      (
        .gate(gain: 0.25, reasons: ["reduce-motion:agent"], uid: 1000),
        "<6> gate reduced for user 1000: reduce-motion:agent",
        ["PARALLAX_REASON=reduce-motion:agent", "PARALLAX_UID=1000"]
      ),
      (.gate(gain: 1, reasons: [], uid: nil), "<6> gate open", []),
    ] as [(HubChange, String, [String])])
  func `The journal's entry`(change: HubChange, text: String, fields: [String]) {
    let entry = change.journalEntry
    #expect("<\(entry.level.rawValue)> \(entry.text)" == text)
    let lines = entry.lines(program: "parallaxd")
    #expect(lines.contains("MESSAGE_ID=\(change.kind.rawValue)"))
    #expect(lines.contains("SYSLOG_IDENTIFIER=parallaxd"))
    #expect(lines.filter { $0.hasPrefix("PARALLAX_") } == fields)
  }

  @Test func `A reason of many lines stays a field`() {
    let lines = Self.device(.lost, reason: "a\nMESSAGE_ID=b").journalEntry.lines(program: "p")
    #expect(lines.last == "PARALLAX_REASON=a MESSAGE_ID=b")
  }

  /// Each state has an id of its own, in the journal's form, and a row in the documents.
  @Test func `Every kind is listed`() throws {
    let document = try text(ofFile: Surroundings.packageRoot + "/docs/service.md")
    for kind in HubChange.Kind.allCases {
      #expect(kind.rawValue.utf8.count == 32 && kind.rawValue.allSatisfy(\.isHexDigit))
      #expect(document.contains("| `\(kind.rawValue)` |"), "\(kind)")
    }
    let kinds = Set(DeviceMessage.State.allCases.map { Self.device($0).kind })
    #expect(kinds.count == DeviceMessage.State.allCases.count)
  }

  @Test func `Changes are told once`() throws {
    let rig = try Rig()
    var told: [String] = []
    rig.core.hub.changed = { told.append($0.journalEntry.text) }
    rig.core.hub.gates.setPaused = true
    rig.core.hub.gatesChanged(atNanoseconds: 0)
    rig.core.hub.gatesChanged(atNanoseconds: 1)
    rig.core.hub.gates.setPaused = false
    rig.core.hub.gatesChanged(atNanoseconds: 2)
    #expect(told == ["gate closed: paused", "gate open"])
  }
}
