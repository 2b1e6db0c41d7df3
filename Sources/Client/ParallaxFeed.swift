// SPDX-License-Identifier: Apache-2.0

import ParallaxMotion
public import ParallaxProtocol
import Synchronization

/// Sends the samples of a gyroscope to the daemon, which uses them in place of its own sensor's.
///
///     let feed = ParallaxFeed(.init(name: "Pixel 8", rateHertz: 60))
///     feed.send([.init(time: time, x: 0.01, y: -0.2, z: 0)])
///
/// A feed connects as soon as it is created, on a thread of its own. If no daemon is running, it waits for
/// one; when the daemon restarts, it connects again. Only one program feeds at a time, and only privileged
/// users may: the owner of the daemon, and the group that its configuration names.
///
/// Samples are live, so none are kept for later. The feed discards them while no daemon is running, or while
/// the daemon is busy. The daemon discards them while no subscriber needs them; `isUsed` is then false. The
/// feed ends when it is closed or released, or when the daemon refuses it.
public final class ParallaxFeed: Sendable {
  /// The clock of the samples' times.
  public enum Clock: Sendable {
    /// Any clock of the sender that runs at about the right pace. The daemon maps it to its own.
    case sender
    /// CLOCK_MONOTONIC of this machine. The daemon keeps these times.
    case monotonic
  }

  /// The configuration of a feed.
  public struct Configuration: Sendable {
    /// The name of the device, 1 to 64 bytes of printable text. The daemon stores a bias under it.
    public var name: String
    /// The clock of the samples' times. Default: `sender`.
    public var clock: Clock
    /// The nominal number of samples per second, in Hz, up to 10,000. Default nil: not known.
    public var rateHertz: Double?
    /// The rotation from the frame of the samples to the device's, whose x points right, y up and z to the
    /// viewer: nine numbers, row by row. Default nil: they are the same.
    public var mountMatrix: [Double]?
    /// The daemon's control socket. Default nil: PARALLAX_CONTROL if it is set, else the first on which a
    /// daemon listens, of the user's and the system's.
    public var controlPath: String?
    /// What to do without a daemon. Default: retry.
    public var reconnection: ReconnectionPolicy

    /// Creates a configuration.
    public init(
      name: String, clock: Clock = .sender, rateHertz: Double? = nil, mountMatrix: [Double]? = nil,
      controlPath: String? = nil, reconnection: ReconnectionPolicy = .standard
    ) {
      self.name = name
      self.clock = clock
      self.rateHertz = rateHertz
      self.mountMatrix = mountMatrix
      self.controlPath = controlPath
      self.reconnection = reconnection
    }
  }

  /// A sample: the angular rates about the three axes.
  public struct Sample: Equatable, Sendable {
    /// Its time on the clock of the feed, not before zero. Default nil: the time at which it arrives.
    public var time: MonotonicInstant?
    /// The rate about x, in rad/s, counterclockwise as seen from the axis' end.
    public var x: Double
    /// The rate about y, in rad/s.
    public var y: Double
    /// The rate about z, in rad/s.
    public var z: Double

    /// Creates a sample, in rad/s.
    public init(time: MonotonicInstant? = nil, x: Double, y: Double, z: Double) {
      self.time = time
      self.x = x
      self.y = y
      self.z = z
    }
  }

  /// An event of the feed.
  public enum Event: Equatable, Sendable {
    /// The daemon takes samples from now on.
    case connected
    /// The daemon's device has changed: with the driver `feed`, it is this one.
    case device(DeviceMessage)
    /// The daemon did not use samples, and why; the feed continues.
    case rejected(ErrorMessage)
    /// The connection is lost, or could not be made; the feed tries again.
    case disconnected(ParallaxError)
    /// The feed has ended, and why; nil: it was closed. No event follows.
    case ended(RequestFailure?)
  }

  /// The events of the feed. It keeps at most the newest 64 that were not read.
  public let events: AsyncStream<Event>

  private let link: Link

  /// Connects to a daemon. Returns at once; an error is the event `ended`.
  public init(_ configuration: Configuration) {
    let (events, continuation) = AsyncStream.makeStream(
      of: Event.self, bufferingPolicy: .bufferingNewest(64))
    self.events = events
    link = Link(configuration, events: continuation)
  }

  deinit { link.close() }

  /// The daemon's device, as far as it is known; nil without a connection.
  public var device: DeviceMessage? { link.device }

  /// Whether the samples move the picture at present: the daemon reads this feed, and a subscriber needs it.
  public var isUsed: Bool {
    link.device.map { $0.driver == "feed" && $0.state == .streaming } ?? false
  }

  /// Sends samples, the oldest first. Does not wait. Without a connection, they are discarded; so are those
  /// whose rates are not finite.
  public func send(_ samples: [Sample]) { link.send(samples) }

  /// Ends the feed.
  public func close() { link.close() }
}

/// The connection of a feed, which its thread keeps until it ends.
private final class Link: Sendable {
  private struct State {
    var machine: FeedStateMachine
    var device: DeviceMessage?
    /// Why the daemon has refused the feed.
    var refusal: RequestFailure?
  }

  private let state: Mutex<State>
  private let events: AsyncStream<ParallaxFeed.Event>.Continuation
  /// Fails if there is no descriptor left, or if no daemon would take the feed.
  private let thread: Result<ConnectionThread, RequestFailure>

  init(
    _ configuration: ParallaxFeed.Configuration,
    events: AsyncStream<ParallaxFeed.Event>.Continuation
  ) {
    self.events = events
    var request = FeedRequest(
      name: configuration.name,
      clock: configuration.clock == .sender ? .sender : .monotonic,
      rateHertz: configuration.rateHertz)
    var failure: RequestFailure?
    do throws(SettingError) {
      request.mountMatrix = try configuration.mountMatrix.map { entries throws(SettingError) in
        try MountMatrix(rowMajor: entries)
      }
    } catch {
      failure = .refused(ErrorMessage(message: error.message, code: .badRequest))
    }
    state = Mutex(State(machine: FeedStateMachine(request)))
    thread = Result { () throws(RequestFailure) in
      if let failure { throw failure }
      let paths = SocketPath.candidates(.control, explicit: configuration.controlPath)
      do throws(ParallaxError) {
        return try ConnectionThread(LineConnection(to: paths, policy: configuration.reconnection))
      } catch {
        throw .connection(error)
      }
    }
    start()
  }

  var device: DeviceMessage? { state.withLock { $0.device } }

  func send(_ samples: [ParallaxFeed.Sample]) {
    let requests = samples.compactMap { sample -> SampleRequest? in
      let rate = AngularRate(x: sample.x, y: sample.y, z: sample.z)
      return rate.isFinite ? SampleRequest(time: sample.time, rateRadPerSec: rate) : nil
    }
    guard !requests.isEmpty, let thread = try? thread.get() else { return }
    let lines = FeedStateMachine.lines(requests)
    // Under the lock: nothing is sent after a loss, which would reach the next connection.
    state.withLock { if $0.machine.isAccepted { thread.offer(lines) } }
  }

  func close() { (try? thread.get())?.close() }

  private func start() {
    do throws(RequestFailure) {
      let thread = try thread.get()
      do throws(ParallaxError) {
        try thread.start { self.handle($0, thread) }
      } catch {
        throw .connection(error)
      }
    } catch {
      finish(error)
    }
  }

  // MARK: - Thread

  private func handle(_ event: LineConnection.Event, _ thread: ConnectionThread) {
    let outcome = state.withLock { state in
      let outcome = state.machine.handle(event)
      switch outcome {
      case .device(let device): state.device = device
      case .lost, .ended:
        state.device = nil
        thread.discard()
      default: break
      }
      return outcome
    }
    switch outcome {
    case nil: break
    case .send(let bytes): thread.send(bytes)
    case .accepted: events.yield(.connected)
    case .device(let device): events.yield(.device(device))
    case .rejected(let error): events.yield(.rejected(error))
    case .refused(let error): refuse(.refused(error), thread)
    case .malformed: refuse(.connection(.malformed), thread)
    case .lost(let error): events.yield(.disconnected(error))
    case .ended(let error): finish(state.withLock { $0.refusal } ?? error.map { .connection($0) })
    }
  }

  private func refuse(_ failure: RequestFailure, _ thread: ConnectionThread) {
    state.withLock { $0.refusal = $0.refusal ?? failure }
    thread.close()
  }

  private func finish(_ failure: RequestFailure?) {
    events.yield(.ended(failure))
    events.finish()
  }
}
