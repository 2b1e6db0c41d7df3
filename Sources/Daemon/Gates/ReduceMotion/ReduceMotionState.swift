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
/// Without a portal nothing asks for reduced motion. A value that can no longer be read keeps its effect.
/// If a portal is there and has never answered, motion is reduced until it does: to people with a
/// vestibular disorder motion does harm, and to others its absence does none.
package struct ReduceMotionState: Equatable, Sendable {
  package enum Key: Equatable, Sendable {
    /// Not read yet, or of a type that has no meaning.
    case unknown
    /// The portal does not answer.
    case silent
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
  /// Whether a portal has given the verdict, since the bus last had none.
  private var isKnown = false

  package init() {}

  /// Handles the loss of the portal or of its bus: what it said stays.
  package mutating func portalLost() {
    portalReplaced()
    if !isKnown { verdict = nil }
  }

  /// Handles another program in the portal's place, which is asked again: the verdict stays.
  package mutating func portalReplaced() {
    reducedMotion = .unknown
    animations = .unknown
  }

  /// Handles a bus without a portal: the verdict is withdrawn.
  package mutating func portalAbsent() {
    isKnown = false
    portalLost()
  }

  /// Whether `verdict` comes from a portal that can no longer be read.
  package var isHeld: Bool {
    switch (reducedMotion, animations) {
    case (.unknown, _), (.absent, .unknown), (.silent, _), (.absent, .silent): verdict != nil
    default: false
    }
  }

  /// Whether the portal is there and does not answer.
  package var isSilent: Bool {
    reducedMotion == .silent || (reducedMotion == .absent && animations == .silent)
  }

  /// The message for the log while the portal is silent; nil otherwise.
  package var note: String? {
    guard isSilent else { return nil }
    return switch (isKnown, verdict) {
    case (false, _): "the portal does not answer; motion is reduced until it does"
    case (true, .some): "the portal does not answer; motion stays reduced, as it last reported"
    case (true, nil): "the portal does not answer; motion is not reduced, as it last reported"
    }
  }

  private mutating func decide() {
    switch (reducedMotion, animations) {
    case (.value(let isReduced), _): know(isReduced ? .portal : nil)
    case (.absent, .value(let areOn)): know(areOn ? nil : .gnome)
    case (.absent, .absent): know(nil)
    case (.silent, _), (.absent, .silent): if !isKnown { verdict = .portal }
    case (.unknown, _), (.absent, .unknown): break
    }
  }

  private mutating func know(_ verdict: ReduceMotionSource?) {
    self.verdict = verdict
    isKnown = true
  }
}
