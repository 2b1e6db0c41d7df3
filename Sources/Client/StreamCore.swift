// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import ParallaxProtocol
import Synchronization

/// The state shared by a stream and its thread, in one `Mutex`. The thread owns the socket, connects,
/// reads and decodes; the stream reads messages and adds requests.
final class StreamCore: Sendable {
  private typealias Waiter = CheckedContinuation<Result<StreamMessage?, ParallaxError>, Never>

  private struct State {
    var queue: MessageQueue
    var timeline = OffsetTimeline()
    var connection = ParallaxStream.ConnectionState.connecting
    /// All WATCH requests merged into one, for the next connection.
    var watch: WatchMessage?
    /// Bytes to send on this connection.
    var outgoing: [UInt8] = []
    /// Readers that found the queue empty, oldest first.
    var waiters: [(id: UInt64, continuation: Waiter)] = []
    var nextWaiter: UInt64 = 0
    /// How the stream ended; nil until then. An error is returned once, to the first reader.
    var end: Result<StreamMessage?, ParallaxError>?
    var isStopped = false
  }

  private let configuration: ParallaxStream.Configuration
  private let paths: [String]
  private let state: Mutex<State>
  /// Interrupts the thread's waits; nil if the system has no descriptor left.
  private let wakeUp: WakeUp?
  private let wakeUpError: SystemError?

  init(_ configuration: ParallaxStream.Configuration) {
    self.configuration = configuration
    paths = SocketPath.candidates(.stream, explicit: configuration.socketPath)
    state = Mutex(
      State(
        queue: MessageQueue(offsetLimit: configuration.bufferedOffsets),
        watch: configuration.watch))
    do {
      wakeUp = try WakeUp()
      wakeUpError = nil
    } catch {
      wakeUp = nil
      wakeUpError = error
    }
  }

  // MARK: - Stream

  /// Starts the thread. If the system has no thread left, the stream ends with `noResources`.
  func start() {
    if let wakeUpError { return finish(.failure(.noResources(errno: wakeUpError.number))) }
    do {
      // The thread keeps the core alive until it ends.
      try DetachedThread.start { self.run() }
    } catch {
      finish(.failure(.noResources(errno: error.number)))
    }
  }

  /// Ends the stream: readers receive nil, and the thread closes the connection and ends.
  func stop() {
    state.withLock { $0.isStopped = true }
    wakeUp?.signal()
    finish(.success(nil))
  }

  func send(_ watch: WatchMessage) {
    state.withLock { state in
      state.watch = state.watch?.merging(watch) ?? watch
      if state.connection == .connected { state.outgoing += watch.line }
    }
    wakeUp?.signal()
  }

  func poll() {
    state.withLock { state in
      if state.connection == .connected { state.outgoing += PollRequest.line }
    }
    wakeUp?.signal()
  }

  var connection: ParallaxStream.ConnectionState { state.withLock { $0.connection } }

  func offset(at instant: MonotonicInstant) -> ParallaxOffset? {
    state.withLock { $0.timeline }.offset(at: instant)
  }

  func next() async throws(ParallaxError) -> StreamMessage? {
    let id = state.withLock { state in
      state.nextWaiter += 1
      return state.nextWaiter
    }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { (waiter: Waiter) in
        let ready = state.withLock { state -> Result<StreamMessage?, ParallaxError>? in
          if let message = state.queue.popFirst() { return .success(message) }
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

  private func run() {
    var machine = ConnectionStateMachine(policy: configuration.reconnection)
    var action = machine.start()
    while true {
      switch action {
      case .connect:
        setConnection(.connecting)
        do {
          let socket = try UnixStream.connect(toFirstOf: paths)
          action = machine.connected(at: .now)
          if action == .serve { action = serve(socket, &machine) }
        } catch {
          action = lost(error, &machine)
        }
      case .wait(let instant):
        setConnection(.waiting)
        action = sleep(until: instant) ? machine.waited() : machine.stop()
      case .serve:
        // Handled where the connection is made; without one there is nothing to serve.
        action = machine.stop()
      case .finish(let error):
        setConnection(.closed)
        finish(error.map { .failure($0) } ?? .success(nil))
        return
      }
    }
  }

  /// Reads and writes until the connection or the stream ends.
  private func serve(
    _ socket: borrowing UnixStream, _ machine: inout ConnectionStateMachine
  ) -> ConnectionStateMachine.Action {
    setConnection(.connected)
    configuration.onLink?(nil)
    var splitter = LineSplitter()
    let decoder = MessageDecoder()
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16_384, alignment: 1)
    defer { buffer.deallocate() }
    while true {
      guard let isWaiting = write(to: socket) else { return machine.stop() }
      var entries = [
        pollfd(
          fd: socket.descriptor.raw, events: Int16(isWaiting ? POLLIN | POLLOUT : POLLIN),
          revents: 0),
        pollfd(fd: wakeUpDescriptor, events: Int16(POLLIN), revents: 0),
      ]
      _ = Glibc.poll(&entries, 2, -1)
      if entries[1].revents != 0 { wakeUp?.clear() }
      guard entries[0].revents & ~Int16(POLLOUT) != 0 else { continue }
      switch socket.receive(into: buffer) {
      case .received(let count):
        splitter.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        while let line = splitter.next() {
          configuration.onLine?(line)
          guard let message = decoder.message(line) else { continue }
          deliver(message)
          if case .version(let version) = message, let action = machine.greeted(by: version) {
            return action
          }
        }
        if splitter.isOverlong { return lost(.malformed, &machine) }
      case .wouldBlock: break
      case .endOfInput, .closed:
        return lost(.closed, &machine)
      case .failed(let error):
        return lost(.inputOutput(errno: error.number), &machine)
      }
    }
  }

  private func lost(
    _ error: ParallaxError, _ machine: inout ConnectionStateMachine
  ) -> ConnectionStateMachine.Action {
    configuration.onLink?(error)
    return machine.lost(error, at: .now, random: .random(in: 0..<1))
  }

  /// For poll(), which ignores -1.
  private var wakeUpDescriptor: Int32 {
    switch wakeUp {
    case .some(let wakeUp): wakeUp.descriptor
    case nil: -1
    }
  }

  /// Sends the waiting bytes. Returns whether some remain; nil if the stream was stopped.
  private func write(to socket: borrowing UnixStream) -> Bool? {
    let (bytes, isStopped) = state.withLock { state in
      defer { state.outgoing = [] }
      return (state.outgoing, state.isStopped)
    }
    if isStopped { return nil }
    guard !bytes.isEmpty else { return false }
    var rest = bytes[...]
    while !rest.isEmpty {
      guard case .sent(let count) = socket.send(rest.span.bytes) else { break }
      rest = rest.dropFirst(count)
    }
    // Reading reports a connection that has ended.
    guard !rest.isEmpty else { return false }
    state.withLock { $0.outgoing.insert(contentsOf: rest, at: 0) }
    return true
  }

  /// Returns false if the stream was stopped during the wait.
  private func sleep(until instant: MonotonicInstant) -> Bool {
    while true {
      if state.withLock({ $0.isStopped }) { return false }
      let remaining = MotionDuration(MonotonicInstant.now.duration(to: instant))
      if remaining <= .zero { return true }
      wakeUp?.wait(atMost: remaining)
    }
  }

  private func deliver(_ message: StreamMessage) {
    let waiter = state.withLock { state -> Waiter? in
      state.timeline.add(message)
      guard state.waiters.isEmpty else { return state.waiters.removeFirst().continuation }
      state.queue.append(message)
      return nil
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
      if connection == .connected { state.outgoing = state.watch?.line ?? [] }
      return state.connection != connection
    }
    if changed { configuration.onState?(connection) }
  }
}
