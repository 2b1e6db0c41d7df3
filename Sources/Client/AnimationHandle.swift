// SPDX-License-Identifier: Apache-2.0

public import ParallaxAnimation
import ParallaxBase
public import ParallaxDocuments
public import ParallaxProtocol

/// An animation that the daemon plays. A gesture can pause it, move it along its path and release it.
///
///     let drawer = try await AnimationHandle.play(
///       .move(by: PixelOffset(x: 300, y: 0)), layer: "drawer", isPaused: true)
///     drawer.scrub(toFraction: 0.3)
///     try await drawer.continue(curve: .snappy, velocity: .init(x: 900, y: 0))
///
/// The daemon plays animations for privileged users only. The animation is cancelled when the handle is
/// released, unless it is detached: it eases back to where it started. The states are those of UIKit's
/// `UIViewPropertyAnimator`; an action that the state does not allow throws and changes nothing.
public final class AnimationHandle: Sendable {
  /// Why an animation does not play, or does not change.
  public typealias Failure = RequestFailure

  /// The id of the animation, as in ANIMATION lines.
  public let id: String
  /// The layer whose animation the handle changes; nil: every one with the id.
  public let layer: String?
  /// When it started, on CLOCK_MONOTONIC. nil: it is not known, because the handle is attached or the daemon is
  /// older than protocol 1.7.
  public let startTime: MonotonicInstant?
  /// Whether it plays on without this handle.
  public let isDetached: Bool
  /// The events of the animation, at most the newest 64 that have not been read. It ends with the
  /// animation or the connection. A detached animation has none.
  public let events: AsyncStream<AnimationMessage>

  let link: ControlLink

  private init(
    id: String, layer: String?, startTime: MonotonicInstant?, isDetached: Bool, link: ControlLink,
    events: AsyncStream<AnimationMessage>
  ) {
    self.id = id
    self.layer = layer
    self.startTime = startTime
    self.isDetached = isDetached
    self.link = link
    self.events = events
  }

  deinit { link.close() }

  // MARK: - Playing

  /// Starts an animation, and returns when the daemon has found and read it.
  ///
  /// - Parameters:
  ///   - subject: What to play.
  ///   - layer: The layer to move. Default nil: the document's, or else all layers.
  ///   - name: The id of the animation. Default nil: that of the document.
  ///   - variables: The values of the document's variables, or of a Lottie file's slots, by name. Default: those
  ///     in the document.
  ///   - isPaused: Whether it waits at its start. Default: false.
  ///   - pausesAtEnd: Whether it pauses at an end instead of ending. Default: false.
  ///   - isDetached: Whether it plays on when the handle is released. Default: false.
  ///   - controlPath: The daemon's control socket. Default nil: PARALLAX_CONTROL if it is set, else
  ///     the first on which a daemon listens, of the user's and the system's.
  public static func play(
    _ subject: Subject, layer: String? = nil, name: String? = nil,
    variables: [String: DocumentValue] = [:], isPaused: Bool = false, pausesAtEnd: Bool = false,
    isDetached: Bool = false, controlPath: String? = nil
  ) async throws(Failure) -> AnimationHandle {
    try await start(
      PlayRequest(
        try subject.request(), layer: layer, isDetached: isDetached, name: name,
        isPaused: isPaused, pausesAtEnd: pausesAtEnd,
        variables: try JSONValue(ofVariables: variables)), controlPath)
  }

  /// Starts an animation that is written in Swift.
  ///
  /// - Parameters:
  ///   - animation: The animation. `AnimationDocument` adds what plays under reduced motion, and several layers:
  ///     `.animation(AnimationDocument(...))`.
  ///   - layer: The layer to move. Default nil: all layers.
  ///   - name: The id of the animation. Default nil: `document`.
  ///   - isPaused: Whether it waits at its start. Default: false.
  ///   - pausesAtEnd: Whether it pauses at an end instead of ending. Default: false.
  ///   - isDetached: Whether it plays on when the handle is released. Default: false.
  ///   - controlPath: The daemon's control socket. Default nil: PARALLAX_CONTROL if it is set, else
  ///     the first on which a daemon listens, of the user's and the system's.
  public static func play(
    _ animation: Animation, layer: String? = nil, name: String? = nil, isPaused: Bool = false,
    pausesAtEnd: Bool = false, isDetached: Bool = false, controlPath: String? = nil
  ) async throws(Failure) -> AnimationHandle {
    try await play(
      .animation(AnimationDocument(animation)), layer: layer, name: name, isPaused: isPaused,
      pausesAtEnd: pausesAtEnd, isDetached: isDetached, controlPath: controlPath)
  }

  /// Starts a chain, and returns when the daemon has found and read its first part. The actions change the part
  /// that plays.
  ///
  /// - Parameters:
  ///   - chain: The parts and how they follow each other.
  ///   - layer: The layer to move, for parts without one. Default nil: that of each document, or else all layers.
  ///   - name: The id of the chain. Default nil: `chain`.
  ///   - isPaused: Whether the first part waits at its start. Default: false.
  ///   - pausesAtEnd: Whether each part pauses at an end instead of ending. Default: false.
  ///   - isDetached: Whether it plays on when the handle is released. Default: false.
  ///   - controlPath: The daemon's control socket. Default nil: PARALLAX_CONTROL if it is set, else
  ///     the first on which a daemon listens, of the user's and the system's.
  public static func play(
    _ chain: AnimationChain, layer: String? = nil, name: String? = nil, isPaused: Bool = false,
    pausesAtEnd: Bool = false, isDetached: Bool = false, controlPath: String? = nil
  ) async throws(Failure) -> AnimationHandle {
    try await start(
      PlayRequest(
        try chain.request(), layer: layer, isDetached: isDetached, name: name,
        isPaused: isPaused, pausesAtEnd: pausesAtEnd), controlPath)
  }

  /// Returns a handle of an animation that this user has begun before, such as a detached one. It plays on when
  /// the handle is released. If there is none with the id, the actions throw.
  ///
  /// - Parameters:
  ///   - id: The id in ANIMATION lines.
  ///   - layer: Change only the animation on this layer. Default nil: every one with the id.
  ///   - controlPath: The daemon's control socket. Default nil: PARALLAX_CONTROL if it is set, else
  ///     the first on which a daemon listens, of the user's and the system's.
  public static func attached(
    to id: String, layer: String? = nil, controlPath: String? = nil
  ) throws(Failure) -> AnimationHandle {
    let (link, events) = try connect(controlPath)
    return AnimationHandle(
      id: id, layer: layer, startTime: nil, isDetached: true, link: link, events: events)
  }

  private static func start(
    _ request: PlayRequest, _ controlPath: String?
  ) async throws(Failure) -> AnimationHandle {
    let (link, events) = try connect(controlPath)
    do {
      let ack = try await link.acknowledge(.play(request))
      return AnimationHandle(
        id: ack.id ?? request.name ?? "", layer: nil, startTime: ack.time,
        isDetached: request.isDetached, link: link, events: events)
    } catch {
      link.close()
      throw error
    }
  }

  private static func connect(
    _ path: String?
  ) throws(Failure) -> (ControlLink, AsyncStream<AnimationMessage>) {
    let (events, continuation) = AsyncStream.makeStream(
      of: AnimationMessage.self, bufferingPolicy: .bufferingNewest(64))
    do throws(ParallaxError) {
      let paths = SocketPath.candidates(.control, explicit: path)
      return (try ControlLink(toFirstOf: paths, events: continuation), events)
    } catch {
      throw .connection(error)
    }
  }

  /// Cancels it: it eases back to where it started. Unless it is detached, the connection ends.
  public func cancel() {
    guard isDetached else { return link.close() }
    link.send(.stop(id: id)) { _ in }
  }
}
