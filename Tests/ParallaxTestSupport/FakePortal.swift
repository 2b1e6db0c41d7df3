// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
package import ParallaxLoop

/// The desktop's portal (org.freedesktop.portal.Settings), which the test plays on its own loop.
package final class FakePortal {
  /// Version 1 has only `Read`, whose answer is wrapped once more.
  package var version: UInt32 = 2
  /// The value of `reduced-motion`; nil if the portal does not have the key.
  package var reducedMotion: PeerValue? = .uint32(0)
  package var reducedMotionType = "u"
  /// The value of `enable-animations`; nil if the portal does not have the key.
  package var animations: PeerValue?
  /// Whether it leaves calls without an answer.
  package var isSilent = false
  package let peer: BusPeer

  /// Connects to the bus; the portal's name is not owned before `appear`.
  package init(_ loop: EventLoop, _ address: String) throws {
    peer = try BusPeer(loop, address)
    peer.answer = { [weak self] in self?.answer($0) ?? .nothing }
  }

  package func appear() throws { try peer.own("org.freedesktop.portal.Desktop") }

  /// Emits the change of a setting.
  package func change(
    _ namespace: String, _ key: String, _ type: String, _ value: PeerValue
  ) throws {
    try peer.emit(
      "/org/freedesktop/portal/desktop", "org.freedesktop.portal.Settings", "SettingChanged",
      [.string(namespace), .string(key), .variant(type, value)])
  }

  private func answer(_ call: PeerCall) -> PeerAnswer {
    if isSilent { return .nothing }
    if call.member == "Get" { return .values([.variant("u", .uint32(version))]) }
    if call.member == "ReadOne" && version == 1 {
      return .error(name: "org.freedesktop.DBus.Error.UnknownMethod", words: "no such method")
    }
    let value: (String, PeerValue)? =
      switch call.arguments.last {
      case .string("reduced-motion"): reducedMotion.map { (reducedMotionType, $0) }
      case .string("enable-animations"): animations.map { ("b", $0) }
      default: nil
      }
    guard let value else {
      return .error(
        name: "org.freedesktop.portal.Error.NotFound", words: "Requested setting not found")
    }
    let inner = PeerValue.variant(value.0, value.1)
    return .values([call.member == "Read" ? .variant("v", inner) : inner])
  }
}
