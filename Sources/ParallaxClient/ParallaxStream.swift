public import ParallaxWire

/// The offsets of the gyroscope, as they come.
///
/// A stream connects to `parallaxd` as soon as it is made and is an asynchronous sequence of the
/// daemon's messages:
///
///     let stream = ParallaxStream(watch: WatchMessage(layers: [.init(name: "bg", depth: 0.2)]))
///     for try await message in stream {
///       if case .offset(let offset) = message {
///         print(offset.x, offset.y)
///       }
///     }
///
/// A program that draws frames of its own asks for the offset at the instant it draws for, and
/// needs not iterate at all:
///
///     if let offset = stream.offset(at: .now), let background = offset.layer("bg") {
///       draw(background.x, background.y)
///     }
///
/// While there is no daemon the stream waits for one, and it comes back to a daemon that was started
/// again, with what was asked by `send(_:)`. `Configuration.reconnection` changes that.
///
/// ## Being slow
///
/// A reader that takes messages more slowly than they come does not make the stream grow: only the
/// newest OFFSETs are kept (`Configuration.bufferedOffsets`), and the first one behind a loss has
/// the number of the lost ones added to its `dropped`.
///
/// ## Ending
///
/// The stream ends when `close()` is called, when the last reference to it goes, or when a task
/// that waits for its next message is cancelled; the iteration then ends without an error. Messages
/// go to whoever asks first: to give them to several readers, make several streams.
public final class ParallaxStream: AsyncSequence, Sendable {
  /// A message of the daemon.
  public typealias Element = StreamMessage
  /// Why the stream ended by itself.
  public typealias Failure = ParallaxError

  /// How a stream is made.
  public struct Configuration: Sendable {
    /// The daemon's socket. Nil, the default: PARALLAX_SOCKET, the user's, the system's, the first
    /// that answers.
    public var socketPath: String?
    /// What to ask of the daemon on connecting. Nil, the default: nothing, so that OFFSETs come at
    /// the daemon's rate with the layers of its configuration.
    public var watch: WatchMessage?
    /// What to do without a daemon. Default: try again.
    public var reconnection: ReconnectionPolicy
    /// OFFSETs that wait for a slow reader before the oldest is dropped; 16 by default, at least 1.
    public var bufferedOffsets: Int

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

  /// How the connection is.
  public enum ConnectionState: Equatable, Sendable {
    /// It is being made.
    case connecting
    /// It is there.
    case connected
    /// Nobody answered; it is tried again soon.
    case waiting
    /// The stream has ended.
    case closed
  }

  private let core: StreamCore

  /// Connects.
  ///
  /// This returns at once. Errors come out of the iteration: with `ReconnectionPolicy.never` that
  /// there is no daemon, and always that its protocol is of another generation.
  public init(_ configuration: Configuration = Configuration()) {
    core = StreamCore(configuration)
    core.start()
  }

  /// Connects to the first socket that answers and asks for something.
  public convenience init(watch: WatchMessage) {
    self.init(Configuration(watch: watch))
  }

  deinit {
    core.stop()
  }

  /// How the connection is now.
  public var connectionState: ConnectionState { core.connection }

  /// Asks the daemon for another rate, other layers or the like; what is nil stays as it is.
  ///
  /// The daemon echoes what it accepted as a `StreamMessage.watch`, or answers with a
  /// `StreamMessage.error`. The request is repeated on every new connection.
  public func send(_ watch: WatchMessage) {
    core.send(watch)
  }

  /// Asks for DEVICE, GATE and OFFSET once; they come as messages. Without a connection it does
  /// nothing: a new one begins with the same.
  public func poll() {
    core.poll()
  }

  /// The offset at an instant, between the frames that came or just behind the last of them; nil
  /// before the first. Messages need not be taken out for it. See `OffsetTimeline`.
  ///
  /// - Parameter instant: mostly when what is drawn now will be seen.
  public func offset(at instant: MonotonicInstant) -> ParallaxOffset? {
    core.offset(at: instant)
  }

  /// Ends the stream. Messages that were received before can still be taken out.
  public func close() {
    core.stop()
  }

  /// Begins to take messages out.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(stream: self)
  }

  /// Takes messages out of a stream and keeps it alive.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let stream: ParallaxStream

    /// The next message; nil at the end of the stream and where the task was cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(ParallaxError) -> StreamMessage? {
      try await stream.core.next()
    }

    /// The next message; nil at the end of the stream and where the task was cancelled.
    public mutating func next() async throws(ParallaxError) -> StreamMessage? {
      try await stream.core.next()
    }
  }
}
