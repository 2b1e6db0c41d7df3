// SPDX-License-Identifier: Apache-2.0

import ParallaxProtocol

/// What a stream has reported last: the values of a line that shows the present state.
struct StreamView: Equatable {
  /// Why no daemon answers, as a word; nil while one is connected.
  private(set) var offline: String?
  private(set) var device: DeviceMessage?
  private(set) var gate: GateMessage?
  /// nil until the first OFFSET of a connection.
  private(set) var offset: OffsetMessage?

  mutating func update(_ message: StreamMessage) {
    switch message {
    case .version: offline = nil
    case .device(let message): device = message
    case .gate(let message): gate = message
    case .offset(let message): offset = message
    default: break
    }
  }

  /// Forgets everything, because no daemon answers.
  mutating func disconnect(_ reason: String) {
    self = StreamView()
    offline = reason
  }

  /// Whether there is something to show: DEVICE and GATE, or the reason why there are none.
  var isComplete: Bool { offline != nil || (device != nil && gate != nil) }

  /// `open`, `reduced` (the gain is below 1), `closed`, or `offline` without a daemon.
  var gateWord: String {
    guard offline == nil, let gate else { return "offline" }
    return gate.open ? (gate.gain < 1 ? "reduced" : "open") : "closed"
  }

  /// What may be seen: `open` or `reduced` if motion may come, `closed` if not, `offline`.
  var stateWord: String { cause == nil || offline != nil ? gateWord : "closed" }

  /// The state of DEVICE, or `offline` without a daemon.
  var deviceWord: String { offline == nil ? device?.state.rawValue ?? "offline" : "offline" }

  /// The reasons of GATE, or why no daemon answers.
  var reasons: [String] {
    if let offline { return [offline] }
    return gate?.reasons ?? []
  }

  /// Why nothing moves; nil if motion may come.
  var cause: String? {
    if let offline { return offline }
    guard let gate else { return nil }
    if !gate.open {
      return gate.reasons.isEmpty ? "gate closed" : gate.reasons.joined(separator: ", ")
    }
    switch device?.state {
    case .busy, .denied, .lost, .none?, .ended: return "device:\(deviceWord)"
    case .streaming, .idle, nil: return nil
    }
  }
}
