// SPDX-License-Identifier: Apache-2.0

import ParallaxProtocol
import Synchronization

/// The state shared by a stream and the thread of its connection, in one `Mutex`. The thread decodes; the
/// stream reads messages and adds requests.
final class StreamCore: Sendable {
  private typealias Waiter = CheckedContinuation<Result<StreamMessage?, ParallaxError>, Never>

  private struct State {
    var queue: MessageQueue
    var timeline = OffsetTimeline()
    var connection = ParallaxStream.ConnectionState.connecting
    /// All WATCH requests merged into one, for the next connection.
    var watch: WatchMessage?
    /// Readers that found the queue empty, oldest first.
    var waiters: [(id: UInt64, continuation: Waiter)] = []
    var nextWaiter: UInt64 = 0
    /// How the stream ended; nil until then. An error is returned once, to the first reader.
    var end: Result<StreamMessage?, ParallaxError>?
  }

  private let configuration: ParallaxStream.Configuration
  private let state: Mutex<State>
  /// Fails if the system has no descriptor left.
  private let thread: Result<ConnectionThread, ParallaxError>

  init(_ configuration: ParallaxStream.Configuration) {
    self.configuration = configuration
    var initial = State(
      queue: MessageQueue(offsetLimit: configuration.bufferedOffsets), watch: configuration.watch)
    initial.timeline.request(configuration.watch?.layers)
    state = Mutex(initial)
    let paths = SocketPath.candidates(.stream, explicit: configuration.socketPath)
    thread = Result { () throws(ParallaxError) in
      try ConnectionThread(LineConnection(to: paths, policy: configuration.reconnection))
    }
  }

  // MARK: - Stream

  /// Starts the thread. If the system has no thread left, the stream ends with `noResources`.
  func start() {
    do throws(ParallaxError) {
      // The thread keeps the core alive until it ends.
      try thread.get().start { self.handle($0) }
    } catch {
      finish(.failure(error))
    }
  }

  /// Ends the stream: readers receive nil, and the thread closes the connection and ends.
  func stop() {
    close()
    finish(.success(nil))
  }

  func send(_ watch: WatchMessage) {
    state.withLock { state in
      state.watch = state.watch?.merging(watch) ?? watch
      state.timeline.request(state.watch?.layers)
      if state.connection == .connected { send(watch.line()) }
    }
  }

  func poll() {
    state.withLock { state in
      if state.connection == .connected { send(PollRequest().line()) }
    }
  }

  private func send(_ line: [UInt8]) { (try? thread.get())?.send(line) }

  private func close() { (try? thread.get())?.close() }

  var connection: ParallaxStream.ConnectionState { state.withLock { $0.connection } }

  var timeline: OffsetTimeline { state.withLock { $0.timeline } }

  func next() async throws(ParallaxError) -> StreamMessage? {
    let id = state.withLock { state in
      state.nextWaiter += 1
      return state.nextWaiter
    }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { (waiter: Waiter) in
        let ready = state.withLock { state -> Result<StreamMessage?, ParallaxError>? in
          // The reader may have requested other layers since the message arrived.
          if let message = state.queue.popFirst() {
            return .success(state.timeline.completed(message))
          }
          if let end = state.end {
            state.end = .success(nil)
            return end
          }
          // Cancelled before it could wait: the handler has already run and found no waiter.
          if Task.isCancelled { return .success(nil) }
          state.waiters.append((id, waiter))
          return nil
        }
        if let ready { waiter.resume(returning: ready) }
      }
    } onCancel: {
      let waiter = state.withLock { state -> Waiter? in
        guard let index = state.waiters.firstIndex(where: { $0.id == id }) else { return nil }
        return state.waiters.remove(at: index).continuation
      }
      waiter?.resume(returning: .success(nil))
      stop()
    }
    return try result.get()
  }

  // MARK: - Thread

  private func handle(_ event: LineConnection.Event) {
    switch event {
    case .connecting: setConnection(.connecting)
    case .connected:
      setConnection(.connected)
      configuration.onLink?(nil)
    case .line(let line): receive(line)
    case .lost(let error):
      configuration.onLink?(error)
      setConnection(.waiting)
    case .ended(let error):
      if let error { configuration.onLink?(error) }
      setConnection(.closed)
      finish(error.map { .failure($0) } ?? .success(nil))
    }
  }

  private func receive(_ line: ArraySlice<UInt8>) {
    configuration.onLine?(line)
    guard let message = StreamMessage(line: line) else { return }
    deliver(message)
    if case .version(let version) = message, let error = version.incompatibility {
      setConnection(.closed)
      finish(.failure(error))
      close()
    }
  }

  private func deliver(_ received: StreamMessage) {
    let (waiter, message) = state.withLock { state -> (Waiter?, StreamMessage) in
      state.timeline.add(received)
      let message = state.timeline.completed(received)
      guard state.waiters.isEmpty else {
        return (state.waiters.removeFirst().continuation, message)
      }
      state.queue.append(message)
      return (nil, message)
    }
    waiter?.resume(returning: .success(message))
    configuration.onMessage?(message)
  }

  private func finish(_ end: Result<StreamMessage?, ParallaxError>) {
    let (waiters, end, isFirst) = state.withLock { state in
      let isFirst = state.end == nil
      let end = state.end ?? end
      // The first reader receives the error, the others nil.
      state.end = state.waiters.isEmpty ? end : .success(nil)
      defer { state.waiters = [] }
      return (state.waiters, end, isFirst)
    }
    if isFirst {
      switch end {
      case .success: configuration.onEnd?(nil)
      case .failure(let error): configuration.onEnd?(error)
      }
    }
    for (index, waiter) in waiters.enumerated() {
      waiter.continuation.resume(returning: index == 0 ? end : .success(nil))
    }
  }

  private func setConnection(_ connection: ParallaxStream.ConnectionState) {
    let changed = state.withLock { state in
      defer { state.connection = connection }
      if connection == .connected, let watch = state.watch { send(watch.line()) }
      return state.connection != connection
    }
    if changed { configuration.onState?(connection) }
  }
}
