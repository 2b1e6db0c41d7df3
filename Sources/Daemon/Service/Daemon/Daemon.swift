// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import ParallaxConfig
import ParallaxLoop
import ParallaxProtocol

/// parallaxd: configuration, sockets and signals around a `DaemonCore`, on one thread.
package final class Daemon {
  /// The version of this build.
  package static let release = ParallaxRelease.version

  private let log: Log
  private let origin: ConfigurationSource
  private let loader: ConfigLoader
  private let paths: SocketPaths
  private let loop: EventLoop
  private let core: DaemonCore
  private let factory: SourceFactory
  private let documents: ConfiguredDocuments
  private let orientation: OrientationLink
  private var isEnding = false
  private var acceptors: [ConnectionAcceptor] = []
  private var keepers: [SocketFileKeeper] = []
  private var signals: [SignalSource] = []
  private var timer: FrameTimer?
  private var afterTurn: PostSource?
  private let gates: GateWatch
  /// nil without a watchdog of the service manager.
  private var watchdog: Watchdog?

  /// Runs the daemon to its end.
  ///
  /// - Returns: The exit code. Errors have been printed on standard error.
  package static func run(_ origin: ConfigurationSource) -> Int32 {
    let log = Log(program: "parallaxd")
    DescriptorLimit.raise()
    do throws(StartError) {
      let daemon = try Daemon(origin, log: log)
      try daemon.start()
      defer { log.end() }
      return try daemon.serve()
    } catch {
      log.error(lines: error.lines, isLast: true)
      return error.exitCode
    }
  }

  /// Prints why the program does not start, and returns the exit code.
  package static func refuse(_ message: String, exitCode: Int32) -> Int32 {
    Log(program: "parallaxd").error(lines: [message], isLast: true)
    return exitCode
  }

  private init(_ origin: ConfigurationSource, log: Log) throws(StartError) {
    self.origin = origin
    self.log = log
    loader = ConfigLoader(files: LocalFileSystem(isRegularOnly: true))
    let configuration: Configuration
    do throws(ConfigurationErrors) {
      configuration = try origin.load(loader).configuration
      paths = try loader.socketPaths(configuration)
    } catch {
      throw StartError(error.lines, exitCode: error.exitStatus)
    }
    loop = try StartError.translating { () throws(SystemError) in try EventLoop() }
    factory = SourceFactory(loop: loop, log: log)
    let sessions = LogindSessions()
    let provider = ProviderLink(loop, path: paths.provider)
    let worker = try StartError.translating { [loop] () throws(SystemError) in
      try ThreadedDocumentWorker { (descriptor, handler) throws(SystemError) in
        try loop.watch(descriptor: descriptor, interest: .read) { _ in handler() }
      }
    }
    documents = ConfiguredDocuments(
      configuration.animations, shipped: .shipped(), worker: worker
    ) { id, base, reply in provider.fetch(id, from: base, reply: reply) }
    core = DaemonCore(
      configuration: configuration,
      access: AccessEnvironment(
        daemonUserID: Accounts.currentUserID, accounts: .machine, sessions: sessions,
        watch: { [loop] handler throws(SystemError) in
          try sessions.watch(on: loop, handler: handler)
        }),
      at: MonotonicClock.now(), documents: documents, worker: worker,
      clock: MonotonicClock.now,
      makeSource: { [factory] in factory.source(for: $0) }, feed: factory.feed,
      log: { log.warning($0) })
    let systemBus = try Self.bus(loop, .system, log)
    orientation = try StartError.translating { [loop, core] () throws(SystemError) in
      try OrientationLink(loop, systemBus, hub: core.hub) { log.write($0, $1) }
    }
    gates = GateWatch(
      loop, hub: core.hub, systemBus: systemBus, sessionBus: try Self.bus(loop, .session, log),
      clock: MonotonicClock.now, log: { log.write($0, $1) })
    if log.isJournal { core.hub.changed = { log.journal($0.journalEntry) } }
    core.control.reload = { [weak self] in self?.reload(at: $0) ?? .success(nil) }
  }

  private static func bus(
    _ loop: EventLoop, _ kind: Bus.Kind, _ log: Log
  ) throws(StartError) -> Bus {
    try StartError.translating { () throws(SystemError) in
      try Bus(loop, kind) { log.write($0, $1) }
    }
  }

  // MARK: - Start

  private func start() throws(StartError) {
    // First, so that a signal during the start ends the daemon in good order.
    try StartError.translating { () throws(SystemError) in try watchSignals() }
    try listen()
    try StartError.translating { () throws(SystemError) in try driveByTimer() }
    watchdog = try StartError.translating { () throws(SystemError) in
      try ServiceManager.watchdog().map { Watchdog(period: $0) }
    }
    notifyManager(.ready)
    keepWatchdog()
  }

  private func watchSignals() throws(SystemError) {
    Signals.ignoreBrokenPipe()
    Signals.ignoreTerminalStop()
    for number in [SIGTERM, SIGINT] {
      signals.append(try loop.signal(number, priority: .signals) { [weak self] in self?.end() })
    }
    signals.append(
      try loop.signal(SIGHUP, priority: .signals) { [weak self] in
        _ = self?.reload(at: MonotonicClock.now())
      })
  }

  private func listen() throws(StartError) {
    let sockets = try StartError.translating { () throws(SystemError) in
      try ServiceManager.inheritedSockets()
    }
    // The folder of a default path is created; that of a configured path must exist.
    if core.hub.configuration.socket.path == nil { Self.makeFolder(of: paths.stream) }
    let stream = try listener("stream", path: paths.stream, inherited: sockets)
    let control = try listener("control", path: paths.control, inherited: sockets)
    acceptors = try StartError.translating { () throws(SystemError) in
      core.stream.lineCharges = try LineCharges()
      return [
        try ConnectionAcceptor(
          loop, stream, service: core.stream, priority: .stream,
          clock: MonotonicClock.now, log: log),
        try ConnectionAcceptor(
          loop, control, service: core.control, priority: .control,
          clock: MonotonicClock.now, log: log),
      ]
    }
    for (acceptor, path) in zip(acceptors, [stream.path, control.path]) {
      if let path { try keep(path, of: acceptor) }
    }
  }

  /// Binds the socket again if its file is deleted.
  private func keep(_ path: String, of acceptor: ConnectionAcceptor) throws(StartError) {
    keepers.append(
      try StartError.translating { () throws(SystemError) in
        try SocketFileKeeper(
          loop, path: path, isInPlace: { [weak acceptor] in acceptor?.isInPlace ?? true },
          clock: MonotonicClock.now, log: log
        ) { [weak self, weak acceptor] () throws(ListenError) in
          if let self, core.hub.configuration.socket.path == nil { Self.makeFolder(of: path) }
          let listener = try UnixListener(path: path, mode: Self.socketMode)
          do throws(SystemError) {
            try acceptor?.replace(listener)
          } catch {
            throw .system(error)
          }
        }
      })
  }

  /// Any process may connect; peer credentials decide who is admitted.
  private static let socketMode: UInt32 = 0o666

  /// Returns the service manager's socket of that name, or opens one.
  private func listener(
    _ name: String, path: String, inherited: [ServiceManager.InheritedSocket]
  ) throws(StartError) -> UnixListener {
    do throws(ListenError) {
      if let socket = inherited.first(where: { $0.name == name }) {
        return try UnixListener(inheriting: socket.descriptor)
      }
      return try UnixListener(path: path, mode: Self.socketMode)
    } catch {
      throw StartError([error.description], exitCode: error.exitCode)
    }
  }

  private static func makeFolder(of path: String) {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
    // If this fails, the bind reports why.
    _ = mkdir(String(path[..<slash]), 0o755)
  }

  /// Drives every deadline by one timer, which is armed again after each turn of the loop.
  private func driveByTimer() throws(SystemError) {
    let timer = try loop.frameTimer(priority: .motion) { [weak self] in
      guard let self else { return }
      if isEnding { loop.exit(code: 0) } else { core.advance(at: MonotonicClock.now()) }
    }
    self.timer = timer
    afterTurn = loop.afterEachTurn { [weak self] in
      guard let self else { return }
      guard !isEnding else {
        if !factory.isBusy { loop.exit(code: 0) }
        return
      }
      // In this order: a claim is released before its bus is closed.
      orientation.update()
      gates.update()
      log.catchUp()
      keepWatchdog()
      let deadline = MotionInstant.earlier(core.deadline, watchdog?.deadline)
      if deadline == timer.deadline { return }
      if let deadline { timer.arm(at: deadline) } else { timer.disarm() }
    }
  }

  // MARK: - Running

  private func serve() throws(StartError) -> Int32 {
    log.info("listening on \(paths.stream) and \(paths.control)")
    return try StartError.translating { () throws(SystemError) in try loop.run() }
  }

  private func reload(at now: MotionInstant) -> Result<String?, ConfigurationErrors> {
    notifyManager(.reloading)
    defer { notifyManager(.ready) }
    do throws(ConfigurationErrors) {
      let configuration = try origin.load(loader).configuration
      let newPaths = try loader.socketPaths(configuration)
      documents.settings = configuration.animations
      core.hub.reconfigure(configuration, at: now)
      let note = newPaths == paths ? nil : "the sockets move at the next start of the daemon"
      log.notice("configuration read again" + (note.map { "; \($0)" } ?? ""))
      return .success(note)
    } catch {
      log.error(lines: error.lines + ["the configuration is invalid; nothing was changed"])
      return .failure(error)
    }
  }

  private func end() {
    notifyManager(.stopping)
    keepers.removeAll()
    for acceptor in acceptors { acceptor.close() }
    core.shutDown(at: MonotonicClock.now())
    guard factory.isBusy, !isEnding else { return loop.exit(code: 0) }
    // Every client has its last line. The gyroscope is switched off if its driver is quick enough.
    isEnding = true
    timer?.arm(at: MonotonicClock.now() + Self.maxReleaseWait)
  }

  private static let maxReleaseWait: MotionDuration = .milliseconds(500)

  /// Reports to the watchdog at the end of each turn: a loop that hangs anywhere reports nothing.
  private func keepWatchdog() {
    let notice = watchdog?.update(
      isServing: !core.hub.isIdle, at: MonotonicClock.now())
    if let notice { notifyManager(notice) }
  }

  private func notifyManager(_ notice: ServiceManager.Notice) {
    do throws(SystemError) {
      try ServiceManager.notify(notice)
    } catch {
      log.warning("cannot notify the service manager: \(error)")
    }
  }
}

extension StartError {
  /// Runs a part of the start and turns a failed system call into a `StartError`.
  fileprivate static func translating<Value>(
    _ body: () throws(SystemError) -> Value
  ) throws(StartError) -> Value {
    do throws(SystemError) {
      return try body()
    } catch {
      throw StartError([error.description], exitCode: error.isAboutPermission ? 77 : 71)
    }
  }
}
