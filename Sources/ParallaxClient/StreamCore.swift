import Glibc
import ParallaxWire
import Synchronization

/// What a stream and its thread share. The thread owns the socket, reads, decodes and keeps the
/// connection; the stream takes messages out and puts requests in. Everything between them is in one
/// `Mutex`.
final class StreamCore: Sendable {
  private typealias Waiter = CheckedContinuation<Result<StreamMessage?, ParallaxError>, Never>

  private struct State {
    var queue: MessageQueue
    var timeline = OffsetTimeline()
    var connection = ParallaxStream.ConnectionState.connecting
    /// Everything that was asked with WATCH, for the next connection.
    var watch: WatchMessage?
    /// Bytes for this connection.
    var outgoing: [UInt8] = []
    /// Readers that found the queue empty, in the order they came.
    var waiters: [(id: UInt64, continuation: Waiter)] = []
    var nextWaiter: UInt64 = 0
    /// Set once: how the stream ended.
    var end: Result<StreamMessage?, ParallaxError>?
    var isStopped = false
  }

  private let configuration: ParallaxStream.Configuration
  private let paths: [String]
  private let state: Mutex<State>
  private let wakeUp = WakeUp()

  init(_ configuration: ParallaxStream.Configuration) {
    self.configuration = configuration
    paths = SocketPath.candidates(.stream, explicit: configuration.socketPath)
    state = Mutex(
      State(
        queue: MessageQueue(offsetLimit: configuration.bufferedOffsets),
        watch: configuration.watch))
  }

  // MARK: The stream's side

  /// Starts the thread. A system that has none to give ends the stream with `noResources`.
  func start() {
    guard wakeUp.failure == 0 else {
      return finish(.failure(.noResources(errno: wakeUp.failure)))
    }
    var thread = pthread_t()
    // The thread keeps the core alive until it ends.
    let me = Unmanaged.passRetained(self)
    let code = pthread_create(
      &thread, nil,
      { argument in
        if let argument {
          Unmanaged<StreamCore>.fromOpaque(argument).takeRetainedValue().run()
        }
        return nil
      }, me.toOpaque())
    if code == 0 {
      pthread_detach(thread)
    } else {
      me.release()
      finish(.failure(.noResources(errno: code)))
    }
  }

  /// Ends the stream: readers get nil, the thread ends and closes the connection.
  func stop() {
    state.withLock { $0.isStopped = true }
    wakeUp.signal()
    finish(.success(nil))
  }

  func send(_ watch: WatchMessage) {
    state.withLock { state in
      state.watch = state.watch?.merging(watch) ?? watch
      if state.connection == .connected { state.outgoing += watch.line }
    }
    wakeUp.signal()
  }

  func poll() {
    state.withLock { state in
      if state.connection == .connected { state.outgoing += PollRequest.line }
    }
    wakeUp.signal()
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
          // Cancelled before it could wait: the handler has been and found nobody.
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

  // MARK: The thread's side

  private func run() {
    // The program's signal handlers are for its own threads.
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, nil)
    var machine = ConnectionMachine(policy: configuration.reconnection)
    var action = machine.start()
    while true {
      switch action {
      case .connect:
        setConnection(.connecting)
        do {
          let socket = try ConnectedSocket.connect(toFirstOf: paths)
          action = machine.connected(at: .now)
          if action == .serve { action = serve(socket, &machine) }
        } catch {
          action = machine.lost(error, at: .now, random: .random(in: 0..<1))
        }
      case .wait(let instant):
        setConnection(.waiting)
        action = sleep(until: instant) ? machine.waited() : machine.stop()
      case .serve:
        // Answered where the connection was made; without one there is nothing to serve.
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
    _ socket: borrowing ConnectedSocket, _ machine: inout ConnectionMachine
  ) -> ConnectionMachine.Action {
    state.withLock { state in
      state.connection = .connected
      state.outgoing = state.watch?.line ?? []
    }
    var splitter = LineSplitter()
    let decoder = MessageDecoder()
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16_384, alignment: 1)
    defer { buffer.deallocate() }
    while true {
      guard let isWaiting = write(to: socket) else { return machine.stop() }
      var entries = [
        pollfd(
          fd: socket.raw, events: Int16(isWaiting ? POLLIN | POLLOUT : POLLIN), revents: 0),
        pollfd(fd: wakeUp.raw, events: Int16(POLLIN), revents: 0),
      ]
      _ = Glibc.poll(&entries, 2, -1)
      if entries[1].revents != 0 { wakeUp.clear() }
      guard entries[0].revents & ~Int16(POLLOUT) != 0 else { continue }
      switch socket.read(into: buffer) {
      case .moved(let count):
        splitter.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        while let line = splitter.next() {
          guard let message = decoder.message(line) else { continue }
          deliver(message)
          if case .version(let version) = message, let action = machine.greeted(by: version) {
            return action
          }
        }
        if splitter.isOverlong {
          return machine.lost(.malformed, at: .now, random: .random(in: 0..<1))
        }
      case .wouldBlock: break
      case .closed:
        return machine.lost(.closed, at: .now, random: .random(in: 0..<1))
      case .failed(let code):
        return machine.lost(.inputOutput(errno: code), at: .now, random: .random(in: 0..<1))
      }
    }
  }

  /// Writes what is waiting. Returns whether something is left; nil where the stream was stopped.
  private func write(to socket: borrowing ConnectedSocket) -> Bool? {
    let (bytes, isStopped) = state.withLock { state in
      defer { state.outgoing = [] }
      return (state.outgoing, state.isStopped)
    }
    if isStopped { return nil }
    guard !bytes.isEmpty else { return false }
    var rest = bytes[...]
    while !rest.isEmpty {
      guard case .moved(let count) = socket.write(rest) else { break }
      rest = rest.dropFirst(count)
    }
    // A connection that has ended says so when it is read.
    guard !rest.isEmpty else { return false }
    state.withLock { $0.outgoing.insert(contentsOf: rest, at: 0) }
    return true
  }

  /// Returns false where the stream was stopped meanwhile.
  private func sleep(until instant: MonotonicInstant) -> Bool {
    while true {
      if state.withLock({ $0.isStopped }) { return false }
      let left = MonotonicInstant.now.duration(to: instant).wholeNanoseconds
      if left <= 0 { return true }
      var entry = pollfd(fd: wakeUp.raw, events: Int16(POLLIN), revents: 0)
      _ = Glibc.poll(&entry, 1, Int32(clamping: (left + 999_999) / 1_000_000))
      if entry.revents != 0 { wakeUp.clear() }
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
  }

  private func finish(_ end: Result<StreamMessage?, ParallaxError>) {
    let (waiters, end) = state.withLock { state in
      let end = state.end ?? end
      // The first reader hears why, the others that it is over.
      state.end = state.waiters.isEmpty ? end : .success(nil)
      defer { state.waiters = [] }
      return (state.waiters, end)
    }
    for (index, waiter) in waiters.enumerated() {
      waiter.continuation.resume(returning: index == 0 ? end : .success(nil))
    }
  }

  private func setConnection(_ connection: ParallaxStream.ConnectionState) {
    state.withLock { $0.connection = connection }
  }
}
