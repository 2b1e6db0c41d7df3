import Glibc
import ParallaxConfig
import ParallaxSystem
import ParallaxWire

/// parallaxd: configuration, sockets and signals around a `DaemonCore`, on one thread.
package final class Daemon {
  /// What this build calls itself.
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
  private var receptions: [Reception] = []
  private var signals: [SignalSource] = []
  private var timer: TimerSource?
  private var afterTurn: PostSource?
  private let gates: GateWatch
  /// nil: nobody watches.
  private var watchdog: Watchdog?

  /// Runs the daemon to its end.
  ///
  /// - Returns: the exit code; what was wrong has been said on standard error.
  package static func run(_ origin: ConfigurationSource) -> Int32 {
    let log = Log(program: "parallaxd")
    do throws(StartError) {
      let daemon = try Daemon(origin, log: log)
      try daemon.start()
      ResidentCode.release()
      return try daemon.serve()
    } catch {
      for line in error.lines { log.error(line) }
      return error.exitCode
    }
  }

  /// Says why the program does not start at all, and gives the exit code back.
  package static func refuse(_ message: String, exitCode: Int32) -> Int32 {
    Log(program: "parallaxd").error(message)
    return exitCode
  }

  private init(_ origin: ConfigurationSource, log: Log) throws(StartError) {
    self.origin = origin
    self.log = log
    loader = ConfigLoader()
    let configuration: Configuration
    do throws(ConfigError) {
      configuration = try origin.load(loader).configuration
      paths = try loader.socketPaths(configuration)
    } catch {
      throw StartError(error.lines, exitCode: error.exitStatus)
    }
    loop = try StartError.translating { () throws(SystemError) in try EventLoop() }
    factory = SourceFactory(loop: loop, log: log)
    let sessions = LogindSessions()
    let provider = ProviderLink(loop, path: paths.provider)
    documents = ConfiguredDocuments(configuration.animations) { id, base, reply in
      provider.fetch(id, from: base, reply: reply)
    }
    core = DaemonCore(
      configuration: configuration,
      admission: Admission(
        daemonUserID: Accounts.currentUserID, sessions: sessions, accounts: .machine),
      atNanoseconds: MonotonicClock.now(), documents: documents,
      // Without logind nobody has a session, and none changes.
      watchSessions: { [loop] in try? sessions.watch(on: loop, handler: $0) },
      clock: MonotonicClock.now,
      makeSource: { [factory] in factory.source(for: $0) }, log: { log.warning($0) })
    let systemBus = try Self.bus(loop, .system, log)
    orientation = try StartError.translating { [loop, core] () throws(SystemError) in
      try OrientationLink(loop, systemBus, hub: core.hub) { log.write($0, $1) }
    }
    gates = GateWatch(
      loop, hub: core.hub, systemBus: systemBus, sessionBus: try Self.bus(loop, .session, log),
      clock: MonotonicClock.now, log: { log.write($0, $1) })
    if log.isJournal { core.hub.changed = { log.journal($0.journalEntry) } }
    factory.sourceIsReady = { [weak self] in self?.sourceIsReady(atNanoseconds: $0) }
    core.control.reload = { [weak self] in self?.reload(atNanoseconds: $0) ?? .success(nil) }
  }

  private static func bus(
    _ loop: EventLoop, _ kind: Bus.Kind, _ log: Log
  ) throws(StartError) -> Bus {
    try StartError.translating { () throws(SystemError) in
      try Bus(loop, kind) { log.write($0, $1) }
    }
  }

  // -- Start

  private func start() throws(StartError) {
    // First, so that a signal that comes meanwhile ends the daemon in good order.
    try StartError.translating { () throws(SystemError) in try takeSignals() }
    try listen()
    try StartError.translating { () throws(SystemError) in try driveByTimer() }
    watchdog = try StartError.translating { () throws(SystemError) in
      try ServiceManager.watchdogNanoseconds().map { Watchdog(periodNanoseconds: $0) }
    }
    tellManager(.ready)
    keepWatchdog()
  }

  private func takeSignals() throws(SystemError) {
    Signals.ignoreBrokenPipe()
    for number in [SIGTERM, SIGINT] {
      signals.append(try loop.signal(number) { [weak self] in self?.end() })
    }
    signals.append(
      try loop.signal(SIGHUP) { [weak self] in
        _ = self?.reload(atNanoseconds: MonotonicClock.now())
      })
  }

  private func listen() throws(StartError) {
    let sockets = try StartError.translating { () throws(SystemError) in
      try ServiceManager.inheritedSockets()
    }
    // A default place may have to be made; one that somebody named has to be there.
    if core.hub.configuration.socket.path == nil { Self.makeFolder(of: paths.stream) }
    let stream = try listener("stream", path: paths.stream, inherited: sockets)
    let control = try listener("control", path: paths.control, inherited: sockets)
    receptions = try StartError.translating { () throws(SystemError) in
      // The kernel's share of what waits for a slow subscriber, one line below what is allowed: the
      // newest waits here.
      let buffer = try SendBuffer.size(
        holdingAtMost: Outbox.offsetLimit - 1, linesOf: Self.shortLineBytes)
      return [
        try Reception(
          loop, stream, service: core.stream, sendBufferBytes: buffer.bytes,
          clock: MonotonicClock.now, log: log),
        try Reception(
          loop, control, service: core.control, sendBufferBytes: nil,
          clock: MonotonicClock.now, log: log),
      ]
    }
  }

  /// About the shortest OFFSET line: the shorter, the more of them fit into a buffer.
  private static let shortLineBytes = 64

  /// The service manager's socket of that name, else one of our own.
  private func listener(
    _ name: String, path: String, inherited: [ServiceManager.InheritedSocket]
  ) throws(StartError) -> UnixListener {
    do throws(ListenError) {
      if let socket = inherited.first(where: { $0.name == name }) {
        return try UnixListener(inheriting: socket.descriptor)
      }
      // Anyone may connect; who is admitted is decided by who they are.
      return try UnixListener(path: path, mode: 0o666)
    } catch {
      throw StartError([error.description], exitCode: error.exitCode)
    }
  }

  private static func makeFolder(of path: String) {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
    // Where this fails, binding says why.
    _ = mkdir(String(path[..<slash]), 0o755)
  }

  /// One timer for everything, armed anew behind whatever happened.
  private func driveByTimer() throws(SystemError) {
    let timer = try loop.timer { [weak self] in
      guard let self else { return }
      if isEnding { loop.exit(code: 0) } else { core.advance(atNanoseconds: MonotonicClock.now()) }
    }
    self.timer = timer
    afterTurn = try loop.afterEachTurn { [weak self] in
      guard let self, !isEnding else { return }
      // In this order: what is claimed is given back before the bus is closed.
      orientation.update()
      gates.update()
      keepWatchdog()
      let deadline = earlier(core.deadlineNanoseconds, watchdog?.deadlineNanoseconds)
      if deadline == timer.deadlineNanoseconds { return }
      if let deadline { timer.arm(atNanoseconds: deadline) } else { timer.disarm() }
    }
  }

  // -- Life

  private func serve() throws(StartError) -> Int32 {
    log.info("listening on \(paths.stream) and \(paths.control)")
    return try StartError.translating { () throws(SystemError) in try loop.run() }
  }

  private func reload(atNanoseconds now: Int64) -> Result<String?, ConfigError> {
    tellManager(.reloading)
    defer { tellManager(.ready) }
    do throws(ConfigError) {
      let configuration = try origin.load(loader).configuration
      let newPaths = try loader.socketPaths(configuration)
      documents.settings = configuration.animations
      core.hub.reconfigure(configuration, atNanoseconds: now)
      let note = newPaths == paths ? nil : "the sockets move with the next start of the daemon"
      log.notice("configuration read again" + (note.map { "; \($0)" } ?? ""))
      return .success(note)
    } catch {
      for line in error.lines { log.error(line) }
      log.error("the configuration is wrong; nothing changed")
      return .failure(error)
    }
  }

  private func end() {
    tellManager(.stopping)
    for reception in receptions { reception.close() }
    core.shutDown(atNanoseconds: MonotonicClock.now())
    guard factory.isBusy, !isEnding else { return loop.exit(code: 0) }
    // Everyone has been told. A gyroscope is switched off, if its driver does that in time.
    isEnding = true
    timer?.arm(atNanoseconds: MonotonicClock.now() + Self.longestFarewellNanoseconds)
  }

  private static let longestFarewellNanoseconds: Int64 = 500_000_000

  private func sourceIsReady(atNanoseconds now: Int64) {
    if !isEnding {
      core.hub.sourceIsReady(atNanoseconds: now)
    } else if !factory.isBusy {
      loop.exit(code: 0)
    }
  }

  /// At the end of every turn: a loop that hangs, wherever it does, says nothing any more.
  private func keepWatchdog() {
    let notice = watchdog?.update(
      isServing: !core.hub.isIdle, atNanoseconds: MonotonicClock.now())
    if let notice { tellManager(notice) }
  }

  private func tellManager(_ notice: ServiceManager.Notice) {
    do throws(SystemError) {
      try ServiceManager.notify(notice)
    } catch {
      log.warning("the service manager cannot be told: \(error)")
    }
  }
}

extension StartError {
  /// Runs a part of the start, with a system call's failure as a reason not to.
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
