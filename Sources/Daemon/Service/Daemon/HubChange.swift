// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
package import ParallaxLoop
package import ParallaxProtocol

/// A change that the journal records.
package enum HubChange: Equatable, Sendable {
  case device(DeviceMessage)
  /// A change of the gate for everyone (`uid` nil), or of the reasons for one user.
  case gate(gain: Double, reasons: [String], uid: UInt32?)

  /// The kinds, for `journalctl MESSAGE_ID=`; docs/service.md lists them. They must never change.
  package enum Kind: String, CaseIterable, Sendable {
    case deviceStreaming = "e01ac3dfaabf42469ae73aaba9de8bc1"
    case deviceIdle = "23e07e293e5c41edb7763519752a50c1"
    case deviceBusy = "d0144322504843faba18be87bbe3d43b"
    case deviceDenied = "1d3f2291566943908b13140c1b3fc4c3"
    case deviceLost = "1fd722d8263d4c4a8d3278004ad7e618"
    case deviceNone = "e58d9d0d83de4e3dba81ccb4550fc4aa"
    case deviceEnded = "6208e95fe28a461690c06ec8a589ef4a"
    case gateOpen = "9fa15cffedc44d0d97b3ff85c962eab8"
    case gateReduced = "85ee98d99de34473a3cfbfb4722551b2"
    case gateClosed = "7967ff411dbe449eb0474004aa3f9c25"
  }

  package var kind: Kind {
    switch self {
    case .device(let device):
      switch device.state {
      case .streaming: .deviceStreaming
      case .idle: .deviceIdle
      case .busy: .deviceBusy
      case .denied: .deviceDenied
      case .lost: .deviceLost
      case .none: .deviceNone
      case .ended: .deviceEnded
      }
    case .gate(let gain, _, _): gain == 0 ? .gateClosed : gain < 1 ? .gateReduced : .gateOpen
    }
  }

  package var journalEntry: JournalEntry {
    switch self {
    case .device(let device): entry(device)
    case .gate(_, let reasons, let uid): entry(reasons, uid)
    }
  }

  private func entry(_ device: DeviceMessage) -> JournalEntry {
    let isWarning =
      switch device.state {
      case .busy, .denied, .lost, .none: true
      case .streaming, .idle, .ended: false
      }
    var fields: [JournalEntry.Field] = [
      .init("PARALLAX_DEVICE", device.name ?? device.driver),
      .init("PARALLAX_DRIVER", device.driver), .init("PARALLAX_STATE", device.state.rawValue),
    ]
    if let reason = device.reason { fields.append(.init("PARALLAX_REASON", reason)) }
    let name = device.name.map { "\(device.driver) \($0)" } ?? device.driver
    let reason = device.reason.map { ": \($0)" } ?? ""
    return JournalEntry(
      isWarning ? .warning : .info, "source \(name), \(device.state.rawValue)\(reason)",
      messageID: kind.rawValue, fields: fields)
  }

  private func entry(_ reasons: [String], _ uid: UInt32?) -> JournalEntry {
    let state =
      switch kind {
      case .gateOpen: "open"
      case .gateReduced: "reduced"
      default: "closed"
      }
    var fields = reasons.map { JournalEntry.Field("PARALLAX_REASON", $0) }
    if let uid { fields.append(.init("PARALLAX_UID", "\(uid)")) }
    let whose = uid.map { " for user \($0)" } ?? ""
    let why = reasons.isEmpty ? "" : ": " + reasons.joined(separator: ", ")
    return JournalEntry(
      .info, "gate \(state)\(whose)\(why)", messageID: kind.rawValue, fields: fields)
  }
}
