/// Decides when the source of motion runs: on with the first who wants it, off when nobody is left
/// or nobody would see anything.
package struct SourceSwitch: Equatable, Sendable {
  /// What the receivers together ask for.
  package enum Demand: Equatable, Sendable {
    /// There is nobody.
    case nobody
    /// There are some, and the gate is closed for all of them.
    case gated
    case wanted
  }

  package enum Action: Equatable, Sendable {
    /// `fromIdle`: nobody was there before, so no gate is being reopened.
    case start(fromIdle: Bool)
    case stop
  }

  package enum State: Equatable, Sendable {
    /// Nobody is there.
    case idle
    /// Closed for everyone who is there: off at once.
    case gated
    /// On.
    case running
    /// On, though nobody is left: they may come back before this instant.
    case lingering(untilNanoseconds: Int64)
    /// Wanted, but it ended or could not begin: it is tried again when it is switched on next.
    case spent
  }

  /// How long a source outlives its last receiver.
  package static let lingerNanoseconds: Int64 = 5_000_000_000

  package private(set) var state = State.idle

  package init() {}

  package var isRunning: Bool {
    switch state {
    case .running, .lingering: true
    case .idle, .gated, .spent: false
    }
  }

  /// Whether a source is wanted, even if it has nothing to give.
  package var isOn: Bool { isRunning || state == .spent }

  /// Another source took the place of one that may have been spent.
  package mutating func sourceWasReplaced() {
    if state == .spent { state = .running }
  }

  /// When it has to be asked again without anything having happened.
  package var deadlineNanoseconds: Int64? {
    if case .lingering(let until) = state { until } else { nil }
  }

  /// The source has nothing more to give.
  package mutating func sourceIsSpent() {
    if isRunning { state = .spent }
  }

  package mutating func update(_ demand: Demand, atNanoseconds now: Int64) -> Action? {
    switch (state, demand) {
    case (.idle, .wanted):
      state = .running
      return .start(fromIdle: true)
    case (.gated, .wanted):
      state = .running
      return .start(fromIdle: false)
    case (.idle, .gated):
      state = .gated
      return nil
    case (.gated, .nobody):
      state = .idle
      return nil
    case (.running, .nobody):
      state = .lingering(untilNanoseconds: now + Self.lingerNanoseconds)
      return nil
    case (.lingering, .wanted):
      state = .running
      return nil
    case (.lingering(let until), .nobody):
      guard now >= until else { return nil }
      state = .idle
      return .stop
    case (.spent, .nobody):
      state = .idle
      return .stop
    case (.running, .gated), (.lingering, .gated), (.spent, .gated):
      state = .gated
      return .stop
    case (.idle, .nobody), (.gated, .gated), (.running, .wanted), (.spent, .wanted):
      return nil
    }
  }
}
