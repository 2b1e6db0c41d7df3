// SPDX-License-Identifier: Apache-2.0

/// What asks for reduced motion.
package enum ReduceMotionSource: Equatable, Sendable, CaseIterable {
  /// The portal: the user has turned on reduced motion.
  case portal
  /// GNOME's animations are off; shells turn them off for speed too.
  case gnome
}

/// The portal's settings about motion, and the verdict.
///
/// As long as nothing is known the gate is open. A value that can no longer be read keeps its effect.
package struct ReduceMotionState: Equatable, Sendable {
  package enum Key: Equatable, Sendable {
    /// Not read yet, or unreadable.
    case unknown
    /// The portal does not have the key.
    case absent
    case value(Bool)
  }

  /// `org.freedesktop.appearance`, `reduced-motion`: true reduces motion.
  package var reducedMotion = Key.unknown { didSet { decide() } }
  /// `org.gnome.desktop.interface`, `enable-animations`: false reduces motion.
  package var animations = Key.unknown { didSet { decide() } }

  /// What asks for reduced motion; nil if nothing does, or nothing is known.
  package private(set) var verdict: ReduceMotionSource?

  package init() {}

  /// Handles the loss of the portal or of its bus: the verdict stays.
  package mutating func portalLost() {
    reducedMotion = .unknown
    animations = .unknown
  }

  /// Handles a bus without a portal: the verdict is withdrawn.
  package mutating func portalAbsent() {
    portalLost()
    verdict = nil
  }

  /// Whether `verdict` comes from a portal that can no longer be read.
  package var isHeld: Bool {
    switch (reducedMotion, animations) {
    case (.unknown, _), (.absent, .unknown): verdict != nil
    default: false
    }
  }

  private mutating func decide() {
    switch (reducedMotion, animations) {
    case (.value(let isReduced), _): verdict = isReduced ? .portal : nil
    case (.absent, .value(let areOn)): verdict = areOn ? nil : .gnome
    case (.absent, .absent): verdict = nil
    case (.unknown, _), (.absent, .unknown): break
    }
  }
}
