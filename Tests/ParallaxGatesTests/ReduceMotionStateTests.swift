// SPDX-License-Identifier: Apache-2.0

import ParallaxGates
import Testing

@Suite struct ReduceMotionStateTests {
  typealias Key = ReduceMotionState.Key

  struct Case: Sendable {
    var reducedMotion: Key
    var animations: Key
    var verdict: ReduceMotionSource?
  }

  @Test(arguments: [
    Case(reducedMotion: .value(true), animations: .unknown, verdict: .portal),
    Case(reducedMotion: .value(true), animations: .value(true), verdict: .portal),
    Case(reducedMotion: .value(false), animations: .value(false), verdict: nil),
    Case(reducedMotion: .value(false), animations: .absent, verdict: nil),
    Case(reducedMotion: .absent, animations: .value(false), verdict: .gnome),
    Case(reducedMotion: .absent, animations: .value(true), verdict: nil),
    Case(reducedMotion: .absent, animations: .absent, verdict: nil),
    Case(reducedMotion: .absent, animations: .unknown, verdict: nil),
    Case(reducedMotion: .unknown, animations: .value(false), verdict: nil),
    Case(reducedMotion: .unknown, animations: .unknown, verdict: nil),
  ])
  func reducedMotionTakesPrecedenceOverAnimations(_ test: Case) {
    for isFirst in [true, false] {
      var state = ReduceMotionState()
      if isFirst { state.reducedMotion = test.reducedMotion }
      state.animations = test.animations
      state.reducedMotion = test.reducedMotion
      #expect(state.verdict == test.verdict)
      #expect(!state.isHeld)
    }
  }

  @Test(arguments: [
    (Key.value(true), Key.unknown, ReduceMotionSource.portal),
    (.absent, .value(false), .gnome),
  ])
  func theVerdictHoldsUntilTheNextReadingOrABusWithoutAPortal(
    _ reducedMotion: Key, _ animations: Key, _ source: ReduceMotionSource
  ) {
    var state = ReduceMotionState()
    state.reducedMotion = reducedMotion
    state.animations = animations
    state.portalLost()
    #expect(state.verdict == source)
    #expect(state.isHeld)
    var returned = state
    returned.animations = .value(true)
    #expect(returned.verdict == source)
    returned.reducedMotion = .absent
    #expect(returned.verdict == nil)
    returned = state
    returned.reducedMotion = .value(false)
    #expect(returned.verdict == nil)
    state.portalAbsent()
    #expect(state.verdict == nil)
    #expect(!state.isHeld)
  }

  @Test func aPortalWithoutAVerdictLeavesTheGateOpen() {
    var state = ReduceMotionState()
    state.reducedMotion = .value(false)
    state.portalLost()
    #expect(state.verdict == nil)
    #expect(!state.isHeld)
  }

  @Test(arguments: [(Key.silent, Key.unknown), (.silent, .value(true)), (.absent, .silent)])
  func aPortalThatHasNeverAnsweredReducesMotion(_ reducedMotion: Key, _ animations: Key) {
    var state = ReduceMotionState()
    state.reducedMotion = reducedMotion
    state.animations = animations
    #expect(state.verdict == .portal)
    #expect(state.isSilent && state.isHeld)
    #expect(state.note == "the portal does not answer; motion is reduced until it does")
    // Nothing was known, and now there is no portal.
    var gone = state
    gone.portalLost()
    #expect(gone.verdict == nil)
    // A second portal in its place has not answered yet either.
    state.portalReplaced()
    #expect(state.verdict == .portal)
    state.reducedMotion = .value(false)
    #expect(state.verdict == nil && state.note == nil)
  }

  @Test(arguments: [true, false])
  func whatASilentPortalLastReportedHolds(isReduced: Bool) {
    var state = ReduceMotionState()
    state.reducedMotion = .value(isReduced)
    state.portalReplaced()
    state.reducedMotion = .silent
    #expect(state.verdict == (isReduced ? .portal : nil))
    #expect(state.isSilent)
    #expect(state.isHeld == isReduced)
    #expect(state.note?.contains("as it last reported") == true)
    // A bus without a portal: what it reported no longer counts.
    state.portalAbsent()
    state.reducedMotion = .silent
    #expect(state.verdict == .portal)
  }
}
