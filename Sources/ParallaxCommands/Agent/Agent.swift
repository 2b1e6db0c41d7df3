import Glibc
import ParallaxClient
import ParallaxGates
import ParallaxMotion
import ParallaxSystem
import ParallaxWire

/// `parallax agent` at work: `AgentLife`'s hands, on one loop and one thread. Nothing changes: it
/// sleeps.
final class Agent {
  private let loop: EventLoop
  private let paths: [String]
  private let log: Log
  private var life = AgentLife()
  private var link: AgentLink?
  private var timer: TimerSource?
  private var signals: [SignalSource] = []
  private let sessionBus: Bus
  private let systemBus: Bus
  private var reduceMotion: ReduceMotionWatch?
  private var orientation: OrientationWatch?

  /// - Parameter paths: the control sockets to try, in this order.
  init(paths: [String], log: Log) throws(SystemError) {
    self.paths = paths
    self.log = log
    loop = try EventLoop()
    sessionBus = try Bus(loop, .session) { log.write($0, $1) }
    systemBus = try Bus(loop, .system) { log.write($0, $1) }
    timer = try loop.timer { [weak self] in self?.take(.time) }
    for number in [SIGTERM, SIGINT] {
      signals.append(try loop.signal(number) { [loop] in loop.exit(code: 0) })
    }
  }

  /// Until a signal says otherwise.
  func run() throws(SystemError) {
    take(.started)
    reduceMotion = ReduceMotionWatch(sessionBus) { [weak self] in
      self?.take(.reduceMotion($0.verdict != nil))
    }
    orientation = try OrientationWatch(loop, systemBus, log: { [log] in log.write($0, $1) }) {
      [weak self] in
      guard let self else { return }
      take(.orientation(orientation?.orientation))
    }
    sessionBus.open()
    // Neither bus nor daemon has to be there: it is at work all the same.
    try ServiceManager.notify(.ready)
    _ = try loop.run()
    _ = try? ServiceManager.notify(.stopping)
  }

  // -- AgentLife's hands

  private func take(_ event: AgentLife.Event) {
    for action in life.take(event, atNanoseconds: MonotonicClock.now()) { perform(action) }
    if let deadline = life.deadlineNanoseconds {
      timer?.arm(atNanoseconds: deadline)
    } else {
      timer?.disarm()
    }
  }

  private func perform(_ action: AgentLife.Action) {
    switch action {
    case .connect: connect()
    case .disconnect: link = nil
    case .send(let report): link?.send(.agent(report))
    case .followOrientation(let isOn): followOrientation(isOn)
    case .warn(let text): log.warning(text)
    case .note(let text): log.notice(text)
    }
  }

  private func connect() {
    do {
      link = try AgentLink(toFirstOf: paths, on: loop) { [weak self] event in
        switch event {
        case .heard(let answer): self?.take(.heard(answer))
        case .ended: self?.take(.ended)
        }
      }
      take(.connected)
    } catch {
      take(.unreachable("\(error)"))
    }
  }

  private func followOrientation(_ isOn: Bool) {
    if isOn {
      systemBus.open()
      orientation?.isWanted = true
    } else {
      orientation?.isWanted = false
      // Nobody's signals wake us any more.
      systemBus.close()
    }
  }
}
