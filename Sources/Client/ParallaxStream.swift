// SPDX-License-Identifier: Apache-2.0

public import ParallaxProtocol

/// A connection to `parallaxd`: an asynchronous sequence of the daemon's messages.
///
/// A stream connects as soon as it is created:
///
///     let stream = ParallaxStream(watch: WatchMessage(layers: [.init(name: "bg", depth: 0.2)]))
///     for try await message in stream {
///       if case .offset(let offset) = message {
///         print(offset.x, offset.y)
///       }
///     }
///
/// A program that draws its own frames need not iterate. It asks for the offset at an instant:
///
///     if let offset = stream.offset(at: .now), let background = offset.layer("bg") {
///       draw(background.x, background.y)
///     }
///
/// A program with an event loop of its own sets `Configuration.onMessage`, and needs no task.
///
/// If no daemon is running, the stream waits for one. When the daemon restarts, the stream reconnects
/// and repeats its requests. `Configuration.reconnection` changes this.
///
/// ## Slow readers
///
/// Memory use is bounded. For a slow reader, the stream keeps only the newest OFFSETs
/// (`Configuration.bufferedOffsets`), and adds the number of lost ones to the next one's `dropped`.
///
/// ## The end of a stream
///
/// A stream ends when `close()` is called, when its last reference is released, or when a task that
/// waits for its next message is cancelled; the iteration then ends without an error. Each message
/// goes to one reader. For several readers, create several streams.
public final class ParallaxStream: AsyncSequence, Sendable {
  /// A message from the daemon.
  public typealias Element = StreamMessage
  /// The reason why the stream ended by itself.
  public typealias Failure = ParallaxError

  /// The configuration of a stream.
  public struct Configuration: Sendable {
    /// The path of the daemon's socket. Default nil: PARALLAX_SOCKET if it is set, else the first on
    /// which a daemon listens, of the user's and the system's.
    public var socketPath: String?
    /// The request to send on connecting. Default nil: none; OFFSETs then come at the daemon's rate,
    /// with the configured layers.
    public var watch: WatchMessage?
    /// What to do without a daemon. Default: retry.
    public var reconnection: ReconnectionPolicy
    /// The maximum number of OFFSETs that wait for a slow reader; more drop the oldest. Default 16, at
    /// least 1.
    public var bufferedOffsets: Int
    /// Receives each message as it arrives, on the stream's own thread; for programs with an event loop
    /// of their own, which it can wake. It must return soon. Default nil.
    public var onMessage: (@Sendable (StreamMessage) -> Void)?
    /// Receives each change of the connection's state, on the stream's own thread, in the order of the
    /// messages. Default nil.
    public var onState: (@Sendable (ConnectionState) -> Void)?
    /// Receives the end of the stream, on any thread: the error that ended it, or nil. Default nil.
    public var onEnd: (@Sendable (ParallaxError?) -> Void)?
    /// Receives each line as it arrives, without its line feed, before its message; on the stream's own
    /// thread. Default nil.
    package var onLine: (@Sendable (ArraySlice<UInt8>) -> Void)?
    /// Receives nil when a connection is made, and the error when one is lost or cannot be made; on the
    /// stream's own thread. Default nil.
    package var onLink: (@Sendable (ParallaxError?) -> Void)?

    /// Creates a configuration.
    public init(
      socketPath: String? = nil, watch: WatchMessage? = nil,
      reconnection: ReconnectionPolicy = .standard, bufferedOffsets: Int = 16
    ) {
      self.socketPath = socketPath
      self.watch = watch
      self.reconnection = reconnection
      self.bufferedOffsets = bufferedOffsets
    }
  }

  /// The state of the connection.
  public enum ConnectionState: Equatable, Sendable {
    /// The stream is trying to connect.
    case connecting
    /// The stream is connected.
    case connected
    /// No daemon answered; the stream waits before it tries again.
    case waiting
    /// The stream has ended.
    case closed
  }

  private let core: StreamCore

  /// Connects to a daemon.
  ///
  /// Returns at once. The iteration throws errors: with `ReconnectionPolicy.never`, if there is no
  /// daemon or its connection ends; always, if its protocol has another major version.
  public init(_ configuration: Configuration = Configuration()) {
    core = StreamCore(configuration)
    core.start()
  }

  /// Connects to the first socket on which a daemon listens, and sends a request.
  public convenience init(watch: WatchMessage) {
    self.init(Configuration(watch: watch))
  }

  deinit {
    core.stop()
  }

  /// The current state of the connection.
  public var connectionState: ConnectionState { core.connection }

  /// Requests another rate, other layers and so on; fields that are nil keep their values.
  ///
  /// The daemon echoes what it accepted as a `StreamMessage.watch`, or answers with a
  /// `StreamMessage.error`. The stream repeats the request on every new connection.
  public func send(_ watch: WatchMessage) {
    core.send(watch)
  }

  /// Requests DEVICE, GATE and OFFSET once; they arrive as messages. Has no effect without a
  /// connection: a new one begins with these messages anyway.
  public func poll() {
    core.poll()
  }

  /// Returns the offset at an instant, interpolated between the received frames or extrapolated from
  /// the last ones; nil before the first. It works without iterating. See `OffsetTimeline`.
  ///
  /// - Parameters:
  ///   - instant: Usually the time at which the drawn picture becomes visible.
  ///   - ahead: How long before that the picture is drawn. Default 0.
  public func offset(at instant: MonotonicInstant, ahead: Duration = .zero) -> ParallaxOffset? {
    core.timeline.offset(at: instant, ahead: ahead)
  }

  /// Returns where the picture is within the range at an instant, with its animations, -1...1 on each axis;
  /// nil before the first frame. It works without iterating. See `OffsetTimeline.fraction(at:ahead:)`.
  ///
  /// - Parameters:
  ///   - instant: Usually the time at which the drawn picture becomes visible.
  ///   - ahead: How long before that the picture is drawn. Default 0.
  public func fraction(
    at instant: MonotonicInstant, ahead: Duration = .zero
  ) -> (x: Double, y: Double)? {
    core.timeline.fraction(at: instant, ahead: ahead)
  }

  /// Ends the stream. Messages received before can still be read.
  public func close() {
    core.stop()
  }

  /// Returns an iterator over the messages.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(stream: self)
  }

  /// Reads the messages of a stream and keeps it alive.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let stream: ParallaxStream

    /// Returns the next message; nil at the end of the stream or if the task is cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(ParallaxError) -> StreamMessage? {
      try await stream.core.next()
    }

    /// Returns the next message; nil at the end of the stream or if the task is cancelled.
    public mutating func next() async throws(ParallaxError) -> StreamMessage? {
      try await stream.core.next()
    }
  }
}
