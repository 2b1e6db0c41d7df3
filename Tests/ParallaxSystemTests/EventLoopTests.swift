import Glibc
import ParallaxSystem
import ParallaxTestSupport
import Testing

@Suite struct EventLoopTests {
  let loop: EventLoop

  init() throws { loop = try EventLoop() }

  @Test func `The code given to exit comes back from run`() throws {
    let timer = try loop.timer { [loop] in loop.exit(code: 69) }
    timer.arm(atNanoseconds: MonotonicClock.now())
    #expect(try loop.run() == 69)
  }

  @Test func `Exit before run ends it at once`() throws {
    loop.exit(code: 0)
    #expect(try loop.run() == 0)
  }

  // -- Descriptors

  @Test func `A readable pipe calls the handler until it has been read`() throws {
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

  @Test func `The interest changes what is reported`() throws {
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

  @Test func `A full pipe is not writable until it is read`() throws {
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

  @Test func `A hang-up is reported whatever the interest`() throws {
    let ends = try Ends()
    var seen: [IOEvents] = []
    let source = try loop.watch(descriptor: ends.mine?.raw ?? -1, interest: []) { seen.append($0) }
    ends.theirs = nil
    #expect(try loop.turn(waiting: true))
    #expect(seen.first?.contains(.hungUp) == true)
    source.cancel()
    #expect(try !loop.turn(waiting: false))
  }

  @Test func `The end of the peer's output is not a hang-up`() throws {
    let pair = try UnixStream.pair()
    var seen: [IOEvents] = []
    let source = try loop.watch(descriptor: pair.first.descriptor.raw, interest: .peerEnd) {
      seen.append($0)
    }
    pair.second.endOutput()
    #expect(try loop.turn(waiting: true))
    #expect(seen.first?.contains(.peerEnded) == true)
    #expect(seen.first?.contains(.hungUp) == false)
    source.cancel()
  }

  @Test func `What cannot be followed is refused with its call`() throws {
    let folder = try FileDescriptor.open("/", O_RDONLY)
    let error = #expect(throws: SystemError.self) {
      _ = try loop.watch(descriptor: folder.raw, interest: .read) { _ in }
    }
    #expect(error == SystemError(number: EPERM, call: "sd_event_add_io"))
  }

  @Test func `A source that cannot be changed any more ends the loop with its error`() throws {
    let ends = try Ends()
    let source = try loop.watch(descriptor: ends.mine?.raw ?? -1, interest: .read) { _ in }
    // Against the rule: closed under the source.
    ends.mine = nil
    source.interest = .write
    let error = #expect(throws: SystemError.self) { _ = try loop.run() }
    #expect(error?.call == "sd_event_source_set_io_events")
    ends.theirs = nil
  }

  // -- Life and death of sources

  @Test func `A handler may cancel its own source`() throws {
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

  @Test func `A handler may drop the last reference to its own source`() throws {
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

  @Test func `Of sources due at once, one dropped by another never fires`() throws {
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

  @Test func `Cancelling lets go of the handler`() throws {
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

  @Test func `A source outlives the loop's last other reference`() throws {
    let pipe = try Pipe()
    var own: EventLoop? = try EventLoop()
    let source = try own?.watch(descriptor: pipe.reading.raw, interest: .read) { _ in }
    own = nil
    source?.interest = .write
    source?.cancel()
  }

  @Test func `Smaller priorities go first`() throws {
    let pipes = try (0..<3).map { _ in try Pipe() }
    var order: [Int] = []
    let sources = try pipes.enumerated().map { index, pipe in
      pipe.write("x")
      let source = try loop.watch(descriptor: pipe.reading.raw, interest: .read) { _ in
        order.append(index)
        pipe.readAll()
      }
      source.setPriority(Int64(-index))
      return source
    }
    try loop.drain()
    #expect(order == [2, 1, 0])
    #expect(sources.count == 3)
  }

  // -- Turns

  @Test func `After each turn follows a turn and makes none`() throws {
    let pipe = try Pipe()
    var order: [String] = []
    let post = try loop.afterEachTurn { order.append("post") }
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

  // -- Signals

  @Test func `A signal that arrives before run is not lost`() async {
    await #expect(processExitsWith: .exitCode(3)) {
      let loop = try EventLoop()
      var seen: Set<Int32> = []
      let sources = try [SIGTERM, SIGINT, SIGHUP].map { number in
        try loop.signal(number) {
          seen.insert(number)
          if seen.count == 3 { loop.exit(code: 3) }
        }
      }
      // To this thread: the test runner's others do not block them.
      for number in [SIGTERM, SIGINT, SIGHUP] { pthread_kill(pthread_self(), number) }
      let code = try loop.run()
      for source in sources { source.cancel() }
      exit(code)
    }
  }

  @Test func `A closed pipe is an error, not a signal`() async {
    await #expect(processExitsWith: .exitCode(0)) {
      Signals.ignoreBrokenPipe()
      let ends = try Ends()
      ends.theirs = nil
      exit(write(ends.mine?.raw ?? -1, "x", 1) == -1 && errno == EPIPE ? 0 : 1)
    }
  }
}

@Suite struct TimerTests {
  let loop: EventLoop

  init() throws { loop = try EventLoop() }

  @Test func `All due timers fire, those of smaller priority first`() throws {
    let now = MonotonicClock.now()
    var order: [Int64] = []
    let timers = try [Int64(300_000), 100_000, 200_000].map { ago in
      let timer = try loop.timer { order.append(ago) }
      timer.arm(atNanoseconds: now - ago)
      timer.setPriority(-ago)
      return timer
    }
    try loop.drain()
    #expect(order == [300_000, 200_000, 100_000])
    #expect(timers.allSatisfy { !$0.isArmed })
  }

  @Test func `A timer is never early`() throws {
    var fired: Int64 = 0
    let timer = try loop.timer { fired = MonotonicClock.now() }
    for step in 0..<50 {
      let deadline = MonotonicClock.now() + 20_000 + Int64(step) * 37
      fired = 0
      timer.arm(atNanoseconds: deadline)
      while fired == 0 { try loop.turn(waiting: true) }
      #expect(fired >= deadline)
    }
  }

  @Test(arguments: [Int64.min, -1, 0, 1])
  func `An instant long ago is due at once`(instant: Int64) throws {
    var count = 0
    let timer = try loop.timer { count += 1 }
    timer.arm(atNanoseconds: instant)
    try loop.drain()
    #expect(count == 1)
  }

  @Test func `One shot: it fires once and may arm itself again`() throws {
    let holder = Holder<TimerSource>()
    holder.value = try loop.timer { [unowned holder] in
      holder.count += 1
      #expect(holder.value?.isArmed == false)
      if holder.count < 100 { holder.value?.arm(atNanoseconds: Int64(holder.count)) }
    }
    holder.value?.arm(atNanoseconds: 0)
    try loop.drain()
    #expect(holder.count == 100)
  }

  @Test func `Disarmed it does not fire, though it was due`() throws {
    var order: [String] = []
    let second = try loop.timer { order.append("second") }
    let first = try loop.timer {
      order.append("first")
      second.disarm()
    }
    first.setPriority(-1)
    second.arm(atNanoseconds: 1000)
    first.arm(atNanoseconds: 2000)
    try loop.drain()
    #expect(order == ["first"])
    #expect(second.deadlineNanoseconds == nil)
  }

  @Test func `Armed again, only the last instant counts`() throws {
    var count = 0
    let timer = try loop.timer { count += 1 }
    timer.arm(atNanoseconds: 0)
    timer.arm(atNanoseconds: .max)
    #expect(timer.deadlineNanoseconds == .max)
    try loop.drain()
    #expect(count == 0)
    timer.arm(atNanoseconds: 0)
    try loop.drain()
    #expect(count == 1)
  }

  @Test func `Arming and firing takes nothing from the heap`() throws {
    guard AllocationCount.isAvailable else { return }
    let timer = try loop.timer {}
    timer.arm(atNanoseconds: 0)
    try loop.drain()
    let count = try AllocationCount.during {
      for instant in 0..<100 {
        timer.arm(atNanoseconds: .max)
        timer.arm(atNanoseconds: Int64(instant))
        try loop.drain()
      }
    }
    #expect(count == 0)
  }

  @Test func `A handler may drop its own timer, and another that is due`() throws {
    let holder = Holder<[TimerSource]>()
    holder.value = try (0..<4).map { index in
      let timer = try loop.timer { [unowned holder] in
        holder.count += 1
        holder.value = nil
      }
      timer.arm(atNanoseconds: Int64(index))
      return timer
    }
    try loop.drain()
    #expect(holder.count == 1)
  }

  @Test func `A cancelled timer cannot be armed`() throws {
    let timer = try loop.timer { Issue.record("fired") }
    timer.cancel()
    timer.arm(atNanoseconds: 0)
    #expect(!timer.isArmed)
    try loop.drain()
  }

  @Test func `The loop's end leaves timers harmless`() throws {
    let timer = try loop.timer { Issue.record("fired") }
    loop.exit(code: 0)
    #expect(try loop.run() == 0)
    timer.arm(atNanoseconds: 0)
    timer.disarm()
    loop.exit(code: 1)
  }
}

/// A place that handlers reach without keeping it alive.
final class Holder<Value> {
  var value: Value?
  var count = 0
}
