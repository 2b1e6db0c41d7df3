// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import ParallaxClient
import ParallaxGates
import ParallaxLoop
import ParallaxMotion
import ParallaxProtocol

/// Performs the actions of an `AgentStateMachine` on one event loop and one thread. It sleeps while
/// nothing changes.
final class Agent {
  private let loop: EventLoop
  private let log: Log
  private var stateMachine = AgentStateMachine()
  private var connection: LoopConnection?
  private var timer: TimerSource?
  private var signals: [SignalSource] = []
  private var afterTurn: PostSource?
  private let sessionBus: Bus
  private let systemBus: Bus
  private var reduceMotion: ReduceMotionWatch?
  private var orientation: OrientationWatch?

  /// - Parameter paths: The control sockets to try, in this order.
  init(paths: [String], log: Log) throws(SystemError) {
    self.log = log
    loop = try EventLoop()
    sessionBus = try Bus(loop, .session) { log.write($0, $1) }
    systemBus = try Bus(loop, .system) { log.write($0, $1) }
    timer = try loop.timer { [weak self] in self?.handle(.deadline) }
    connection = try LoopConnection(to: paths, policy: AgentStateMachine.reconnection, on: loop) {
      [weak self] in self?.receive($0)
    }
    afterTurn = loop.afterEachTurn { log.catchUp() }
    for number in [SIGTERM, SIGINT] {
      signals.append(try loop.signal(number) { [loop] in loop.exit(code: 0) })
    }
  }

  /// Runs until SIGTERM or SIGINT.
  func run() throws(SystemError) {
    handle(.started)
    reduceMotion = ReduceMotionWatch(sessionBus) { [weak self] in
      if let note = $0.note { self?.log.notice(note) }
      self?.handle(.reduceMotion($0.verdict != nil))
    }
    orientation = try OrientationWatch(loop, systemBus, log: { [log] in log.write($0, $1) }) {
      [weak self] in
      guard let self else { return }
      handle(.orientation(orientation?.orientation))
    }
    sessionBus.open()
    // Ready without a bus or a daemon: the agent connects when they appear.
    try ServiceManager.notify(.ready)
    defer { log.end() }
    _ = try loop.run()
    _ = try? ServiceManager.notify(.stopping)
  }

  // MARK: - Actions

  private func handle(_ event: AgentStateMachine.Event) {
    for action in stateMachine.handle(event, at: MonotonicClock.now()) { perform(action) }
    if let deadline = stateMachine.deadline {
      timer?.arm(at: deadline)
    } else {
      timer?.disarm()
    }
  }

  private func perform(_ action: AgentStateMachine.Action) {
    switch action {
    case .connect: connection?.start()
    case .leave(let instant): connection?.leave(until: instant)
    case .send(let report): connection?.send(.agent(report))
    case .followOrientation(let isOn): followOrientation(isOn)
    case .warn(let text): log.warning(text)
    case .note(let text): log.notice(text)
    }
  }

  private func receive(_ event: LineConnection.Event) {
    switch event {
    case .connected: handle(.connected)
    case .line(let line): ControlAnswer(line: line).map { handle(.answer($0)) }
    case .lost(let error): handle(.lost("\(error)"))
    // The connection is for as long as the agent runs.
    case .connecting, .ended: break
    }
  }

  private func followOrientation(_ isOn: Bool) {
    if isOn {
      systemBus.open()
      orientation?.isRequested = true
    } else {
      orientation?.isRequested = false
      // Signals on the bus no longer wake this process.
      systemBus.close()
    }
  }
}
