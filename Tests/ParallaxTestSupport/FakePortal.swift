package import ParallaxSystem

/// The desktop's portal (org.freedesktop.portal.Settings), played by the test on its own loop.
package final class FakePortal {
  /// 1 knows `Read` alone, whose answer is wrapped once more.
  package var version: UInt32 = 2
  /// nil: it does not have the key.
  package var reducedMotion: PeerValue? = .uint32(0)
  package var reducedMotionType = "u"
  /// `enable-animations`; nil: it does not have the key.
  package var animations: PeerValue?
  package let peer: BusPeer

  /// On the bus, and not to be found there before `appear`.
  package init(_ loop: EventLoop, _ address: String) throws {
    peer = try BusPeer(loop, address)
    peer.answer = { [weak self] in self?.answer($0) ?? .nothing }
  }

  package func appear() throws { try peer.own("org.freedesktop.portal.Desktop") }

  /// Says that a setting has changed.
  package func change(
    _ namespace: String, _ key: String, _ type: String, _ value: PeerValue
  ) throws {
    try peer.emit(
      "/org/freedesktop/portal/desktop", "org.freedesktop.portal.Settings", "SettingChanged",
      [.string(namespace), .string(key), .variant(type, value)])
  }

  /// The person changes their mind: from now on it says so, to whoever follows too.
  package func wish(reducedMotion isReduced: Bool) throws {
    reducedMotion = .uint32(isReduced ? 1 : 0)
    try change("org.freedesktop.appearance", "reduced-motion", "u", .uint32(isReduced ? 1 : 0))
  }

  private func answer(_ call: PeerCall) -> PeerAnswer {
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
