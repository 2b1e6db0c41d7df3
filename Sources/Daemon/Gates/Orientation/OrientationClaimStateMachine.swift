// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase
package import ParallaxMotion

/// The claim on iio-sensor-proxy's accelerometer (net.hadess.SensorProxy): when to make it, when to
/// release it, and what its answers mean.
///
/// Pure: time is an argument, on CLOCK_MONOTONIC. A claim makes the proxy read its accelerometer every
/// 0.7 s and report it to the claiming program, so it is held only while the orientation is requested.
/// At most one call is open; an answer to an earlier call is ignored.
package struct OrientationClaimStateMachine: Equatable, Sendable {
  package enum Event: Equatable, Sendable {
    /// The orientation is requested from now on.
    case requested
    /// The orientation is no longer needed.
    case unrequested
    /// The proxy's unique name; nil if no program owns the well-known name.
    case owner(String?)
    /// `HasAccelerometer`: an answer, or a change.
    case accelerometer(Bool)
    /// The proxy has accepted the claim.
    case claimed
    /// A call failed.
    case failed(ClaimError)
    /// `AccelerometerOrientation`: an answer, or a change.
    case orientation(String)
    /// The deadline may have passed.
    case time
  }

  /// Why a call failed.
  package enum ClaimError: Error, Equatable, Sendable {
    /// This session may not claim: version 3.4 and later serve only the active session (polkit).
    case forbidden
    /// Any other error, with its text; includes a missing answer.
    case other(String)
  }

  package enum Action: Equatable, Sendable {
    /// Read `HasAccelerometer`.
    case readHasAccelerometer
    /// Subscribe to the properties, then claim.
    case claim
    /// Read `AccelerometerOrientation`.
    case readOrientation
    /// Release the claim, cancel the open call and unsubscribe.
    case release
    /// Cancel the open call and unsubscribe; there is no claim to release.
    case cancel
    /// `orientation` or `isForbidden` has changed.
    case notify
    /// Log a warning.
    case warn(String)
    /// Log a notice.
    case note(String)
  }

  package enum State: Equatable, Sendable {
    /// The orientation is not requested.
    case idle
    /// Requested, but the proxy is not running.
    case absent
    /// `HasAccelerometer` is being read.
    case reading
    /// The proxy has no accelerometer; reads again at `retry`.
    case lacking(retry: MotionInstant)
    /// The claim is sent but not answered.
    case claiming
    /// The claim is held.
    case claimed
    /// A call failed; starts over at `retry`.
    case refused(retry: MotionInstant)
  }

  /// Time from a failure to the next attempt: by then the session may be the active one, or a sensor
  /// may be plugged in.
  package static let retryPause: MotionDuration = .seconds(30)
  /// How long the orientation stays known after the proxy exits, in case it only restarts.
  package static let retention: MotionDuration = .seconds(5)

  package private(set) var state = State.idle
  /// The device's orientation; nil while it is unknown.
  package private(set) var orientation: Orientation?
  /// Whether there is an accelerometer that this session may not claim; a session agent may be able
  /// to.
  package private(set) var isForbidden = false

  private var owner: String?
  /// When the orientation of a proxy that has exited becomes unknown.
  private var expiry: MotionInstant?
  /// The kind of error logged last; nil after a success.
  private var lastWarning: Warning?

  private enum Warning: Equatable {
    case forbidden, other
  }

  package init() {}

  /// The instant at which `.time` is due; nil if only another event can change anything.
  package var deadline: MotionInstant? {
    switch state {
    case .lacking(let retry), .refused(let retry): MotionInstant.earlier(expiry, retry)
    case .idle, .absent, .reading, .claiming, .claimed: expiry
    }
  }

  /// Returns what to do about `event`, in order.
  package mutating func handle(_ event: Event, at now: MotionInstant) -> [Action] {
    let before = (orientation, isForbidden)
    var actions = step(event, at: now)
    if before != (orientation, isForbidden) { actions.append(.notify) }
    return actions
  }

  private mutating func step(_ event: Event, at now: MotionInstant) -> [Action] {
    switch event {
    case .requested:
      guard state == .idle else { return [] }
      state = .absent
      return owner == nil ? [] : start()
    case .unrequested:
      let isHeld = state == .claimed || state == .claiming
      state = .idle
      // The owner is not followed while idle.
      owner = nil
      orientation = nil
      isForbidden = false
      expiry = nil
      return isHeld ? [.release] : [.cancel]
    case .owner(let newOwner):
      guard state != .idle, newOwner != owner else { return [] }
      owner = newOwner
      isForbidden = false
      guard newOwner == nil else { return [.cancel] + start() }
      state = .absent
      if orientation != nil { expiry = now + Self.retention }
      return [.cancel]
    case .accelerometer(let isPresent):
      return handleAccelerometer(isPresent, at: now)
    case .claimed:
      guard state == .claiming else { return [] }
      state = .claimed
      isForbidden = false
      let isRecovered = lastWarning != nil
      lastWarning = nil
      return (isRecovered ? [.note("iio-sensor-proxy reports the device's orientation again")] : [])
        + [.readOrientation]
    case .failed(let error):
      return handle(error, at: now)
    case .orientation(let word):
      // `undefined`: the device lies flat, or there is no reading yet.
      guard state == .claimed, let reported = Orientation(rawValue: word) else { return [] }
      orientation = reported
      expiry = nil
      return []
    case .time:
      return handleTime(now)
    }
  }

  private mutating func start() -> [Action] {
    state = .reading
    return [.readHasAccelerometer]
  }

  private mutating func handleAccelerometer(
    _ isPresent: Bool, at now: MotionInstant
  ) -> [Action] {
    switch (state, isPresent) {
    case (.reading, true):
      state = .claiming
      return [.claim]
    case (.reading, false):
      enterLacking(at: now)
      return []
    case (.claimed, false), (.claiming, false):
      // Unplugged.
      enterLacking(at: now)
      return [.release]
    case (.idle, _), (.absent, _), (.lacking, _), (.claiming, true), (.claimed, true),
      (.refused, _):
      return []
    }
  }

  private mutating func enterLacking(at now: MotionInstant) {
    state = .lacking(retry: now + Self.retryPause)
    orientation = nil
    isForbidden = false
    expiry = nil
  }

  private mutating func handle(_ error: ClaimError, at now: MotionInstant) -> [Action] {
    switch state {
    case .idle, .absent, .lacking, .refused: return []
    // Only a property could not be read; its next change is reported.
    case .claimed: return []
    case .reading, .claiming: break
    }
    let wasClaiming = state == .claiming
    state = .refused(retry: now + Self.retryPause)
    let warning: Warning
    let text: String
    switch error {
    case .forbidden:
      isForbidden = wasClaiming
      warning = .forbidden
      text =
        "iio-sensor-proxy does not report the device's orientation to this user; add a polkit rule "
        + "for net.hadess.SensorProxy.claim-sensor, or run 'parallax agent' in the session"
    case .other(let reason):
      isForbidden = false
      warning = .other
      text =
        "iio-sensor-proxy does not report the device's orientation: \(reason); retrying every 30 s"
    }
    let isNew = warning != lastWarning
    lastWarning = warning
    // An unanswered claim may have been accepted.
    return [wasClaiming && !isForbidden ? .release : .cancel] + (isNew ? [.warn(text)] : [])
  }

  private mutating func handleTime(_ now: MotionInstant) -> [Action] {
    if let expiry, expiry <= now {
      self.expiry = nil
      orientation = nil
    }
    switch state {
    case .lacking(let retry) where retry <= now, .refused(let retry) where retry <= now:
      return start()
    case .idle, .absent, .reading, .lacking, .claiming, .claimed, .refused:
      return []
    }
  }
}
