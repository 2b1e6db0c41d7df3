// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxConfig
import ParallaxDaemon
import ParallaxDevice
import ParallaxDocuments
import ParallaxGates
import ParallaxLoop
import ParallaxMotion
import ParallaxProtocol

/// The daemon under test, with everything around it in memory.
final class ModelDaemon {
  static let start = MotionInstant.zero + .seconds(1_000)

  let core: DaemonCore
  let gyro: ModelGyro
  let documents = ModelDocuments()
  /// Returns the configuration file.
  var readConfiguration: () -> [String: String] = { [:] }
  private let time = Time()
  private let sessions = ModelSessions()

  private final class Time {
    var now = ModelDaemon.start
  }

  var now: MotionInstant {
    get { time.now }
    set { time.now = newValue }
  }

  init(settings: [String: String], rateHertz: Double) throws {
    let clock = { [time] in time.now }
    let gyro = ModelGyro(rateHertz: rateHertz, clock: clock)
    self.gyro = gyro
    let biases = BiasStore(process: ProcessEnvironment(userID: 900, variables: [:])) { _ in }
    let source = GyroSource(gyro.environment, biases: biases)
    let feed = Feed()
    let feedSource = GyroSource(feed.environment(clock: clock) { _, _ in }, biases: biases)
    core = DaemonCore(
      configuration: try Self.configuration(settings),
      access: AccessEnvironment(
        daemonUserID: ModelExpectations.daemonUser, accounts: Self.accounts, sessions: sessions,
        watch: { [sessions] in sessions.watch(handler: $0) }),
      at: time.now, documents: documents,
      clock: clock,
      makeSource: { configuration in
        let kind = configuration.source.kind
        feedSource.configure(.feed(configuration), settings: configuration.motion)
        if kind == .feed { return feedSource }
        if case .synthetic(let seed) = kind { return SyntheticSource(seed: seed) }
        source.configure(
          GyroRequest(
            name: configuration.source.device, uri: configuration.source.uri,
            frameRate: configuration.motion.frameRate,
            oversample: configuration.sampling.oversample,
            readsAccelerometer: true),
          settings: configuration.motion)
        return kind == .iio ? source : .automatic(feed: feedSource, gyroscope: source)
      }, feed: feed)
    core.control.reload = { [unowned self] _ in
      reload()
      return .success(nil)
    }
  }

  private static func configuration(_ settings: [String: String]) throws -> Configuration {
    var builder = ConfigurationBuilder()
    for (key, value) in settings.sorted(by: { $0.key < $1.key }) {
      builder.set(assignment: "\(key)=\(value)")
    }
    return try builder.build().configuration
  }

  private static var accounts: AccountLookup {
    AccountLookup(
      userID: { name throws(SystemError) in name == "nora" ? ModelExpectations.nora : nil },
      groupID: { name throws(SystemError) in ["parallax": 50, "operators": 60][name] })
  }

  // MARK: - Events

  func connect(
    _ connection: ModelConnection, uid: UInt32, toControl: Bool
  ) -> (any ClientEvents)? {
    let service: any ClientService = toControl ? core.control : core.stream
    let peer = PeerCredentials(
      processID: 1, userID: uid, groupID: uid,
      supplementaryGroups: ModelExpectations.groups(of: uid))
    return service.connect(connection, from: peer, at: now)
  }

  func set(_ presence: ModelPresence, ofUser uid: UInt32) {
    sessions.set(presence, ofUser: uid)
  }

  /// Reports what the buses say, as `GateWatch` does.
  func report(_ names: Set<String>) {
    let kinds = GateReasons.reduceMotion.union(.lowPower).union(GateReasons(.sleep))
    var reasons = core.hub.gates.global.subtracting(kinds)
    for name in names {
      if let reason = GateReason(rawValue: name) { reasons.formUnion(GateReasons(reason)) }
    }
    core.hub.update(at: now) { $0.gates.global = reasons }
  }

  func report(orientation: String?) {
    core.hub.update(at: now) {
      $0.orientations.sensorProxy = orientation.flatMap { Orientation(rawValue: $0) }
    }
  }

  func resume() { core.hub.restartSensor(at: now) }

  func reload() {
    guard let configuration = try? Self.configuration(readConfiguration()) else { return }
    core.hub.reconfigure(configuration, at: now)
  }

  // MARK: - State

  /// The number of watches on the sessions.
  var sessionWatches: Int { sessions.watchCount }
}

/// Login sessions.
private final class ModelSessions: SessionDirectory {
  private var presences: [UInt32: SessionPresence] = [:]
  private var handlers: [Int: () -> Void] = [:]
  private var lastNumber = 0

  var watchCount: Int { handlers.count }

  func set(_ presence: ModelPresence, ofUser uid: UInt32) {
    presences[uid] =
      switch presence {
      case .none: nil
      case .inactive: .inactive
      case .active: .active
      }
    for handler in handlers.values { handler() }
  }

  func presences(onSeat seat: String) throws(SystemError) -> [UInt32: SessionPresence] {
    seat == ModelExpectations.seat ? presences : [:]
  }

  func watch(
    on loop: EventLoop, handler: @escaping () -> Void
  ) throws(SystemError) -> any SessionWatch {
    watch(handler: handler)
  }

  func watch(handler: @escaping () -> Void) -> any SessionWatch {
    lastNumber += 1
    handlers[lastNumber] = handler
    return Watch { [weak self, lastNumber] in self?.handlers[lastNumber] = nil }
  }

  private final class Watch: SessionWatch {
    private let end: () -> Void
    init(_ end: @escaping () -> Void) { self.end = end }
    deinit { end() }
  }
}

/// Documents that are found at once, or when the script allows it.
final class ModelDocuments: DocumentSource {
  var isSlow = false
  private var waiting: [() -> Void] = []

  /// The documents, in native JSON without the head.
  static let all = [
    "nudge": #""animation":{"move":{"by":[12,0]},"duration":0.2,"curve":"linear"}"#,
    "turn": #""animation":{"rotate":{"by":90},"duration":0.2}"#,
    "card": #""layer":"card","animation":{"move":{"by":[0,9]},"duration":0.1}"#,
    "calm": #""reduced-motion":{"fade":{"to":0.5},"duration":0.5},"#
      + #""animation":{"move":{"by":[12,0]},"duration":1}"#,
    "forever": #""animation":{"repeat":"forever","of":{"rotate":{"by":90},"duration":1}}"#,
    "broken": #""animation":{"#,
  ]

  static let names = all.keys.sorted()

  func fetch(
    _ id: DocumentID, for waiter: (any DocumentWaiter)?,
    reply: @escaping (Result<FoundDocument, DocumentError>) -> Void
  ) {
    let answer = {
      guard let text = Self.all[id.text] else {
        return reply(.failure(DocumentError(.noSuchAnimation, name: id.text, "no such animation")))
      }
      reply(.success(FoundDocument(text: Array(#"{"parallax":1,\#(text)}"#.utf8))))
    }
    if isSlow { waiting.append(answer) } else { answer() }
  }

  func answer() {
    let answers = waiting
    waiting = []
    for answer in answers { answer() }
  }
}
