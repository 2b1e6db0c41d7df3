package import ParallaxMotion

/// What is asked of iio-sensor-proxy (net.hadess.SensorProxy), and what its answers mean: pure, time
/// is an argument (nanoseconds of CLOCK_MONOTONIC).
///
/// A claim makes the proxy read its accelerometer every 0.7 s and tell it to us alone, so it is held
/// only while the orientation is wanted. Every question has one answer; an answer to a question that is
/// not open any more is none.
package struct OrientationClaim: Equatable, Sendable {
  package enum Event: Equatable, Sendable {
    case wanted
    case unwanted
    /// The proxy's unique name; nil: it is not there.
    case owner(String?)
    /// `HasAccelerometer`: an answer, or a change.
    case accelerometer(Bool)
    case claimed
    case refused(Refusal)
    /// `AccelerometerOrientation`: an answer, or a change.
    case orientation(String)
    /// The deadline may have come.
    case time
  }

  /// Why a question has no good answer.
  package enum Refusal: Equatable, Sendable {
    /// Version 3.4 and later listen to the active session alone (polkit).
    case forbidden
    /// Anything else, an answer that did not come included.
    case failed(String)
  }

  package enum Action: Equatable, Sendable {
    /// Ask for `HasAccelerometer`.
    case ask
    /// Follow the properties, and claim.
    case claim
    /// Ask for `AccelerometerOrientation`.
    case read
    /// Give the claim back, and follow nothing any more.
    case release
    /// Whatever was asked is not waited for any more: who was asked is gone.
    case forget
    /// `orientation` or `isForbidden` is another one.
    case tell
    /// For whoever reads the log.
    case warn(String)
    case note(String)
  }

  package enum State: Equatable, Sendable {
    /// Nobody wants to know.
    case idle
    /// There is no proxy.
    case absent
    /// Asked whether it has an accelerometer, or will be.
    case asking
    /// It has none, as far as is known.
    case lacking(againNanoseconds: Int64)
    case claiming
    case claimed
    /// It did not do what it was asked for.
    case refused(againNanoseconds: Int64)
  }

  /// How long until what was refused is asked for again: a session may have become the active one, a
  /// sensor may have come.
  package static let againNanoseconds: Int64 = 30_000_000_000
  /// How long an orientation outlives the proxy: it may only be starting again.
  package static let farewellNanoseconds: Int64 = 5_000_000_000

  package private(set) var state = State.idle
  /// nil: not known.
  package private(set) var orientation: Orientation?
  /// Whether there is a proxy with an accelerometer that does not listen to us; agents may ask it.
  package private(set) var isForbidden = false

  private var owner: String?
  private var forgetNanoseconds: Int64?
  /// What the log was told of last; nil: all is well.
  private var complaint: Complaint?

  private enum Complaint: Equatable {
    case forbidden, failed
  }

  package init() {}

  /// When `time` is wanted; nil: not before something else happens.
  package var deadlineNanoseconds: Int64? {
    switch state {
    case .lacking(let again), .refused(let again):
      forgetNanoseconds.map { min($0, again) } ?? again
    case .idle, .absent, .asking, .claiming, .claimed: forgetNanoseconds
    }
  }

  package mutating func take(_ event: Event, atNanoseconds now: Int64) -> [Action] {
    let before = (orientation, isForbidden)
    var actions = step(event, atNanoseconds: now)
    if before != (orientation, isForbidden) { actions.append(.tell) }
    return actions
  }

  private mutating func step(_ event: Event, atNanoseconds now: Int64) -> [Action] {
    switch event {
    case .wanted:
      guard state == .idle else { return [] }
      state = .absent
      return owner == nil ? [] : begin()
    case .unwanted:
      let held = state == .claimed || state == .claiming
      state = .idle
      // Not followed meanwhile.
      owner = nil
      orientation = nil
      isForbidden = false
      forgetNanoseconds = nil
      return held ? [.release] : [.forget]
    case .owner(let new):
      guard state != .idle, new != owner else { return [] }
      owner = new
      isForbidden = false
      guard new == nil else { return [.forget] + begin() }
      state = .absent
      if orientation != nil { forgetNanoseconds = now + Self.farewellNanoseconds }
      return [.forget]
    case .accelerometer(let isThere):
      return accelerometer(isThere, atNanoseconds: now)
    case .claimed:
      guard state == .claiming else { return [] }
      state = .claimed
      isForbidden = false
      let wasAmiss = complaint != nil
      complaint = nil
      return (wasAmiss ? [.note("iio-sensor-proxy tells how the device is turned")] : []) + [.read]
    case .refused(let why):
      return refused(why, atNanoseconds: now)
    case .orientation(let word):
      // `undefined`: it lies flat, or was not read yet.
      guard state == .claimed, let told = Orientation(rawValue: word) else { return [] }
      orientation = told
      forgetNanoseconds = nil
      return []
    case .time:
      return passed(now)
    }
  }

  private mutating func begin() -> [Action] {
    state = .asking
    return [.ask]
  }

  private mutating func accelerometer(_ isThere: Bool, atNanoseconds now: Int64) -> [Action] {
    switch (state, isThere) {
    case (.asking, true):
      state = .claiming
      return [.claim]
    case (.asking, false):
      lack(atNanoseconds: now)
      return []
    case (.claimed, false), (.claiming, false):
      // It was unplugged. The next one is claimed when it is there.
      lack(atNanoseconds: now)
      return [.release]
    case (.idle, _), (.absent, _), (.lacking, _), (.claiming, true), (.claimed, true),
      (.refused, _):
      return []
    }
  }

  private mutating func lack(atNanoseconds now: Int64) {
    state = .lacking(againNanoseconds: now + Self.againNanoseconds)
    orientation = nil
    isForbidden = false
    forgetNanoseconds = nil
  }

  private mutating func refused(_ why: Refusal, atNanoseconds now: Int64) -> [Action] {
    switch state {
    case .idle, .absent, .lacking, .refused: return []
    // A property that could not be read is told when it changes.
    case .claimed: return []
    case .asking, .claiming: break
    }
    let wasClaiming = state == .claiming
    state = .refused(againNanoseconds: now + Self.againNanoseconds)
    let new: Complaint
    let text: String
    switch why {
    case .forbidden:
      isForbidden = wasClaiming
      new = .forbidden
      text =
        "iio-sensor-proxy does not tell this user how the device is turned; what mends it: a rule "
        + "for polkit's net.hadess.SensorProxy.claim-sensor, or 'parallax agent' in the session"
    case .failed(let words):
      isForbidden = false
      new = .failed
      text =
        "iio-sensor-proxy does not tell how the device is turned: \(words); trying again every 30 s"
    }
    let isNew = new != complaint
    complaint = new
    // A claim without an answer may have been heard.
    return [wasClaiming && !isForbidden ? .release : .forget] + (isNew ? [.warn(text)] : [])
  }

  private mutating func passed(_ now: Int64) -> [Action] {
    if let forget = forgetNanoseconds, forget <= now {
      forgetNanoseconds = nil
      orientation = nil
    }
    switch state {
    case .lacking(let again) where again <= now, .refused(let again) where again <= now:
      return begin()
    case .idle, .absent, .asking, .lacking, .claiming, .claimed, .refused:
      return []
    }
  }
}
