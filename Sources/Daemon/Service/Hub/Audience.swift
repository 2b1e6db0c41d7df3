// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxGates
import ParallaxMotion

/// The users with a connection: what each of them sees, on which screen, and what all of them need.
package final class Audience {
  package private(set) var users: [UserState] = []
  /// Whether the source has streamed since it was switched on: frames from before are not shown.
  var showsMotion = false {
    didSet { for user in users { user.gain.isOn = showsMotion } }
  }
  /// The subscribers that are greeted and enabled.
  var watching = 0

  private let engine: MotionEngine
  /// The quotas of users who left within the last frames, so that connecting again does not renew them.
  private var formerQuotas: [UInt32: FrameQuota] = [:]
  private var sharedScreens = SharedScreens()
  /// How many subscribers have their own layer of that name.
  private var ownLayers: [String: Int] = [:]

  init(engine: MotionEngine) {
    self.engine = engine
  }

  // MARK: - Users

  /// Counts a connection of a user. `make` makes the state of one without others, with its quota.
  func enter(
    _ uid: UInt32, orientation: Orientation?, make: (FrameQuota) -> UserState
  ) -> UserState {
    if let user = users.first(where: { $0.uid == uid }) {
      user.connections += 1
      return user
    }
    let user = make(formerQuotas.removeValue(forKey: uid) ?? FrameQuota())
    user.connections = 1
    user.screen = orientation.map { engine.addScreen($0) }
    users.append(user)
    return user
  }

  /// Counts a connection out. With the last one, the user's state ends.
  func leave(_ user: UserState) {
    user.connections -= 1
    guard user.connections == 0 else { return }
    if let screen = user.screen { engine.remove(screen) }
    users.removeAll { $0 === user }
    // A quota that is not idle yet stays; those that are by now go.
    guard let newest = engine.latest?.time else { return }
    formerQuotas[user.uid] = user.cadence.quota
    formerQuotas = formerQuotas.filter { !$0.value.isIdle(at: newest) }
  }

  /// What the subscribers together need of the source.
  var demand: SourceStateMachine.Demand {
    var demand = SourceStateMachine.Demand.noSubscriber
    for user in users where user.counts.enabled > 0 {
      // A subscriber that has not seen the end of a closing fade still needs frames.
      if user.isOpen || user.counts.moving > 0 { return .needed }
      demand = .gated
    }
    return demand
  }

  /// Whether a subscriber sees something move without a sample: a fade, a blend, an animation.
  var needsTicks: Bool {
    let hasFrame = engine.latest != nil
    return users.contains { user in
      guard user.counts.enabled > 0 else { return false }
      if user.animations.isMoving || user.lacksAnimations { return true }
      return hasFrame && user.counts.moving > 0
        && (engine.isTurning || user.gain.isFading || user.gain.isShut)
    }
  }

  /// Whether a subscriber gets frames between those on the grid.
  var needsFineFrames: Bool { users.contains { $0.counts.fine > 0 } }

  // MARK: - Frames

  /// Shows a frame to the users whose turn it is, and gives each the gain of its gate at the frame.
  func show(_ frame: FrameStamp, pace: FramePace) {
    for user in users {
      user.gain.advance(to: frame.time)
      guard !frame.isBetween || user.counts.fine > 0 else { continue }
      if user.cadence.isDue(time: frame.time, pace: pace) {
        user.frame = picture(of: frame, for: user)
      } else if user.endsMotion(in: frame, pace: pace) {
        user.frame = UserFrame(stamp: frame, motion: .zero)
      }
    }
  }

  /// Returns the frame that a user sees: the newest one if the user's quota admits it, else the last one
  /// that was let through.
  func currentFrame(of user: UserState, pace: FramePace) -> UserFrame? {
    guard let newest = engine.latest else { return nil }
    if user.frame?.stamp != newest,
      user.cadence.admitsOutOfTurn(time: newest.time, pace: pace)
    {
      user.frame = picture(of: newest, for: user)
    }
    return user.frame
  }

  /// Takes the screens' motion at this frame for a user.
  private func picture(of stamp: FrameStamp, for user: UserState) -> UserFrame {
    var frame = UserFrame(stamp: stamp, motion: engine.motion(on: user.screen ?? .common))
    if !sharedScreens.isEmpty {
      for orientation in Orientation.allCases {
        guard let screen = sharedScreens[orientation] else { continue }
        frame[orientation] = engine.motion(on: screen)
      }
    }
    return frame
  }

  // MARK: - Screens and layers

  /// Turns every screen to the orientation that now holds for it.
  func turnScreens(_ orientations: OrientationBoard, at now: MotionInstant) {
    let common = orientations.common.orientation
    engine.turn(.common, to: common, at: now)
    for user in users {
      let own = orientations.own(user.uid)
      if own != nil, user.screen == nil { user.screen = engine.addScreen() }
      // A user without an orientation keeps the screen, turned like the common one, so that nothing
      // jumps.
      if let screen = user.screen {
        engine.turn(screen, to: own?.orientation ?? common, at: now)
      }
    }
  }

  /// Provides a screen for a subscriber with its own orientation. `leaveScreen` gives it back.
  func enterScreen(_ orientation: Orientation) {
    sharedScreens.enter(orientation) { engine.addScreen(orientation) }
  }

  func leaveScreen(_ orientation: Orientation) {
    if let screen = sharedScreens.leave(orientation) { engine.remove(screen) }
  }

  /// Counts a subscriber's own layers in or out.
  func count(_ layers: [String], by change: Int) {
    for name in layers {
      let count = (ownLayers[name] ?? 0) + change
      ownLayers[name] = count > 0 ? count : nil
    }
  }

  /// Whether a subscriber has a layer of its own with that name.
  func hasOwnLayer(_ name: String) -> Bool { ownLayers[name] != nil }
}
