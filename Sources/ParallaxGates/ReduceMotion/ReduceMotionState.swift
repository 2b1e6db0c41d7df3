/// Who says that motion shall be reduced.
package enum ReduceMotionSource: Equatable, Sendable, CaseIterable {
  /// The portal: the person asked for reduced motion.
  case portal
  /// GNOME's animations are off; shells do that for speed too.
  case gnome
}

/// What the portal says about motion, and what follows. What nobody knows leaves the gate open; what
/// was said and cannot be read any more holds.
package struct ReduceMotionState: Equatable, Sendable {
  package enum Key: Equatable, Sendable {
    /// Not read yet, or not readable.
    case unknown
    /// The portal does not have it.
    case absent
    case value(Bool)
  }

  /// `org.freedesktop.appearance`, `reduced-motion`: true is reduce.
  package var reducedMotion = Key.unknown { didSet { decide() } }
  /// `org.gnome.desktop.interface`, `enable-animations`: false is reduce.
  package var animations = Key.unknown { didSet { decide() } }

  /// nil: motion need not be reduced, or nobody knows.
  package private(set) var verdict: ReduceMotionSource?

  package init() {}

  /// The portal or its bus went away, or gives no answer: what it said last holds.
  package mutating func portalIsGone() {
    reducedMotion = .unknown
    animations = .unknown
  }

  /// The bus answers (again), and there is no portal on it.
  package mutating func busHasNoPortal() {
    portalIsGone()
    verdict = nil
  }

  /// Whether `verdict` is what was said last, by a portal that cannot be read now.
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
