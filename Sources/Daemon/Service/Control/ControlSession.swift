// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase
import ParallaxMotion
import ParallaxProtocol

/// One connection to the control socket, with the state that ends with it.
package final class ControlSession: LineClient, RosterClient {
  package let channel: LineChannel
  package let peer: PeerCredentials
  /// Increases with each connection.
  let number: UInt64
  var place = 0

  /// The progress of a recording.
  enum Recording {
    case none
    /// Requested; the source is not streaming yet.
    case waiting(RequestTag?)
    /// Samples are being sent, of the source with this driver and name.
    case running(driver: String, name: String?)
  }

  /// Whether it counts against the limits on connections.
  var isCounted = false
  var recording = Recording.none {
    didSet {
      let was = if case .none = oldValue { false } else { true }
      service?.recordings += (isRecording ? 1 : 0) - (was ? 1 : 0)
    }
  }
  /// Whether its samples are the source of motion.
  var isFeeding = false
  /// The state of its user while it records.
  var recordingUser: UserState?
  /// Whether its recording got samples when it was informed last.
  var wasRecordingOpen = true
  /// The reason of its INHIBIT; nil if it does not inhibit motion.
  var inhibitReason: InhibitReason?
  var agent = AgentState()
  /// The number of animations that it waits for: being fetched, or playing.
  private var awaitedPlays = 0
  /// The state of its user while an animation of its own plays.
  private(set) var playUser: UserState?
  private var ownPlays = 0
  private weak var service: ControlService?

  /// Whether it holds something that ends with the connection. A feed is over when no more samples can arrive.
  private var holdsState: Bool {
    isRecording || inhibitReason != nil || agent != AgentState() || awaitedPlays > 0
  }

  /// The reports of this connection as an agent.
  struct AgentState: Equatable {
    var reduceMotion: Bool?
    var orientation: Orientation?
    /// Whether it receives WANTED.
    var receivesWanted = false
    /// The last WANTED that it was sent.
    var lastWanted: WantedMessage?

    /// Whether it has reported anything about its user.
    var hasReport: Bool { reduceMotion != nil || orientation != nil }
  }

  /// Whether its recording gets samples now.
  var isRecordingOpen: Bool { recordingUser?.isOpen ?? false }

  var isRecording: Bool {
    if case .none = recording { false } else { true }
  }

  init(
    channel: LineChannel, peer: PeerCredentials, number: UInt64, service: ControlService
  ) {
    self.number = number
    self.channel = channel
    self.peer = peer
    self.service = service
  }

  func linesHandled() {
    if isFeeding { service?.feed.deliver() }
    closeIfDone()
  }

  /// Closes a connection that will not receive anything more, so that `nc -N` does not wait.
  private func closeIfDone() {
    if channel.isInputDone, !holdsState { channel.closeWhenEmpty() }
  }

  // MARK: - Animations

  var awaitsPlays: Bool { awaitedPlays > 0 }

  func awaitPlay() { awaitedPlays += 1 }

  func endPlay() {
    awaitedPlays -= 1
    closeIfDone()
  }

  /// Takes note that an animation of this connection plays.
  func beginOwnPlay() {
    ownPlays += 1
    if playUser == nil { playUser = service?.hub.enter(uid: peer.userID) }
  }

  func endOwnPlay() {
    ownPlays -= 1
    if ownPlays == 0 { leavePlayUser() }
  }

  func leavePlayUser() {
    if let playUser { service?.hub.leave(playUser) }
    playUser = nil
  }

  func answer(_ request: [UInt8], at now: MotionInstant) {
    service?.answer(request, from: self, at: now)
  }

  func settle(at now: MotionInstant) {
    service?.settle(at: now)
  }
}
