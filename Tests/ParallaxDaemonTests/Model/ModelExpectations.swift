// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

/// Who may see and control, and why not: what the documentation says, in the plainest form.
struct ModelExpectations {
  /// The configuration, as `table.key` and its value.
  var configuration: [String: String]
  var presences: [UInt32: ModelPresence]
  /// The reasons that the buses report.
  var reported: Set<String> = []
  /// The values of SET.
  var set = ["reduce-motion": "auto", "low-power": "auto", "paused": "off"]

  static let daemonUser: UInt32 = 900
  /// In the group `parallax`.
  static let member: UInt32 = 1003
  /// The user `nora`.
  static let nora: UInt32 = 1004
  /// In the group `operators`.
  static let operatorUser: UInt32 = 1005
  static let users: [UInt32] = [0, daemonUser, 1000, 1001, 1002, member, nora, operatorUser]

  static func groups(of uid: UInt32) -> [UInt32] {
    switch uid {
    case member: [50]
    case operatorUser: [60]
    default: []
    }
  }

  subscript(key: String) -> String { configuration[key] ?? Self.defaults[key] ?? "" }

  private static let defaults = [
    "socket.access": "session", "socket.seat": seat, "socket.max-subscribers": "256",
    "socket.max-per-uid": "32",
    "gates.reduce-motion": "auto", "gates.low-power": "auto", "gates.reduced": "still",
    "gates.subtle-gain": "0.25", "gates.fade": "0.3",
  ]

  func number(_ key: String) -> Double { Double(self[key]) ?? 0 }

  var fade: MotionDuration { MotionDuration(seconds: number("gates.fade")) }

  // MARK: - Users

  /// Where all sessions are.
  static let seat = "seat0"

  func presence(_ uid: UInt32) -> ModelPresence {
    self["socket.seat"] == Self.seat ? presences[uid] ?? .none : .none
  }

  func isTrusted(_ uid: UInt32) -> Bool { uid == 0 || uid == Self.daemonUser }

  func isPrivileged(_ uid: UInt32) -> Bool {
    isTrusted(uid) || (uid == Self.nora && self["socket.control-users"] == "nora")
      || (uid == Self.operatorUser && self["socket.control-group"] == "operators")
  }

  /// Whether a user may connect now.
  func admits(_ uid: UInt32, toControl: Bool) -> Bool {
    if toControl, isPrivileged(uid) { return true }
    if isTrusted(uid) || uid == Self.member { return true }
    switch self["socket.access"] {
    case "all": return true
    case "session": return presence(uid) == .active
    default: return false
    }
  }

  /// Whether a connection of a user may stay: sessions in the background suffice for that.
  func keeps(_ uid: UInt32, onControl: Bool) -> Bool {
    admits(uid, toControl: onControl)
      || (self["socket.access"] == "session" && presence(uid) == .inactive)
  }

  func mayInhibit(_ uid: UInt32) -> Bool { isTrusted(uid) || presence(uid) == .active }

  // MARK: - Gates

  /// The gate reasons for a user.
  ///
  /// - Parameters:
  ///   - reportsReduced: Whether an agent of the user reports reduced motion.
  ///   - device: The state of DEVICE.
  func reasons(
    _ uid: UInt32, isInhibited: Bool, reportsReduced: Bool, device: String
  ) -> Set<String> {
    var reasons = reported.filter { $0 == "sleep" }
    for kind in ["reduce-motion", "low-power"] {
      switch (set[kind], self["gates.\(kind)"]) {
      case ("on", _): reasons.insert("\(kind):set")
      case ("off", _): break
      case (_, "on"): reasons.insert("\(kind):config")
      case (_, "off"): break
      default:
        reasons.formUnion(reported.filter { $0.hasPrefix(kind) })
        if kind == "reduce-motion", reportsReduced { reasons.insert("reduce-motion:agent") }
      }
    }
    if set["paused"] == "on" { reasons.insert("paused") }
    if isInhibited { reasons.insert("inhibit") }
    if self["socket.access"] == "session", presence(uid) == .inactive {
      reasons.insert("inactive")
    }
    if ["none", "busy", "denied", "lost"].contains(device) { reasons.insert("device:\(device)") }
    return reasons
  }

  func gain(under reasons: Set<String>) -> Double {
    if reasons.isEmpty { return 1 }
    guard reasons.allSatisfy({ $0.hasPrefix("reduce-motion") }) else { return 0 }
    return self["gates.reduced"] == "subtle" ? number("gates.subtle-gain") : 0
  }

  /// Whether these reasons hide animations, too.
  static func hidesAnimations(_ reasons: Set<String>) -> Bool {
    reasons.contains {
      $0 == "paused" || $0 == "inhibit" || $0 == "sleep" || $0 == "inactive"
        || $0.hasPrefix("low-power")
    }
  }
}
