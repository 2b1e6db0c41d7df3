// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import ParallaxLoop
import ParallaxTestSupport
import Testing

@Suite struct EventLoopTests {
  let loop: EventLoop

  init() throws { loop = try EventLoop() }

  @Test func runReturnsTheExitCode() throws {
    let timer = try loop.timer { [loop] in loop.exit(code: 69) }
    timer.arm(at: MonotonicClock.now())
    #expect(try loop.run() == 69)
  }

  @Test func anExitBeforeRunEndsItAtOnce() throws {
    loop.exit(code: 0)
    #expect(try loop.run() == 0)
  }

  // MARK: - Descriptors

  @Test func aReadablePipeCallsTheHandlerUntilItIsRead() throws {
    let pipe = try Pipe()
    var texts: [String] = []
    let source = try loop.watch(descriptor: pipe.reading.raw, interest: .read) { events in
      #expect(events == .readable)
      texts.append(pipe.readAll())
    }
    #expect(try !loop.turn(waiting: false))
    pipe.write("one")
    #expect(try loop.turn(waiting: true))
    pipe.write("two")
    #expect(try loop.turn(waiting: true))
    #expect(try !loop.turn(waiting: false))
    #expect(texts == ["one", "two"])
    source.cancel()
  }

  @Test func theInterestSelectsTheEvents() throws {
    let pair = try UnixStream.pair()
    var seen: [IOEvents] = []
    let source = try loop.watch(descriptor: pair.first.descriptor.raw, interest: []) {
      seen.append($0)
    }
    #expect(pair.second.send("x") == .sent(1))
    #expect(try !loop.turn(waiting: false))
    source.interest = .write
    #expect(try loop.turn(waiting: false))
    source.interest = [.read, .write]
    #expect(try loop.turn(waiting: false))
    source.interest = []
    #expect(try !loop.turn(waiting: false))
    #expect(seen == [.writable, [.readable, .writable]])
  }

  @Test func aFullPipeIsNotWritableUntilItIsRead() throws {
    let pipe = try Pipe()
    pipe.fill()
    var count = 0
    let source = try loop.watch(descriptor: pipe.writing.raw, interest: .write) { events in
      #expect(events.contains(.writable))
      count += 1
    }
    #expect(try !loop.turn(waiting: false))
    while !pipe.readAll().isEmpty {}
    #expect(try loop.turn(waiting: true))
    #expect(count == 1)
    source.cancel()
  }

  @Test func aHangUpIsReportedWhateverTheInterest() throws {
    let ends = try SocketEnds()
    var seen: [IOEvents] = []
    let source = try loop.watch(descriptor: ends.mine?.raw ?? -1, interest: []) { seen.append($0) }
    ends.theirs = nil
    #expect(try loop.turn(waiting: true))
    #expect(seen.first?.contains(.hungUp) == true)
    source.cancel()
    #expect(try !loop.turn(waiting: false))
  }

  @Test func theEndOfThePeersOutputIsNotAHangUp() throws {
    let pair = try UnixStream.pair()
    var seen: [IOEvents] = []
    let source = try loop.watch(descriptor: pair.first.descriptor.raw, interest: .read) {
      seen.append($0)
    }
    pair.second.endOutput()
    #expect(try loop.turn(waiting: true))
    #expect(seen == [.readable])
    source.cancel()
  }

  @Test func aFolderCannotBeWatched() throws {
    let folder = try FileDescriptor.open("/", O_RDONLY)
    let error = #expect(throws: SystemError.self) {
      _ = try loop.watch(descriptor: folder.raw, interest: .read) { _ in }
    }
    #expect(error == SystemError(number: EPERM, call: "sd_event_add_io"))
  }

  @Test func anErrorOfASourceEndsTheLoop() throws {
    let ends = try SocketEnds()
    let source = try loop.watch(descriptor: ends.mine?.raw ?? -1, interest: .read) { _ in }
    // A mistake: the descriptor closes before its source.
    ends.mine = nil
    source.interest = .write
    let error = #expect(throws: SystemError.self) { _ = try loop.run() }
    #expect(error?.call == "sd_event_source_set_io_events")
    ends.theirs = nil
  }

  // MARK: - Lifetime of sources

  @Test func aHandlerMayCancelItsSource() throws {
    let pipe = try Pipe()
    pipe.write("x")
    var source: IOSource?
    var count = 0
    source = try loop.watch(descriptor: pipe.reading.raw, interest: .read) { _ in
      count += 1
      source?.cancel()
      source = nil
    }
    try loop.drain()
    #expect(count == 1)
  }

  @Test func aHandlerMayDropTheLastReferenceToItsSource() throws {
    let pipe = try Pipe()
    pipe.write("x")
    let holder = Holder<IOSource>()
    holder.value = try loop.watch(descriptor: pipe.reading.raw, interest: .read) {
      [unowned holder] _ in
      holder.value = nil
      holder.count += 1
    }
    try loop.drain()
    #expect(holder.count == 1)
  }

  @Test func aSourceThatAnotherDropsNeverFires() throws {
    for drop in [true, false] {
      let pipes = try (0..<8).map { _ in try Pipe() }
      let holder = Holder<[IOSource]>()
      holder.value = try pipes.map { pipe in
        pipe.write("x")
        return try loop.watch(descriptor: pipe.reading.raw, interest: .read) {
          [unowned holder] _ in
          holder.count += 1
          if !drop { holder.value?.forEach { $0.cancel() } }
          holder.value = nil
        }
      }
      try withExtendedLifetime(pipes) { try loop.drain() }
      #expect(holder.count == 1)
    }
  }

  @Test func cancellingReleasesTheHandler() throws {
    let pipe = try Pipe()
    weak var weakly: Holder<Int>?
    let source: IOSource
    do {
      let captured = Holder<Int>()
      weakly = captured
      source = try loop.watch(descriptor: pipe.reading.raw, interest: .read) { _ in
        captured.count += 1
      }
    }
    #expect(weakly != nil)
    source.cancel()
    #expect(weakly == nil)
    source.cancel()
  }

  @Test func aSourceKeepsItsLoopAlive() throws {
    let pipe = try Pipe()
    var own: EventLoop? = try EventLoop()
    let source = try own?.watch(descriptor: pipe.reading.raw, interest: .read) { _ in }
    own = nil
    source?.interest = .write
    source?.cancel()
  }

  // MARK: - Turns

  @Test func afterEachTurnFollowsATurnAndCausesNone() throws {
    let pipe = try Pipe()
    var order: [String] = []
    let post = loop.afterEachTurn { order.append("post") }
    let source = try loop.watch(descriptor: pipe.reading.raw, interest: .read) { _ in
      order.append("read \(pipe.readAll())")
    }
    try loop.drain()
    #expect(order.isEmpty)
    pipe.write("1")
    try loop.drain()
    #expect(order == ["read 1", "post"])
    post.cancel()
    source.cancel()
  }

  // MARK: - Signals

  @Test func aSignalBeforeRunIsHandled() async {
    await #expect(processExitsWith: .exitCode(3)) {
      let loop = try EventLoop()
      var seen: Set<Int32> = []
      let sources = try [SIGTERM, SIGINT, SIGHUP].map { number in
        try loop.signal(number) {
          seen.insert(number)
          if seen.count == 3 { loop.exit(code: 3) }
        }
      }
      // To this thread: the other threads of the test runner do not block them.
      for number in [SIGTERM, SIGINT, SIGHUP] { pthread_kill(pthread_self(), number) }
      let code = try loop.run()
      for source in sources { source.cancel() }
      exit(code)
    }
  }

  @Test func aClosedPipeIsAnErrorAndNotASignal() async {
    await #expect(processExitsWith: .exitCode(0)) {
      Signals.ignoreBrokenPipe()
      let ends = try SocketEnds()
      ends.theirs = nil
      exit(write(ends.mine?.raw ?? -1, "x", 1) == -1 && errno == EPIPE ? 0 : 1)
    }
  }
}

/// What both kinds of timer can do.
protocol ArmableTimer: AnyObject {
  var deadline: MotionInstant? { get }
  func arm(at instant: MotionInstant)
}

extension TimerSource: ArmableTimer {}
extension FrameTimer: ArmableTimer {}

enum TimerKind: CaseIterable {
  case general, frames

  func timer(
    of loop: EventLoop, _ handler: @escaping () -> Void
  ) throws(SystemError) -> any ArmableTimer {
    switch self {
    case .general: return try loop.timer(handler)
    case .frames: return try loop.frameTimer(handler)
    }
  }
}

@Suite struct TimerTests {
  let loop: EventLoop

  init() throws { loop = try EventLoop() }

  @Test func allDueTimersFire() throws {
    let now = MonotonicClock.now()
    var fired: Set<MotionDuration> = []
    let timers = try [300_000, 100_000, 200_000].map { (ago: MotionDuration) in
      let timer = try loop.timer { fired.insert(ago) }
      timer.arm(at: now - ago)
      return timer
    }
    try loop.drain()
    #expect(fired == [300_000, 200_000, 100_000])
    #expect(timers.allSatisfy { $0.deadline == nil })
  }

  @Test(arguments: TimerKind.allCases)
  func aTimerIsNeverEarly(kind: TimerKind) throws {
    var fired: MotionInstant?
    let timer = try kind.timer(of: loop) { fired = MonotonicClock.now() }
    for step in Int64(0)..<50 {
      let deadline = MonotonicClock.now() + .nanoseconds(20_000 + step * 37)
      fired = nil
      timer.arm(at: deadline)
      while fired == nil { try loop.turn(waiting: true) }
      #expect(try #require(fired) >= deadline)
      #expect(timer.deadline == nil)
    }
  }

  @Test(arguments: TimerKind.allCases, [MotionInstant.distantPast, -1, 0, 1])
  func aPastInstantIsDueAtOnce(kind: TimerKind, instant: MotionInstant) throws {
    var count = 0
    let timer = try kind.timer(of: loop) { count += 1 }
    timer.arm(at: instant)
    try loop.drain()
    #expect(count == 1)
  }

  @Test(arguments: TimerKind.allCases)
  func aTimerFiresOnceAndMayArmItselfAgain(kind: TimerKind) throws {
    let holder = Holder<any ArmableTimer>()
    holder.value = try kind.timer(of: loop) { [unowned holder] in
      holder.count += 1
      #expect(holder.value?.deadline == nil)
      if holder.count < 100 { holder.value?.arm(at: .init(nanoseconds: Int64(holder.count))) }
    }
    holder.value?.arm(at: 0)
    try loop.drain()
    #expect(holder.count == 100)
  }

  @Test func aDisarmedTimerDoesNotFireEvenIfDue() throws {
    var timers: [TimerSource] = []
    var count = 0
    for _ in 0..<2 {
      timers.append(
        try loop.timer {
          count += 1
          for timer in timers { timer.disarm() }
        })
    }
    for timer in timers { timer.arm(at: 1000) }
    try loop.drain()
    #expect(count == 1)
    #expect(timers.allSatisfy { $0.deadline == nil })
  }

  @Test func onlyTheLastDeadlineCounts() throws {
    var count = 0
    let timer = try loop.timer { count += 1 }
    timer.arm(at: 0)
    timer.arm(at: .distantFuture)
    #expect(timer.deadline == .distantFuture)
    try loop.drain()
    #expect(count == 0)
    timer.arm(at: 0)
    try loop.drain()
    #expect(count == 1)
  }

  // MARK: - The frames' timer

  @Test func onlyTheLastDeadlineOfAFrameTimerCounts() throws {
    var count = 0
    let timer = try loop.frameTimer { count += 1 }
    timer.arm(at: 0)
    timer.arm(at: .distantFuture)
    try loop.drain()
    #expect(count == 0)
    timer.arm(at: 0)
    timer.disarm()
    try loop.drain()
    #expect(count == 0)
    // Another handler of the same turn moves what is due already.
    let mover = try loop.timer(priority: EventPriority(rawValue: -1)) {
      timer.arm(at: .distantFuture)
    }
    timer.arm(at: 0)
    mover.arm(at: 0)
    try loop.drain()
    #expect(count == 0 && timer.deadline == .distantFuture)
    timer.cancel()
    timer.arm(at: 0)
    try loop.drain()
    #expect(count == 0)
  }

  @Test func armingAndFiringAllocateNothing() throws {
    guard AllocationCount.isAvailable else { return }
    let timer = try loop.timer {}
    timer.arm(at: 0)
    try loop.drain()
    let count = try AllocationCount.during {
      for instant in 0..<100 {
        timer.arm(at: .distantFuture)
        timer.arm(at: .init(nanoseconds: Int64(instant)))
        try loop.drain()
      }
    }
    #expect(count == 0)
  }

  @Test func aHandlerMayDropItsTimerAndAnother() throws {
    let holder = Holder<[TimerSource]>()
    holder.value = try (0..<4).map { index in
      let timer = try loop.timer { [unowned holder] in
        holder.count += 1
        holder.value = nil
      }
      timer.arm(at: .init(nanoseconds: Int64(index)))
      return timer
    }
    try loop.drain()
    #expect(holder.count == 1)
  }

  @Test func aCancelledTimerCannotBeArmed() throws {
    let timer = try loop.timer { Issue.record("fired") }
    timer.cancel()
    timer.arm(at: 0)
    #expect(timer.deadline == nil)
    try loop.drain()
  }

  @Test func timersHaveNoEffectAfterTheLoop() throws {
    let timer = try loop.timer { Issue.record("fired") }
    loop.exit(code: 0)
    #expect(try loop.run() == 0)
    timer.arm(at: 0)
    timer.disarm()
    loop.exit(code: 1)
  }
}
