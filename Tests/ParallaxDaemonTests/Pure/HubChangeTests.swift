// SPDX-License-Identifier: Apache-2.0

import ParallaxProtocol
import ParallaxTestSupport
import Testing

@testable import ParallaxDaemon
@testable import ParallaxLoop

struct HubChangeTests {
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
  func journalEntry(change: HubChange, text: String, fields: [String]) {
    let entry = change.journalEntry
    #expect("<\(entry.level.rawValue)> \(entry.text)" == text)
    let lines = entry.lines(program: "parallaxd")
    #expect(lines.contains("MESSAGE_ID=\(change.kind.rawValue)"))
    #expect(lines.contains("SYSLOG_IDENTIFIER=parallaxd"))
    #expect(lines.filter { $0.hasPrefix("PARALLAX_") } == fields)
  }

  @Test func lineBreaksInAReasonAreRemoved() {
    let lines = Self.device(.lost, reason: "a\nMESSAGE_ID=b").journalEntry.lines(program: "p")
    #expect(lines.last == "PARALLAX_REASON=a MESSAGE_ID=b")
  }

  /// Each state has its own id, in the journal's form, and a row in docs/service.md.
  @Test func everyKindIsDocumented() throws {
    let document = try text(ofFile: TestEnvironment.packageRoot + "/docs/service.md")
    for kind in HubChange.Kind.allCases {
      #expect(kind.rawValue.utf8.count == 32 && kind.rawValue.allSatisfy(\.isHexDigit))
      #expect(document.contains("| `\(kind.rawValue)` |"), "\(kind)")
    }
    let kinds = Set(DeviceMessage.State.allCases.map { Self.device($0).kind })
    #expect(kinds.count == DeviceMessage.State.allCases.count)
  }

  @Test func changesAreReportedOnce() throws {
    let rig = try Rig()
    var reported: [String] = []
    rig.core.hub.changed = { reported.append($0.journalEntry.text) }
    rig.core.hub.update(at: 0) { $0.gates.setPaused = true }
    rig.core.hub.update(at: 1) { $0.gates.setPaused = true }
    rig.core.hub.update(at: 2) { $0.gates.setPaused = false }
    #expect(reported == ["gate closed: paused", "gate open"])
  }
}
