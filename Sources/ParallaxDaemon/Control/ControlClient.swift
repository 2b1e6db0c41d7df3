import ParallaxMotion
package import ParallaxSystem
import ParallaxWire

/// One connection to the control socket, with what lasts as long as it does.
package final class ControlClient: LineClient {
  package let channel: LineChannel
  package let peer: PeerCredentials

  /// What a recording is at.
  enum Recording {
    case none
    /// Asked for; the source is not streaming yet.
    case waiting(RequestTag?)
    /// Samples go out.
    case running
  }

  var recording = Recording.none
  var inhibits: InhibitReason?
  var agent = AgentState()
  /// Animations that it waits for: being fetched, or playing.
  private var awaitedPlays = 0
  private var hasInputEnded = false
  private weak var service: ControlService?

  /// Whether something ends with this connection.
  private var isLasting: Bool {
    isRecording || inhibits != nil || agent != AgentState() || awaitedPlays > 0
  }

  /// What this connection said as an agent.
  struct AgentState: Equatable {
    var reduceMotion: Bool?
    var orientation: Orientation?
    /// Whether it hears WANTED.
    var hearsWanted = false
    /// The last WANTED that it was sent.
    var wanted: WantedMessage?

    /// Whether it says anything about its user.
    var isTelling: Bool { reduceMotion != nil || orientation != nil }
  }

  var isRecording: Bool {
    if case .none = recording { false } else { true }
  }

  init(channel: LineChannel, peer: PeerCredentials, service: ControlService) {
    self.channel = channel
    self.peer = peer
    self.service = service
  }

  package func inputEnded(atNanoseconds now: Int64) {
    channel.endInput(atNanoseconds: now) { answer($0, atNanoseconds: now) }
    hasInputEnded = true
    closeIfDone()
    settle(atNanoseconds: now)
  }

  /// Nothing more can come of a connection that holds nothing: `nc -N` need not wait.
  private func closeIfDone() {
    if hasInputEnded, !isLasting { channel.closeWhenEmpty() }
  }

  // -- Animations

  func awaitPlay() { awaitedPlays += 1 }

  func endPlay() {
    awaitedPlays -= 1
    closeIfDone()
  }

  func answer(_ request: [UInt8], atNanoseconds now: Int64) {
    service?.answer(request, from: self, atNanoseconds: now)
  }

  func settle(atNanoseconds now: Int64) {
    service?.settle(atNanoseconds: now)
  }
}
