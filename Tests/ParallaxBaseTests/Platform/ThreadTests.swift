// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import ParallaxTestSupport
import Synchronization
import Testing

/// Whether the descriptor can be read now.
private func isReadable(_ descriptor: Int32) -> Bool {
  var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  return poll(&entry, 1, 0) == 1
}

@Suite struct WakeUpTests {
  @Test func aSignalMakesTheDescriptorReadableUntilItIsCleared() throws {
    let wakeUp = try WakeUp()
    #expect(!isReadable(wakeUp.descriptor))
    wakeUp.signal()
    wakeUp.signal()
    #expect(isReadable(wakeUp.descriptor))
    wakeUp.clear()
    #expect(!isReadable(wakeUp.descriptor))
    wakeUp.clear()
    #expect(fcntl(wakeUp.descriptor, F_GETFD) == FD_CLOEXEC)
  }

  @Test func waitingEndsWithASignalAndClearsIt() throws {
    let wakeUp = try WakeUp()
    wakeUp.signal()
    wakeUp.wait(atMost: nil)
    #expect(!isReadable(wakeUp.descriptor))
  }

  @Test(arguments: [-1, 0, 2_000_000] as [MotionDuration])
  func waitingEndsAfterItsLimit(limit: MotionDuration) throws {
    let wakeUp = try WakeUp()
    let before = MonotonicClock.now()
    wakeUp.wait(atMost: limit)
    #expect(MonotonicClock.now() - before >= limit)
  }

  @Test func anotherThreadWakesTheWaitingOne() throws {
    final class Shared: Sendable {
      let wakeUp: WakeUp
      init(_ wakeUp: consuming WakeUp) { self.wakeUp = wakeUp }
    }
    let shared = Shared(try WakeUp())
    try DetachedThread.start { shared.wakeUp.signal() }
    shared.wakeUp.wait(atMost: .seconds(30))
    #expect(!isReadable(shared.wakeUp.descriptor))
  }
}

@Suite struct DetachedThreadTests {
  private final class Flag: Sendable {
    let isSet = Atomic(false)
    func set() { isSet.store(true, ordering: .sequentiallyConsistent) }
    var value: Bool { isSet.load(ordering: .sequentiallyConsistent) }
  }

  private final class Found: Sendable {
    let value = Atomic(Int32.max)
  }

  @Test(arguments: [nil, 64 << 10, 512 << 10])
  func theBodyRunsOnAnotherThreadAndIsReleased(stackBytes: Int?) throws {
    let caller = pthread_self()
    let flag = Flag()
    weak var captured: Flag?
    do {
      let inner = Flag()
      captured = inner
      try DetachedThread.start(stackBytes: stackBytes) {
        inner.set()
        if pthread_self() != caller { flag.set() }
      }
    }
    try waitUntil("the thread releases its body") { captured == nil }
    #expect(flag.value)
  }

  /// The niceness is the thread's own.
  @Test(arguments: [0, 7, 10] as [Int32])
  func theThreadYields(niceness: Int32) throws {
    let process = __priority_which_t(PRIO_PROCESS.rawValue)
    let before = getpriority(process, 0)
    let found = Found()
    try DetachedThread.start(niceness: niceness) {
      found.value.store(getpriority(process, 0), ordering: .sequentiallyConsistent)
    }
    try waitUntil("the thread runs") {
      found.value.load(ordering: .sequentiallyConsistent) != .max
    }
    #expect(found.value.load(ordering: .sequentiallyConsistent) == min(before + niceness, 19))
    #expect(getpriority(process, 0) == before)
  }

  /// A signal for the process reaches the program's own threads, also one that comes at once.
  @Test func theThreadReceivesNoSignals() throws {
    // A test may run on a thread that blocks signals itself.
    var (none, previous) = (sigset_t(), sigset_t())
    pthread_sigmask(SIG_SETMASK, &none, &previous)
    defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
    let (masked, ran) = (Flag(), Flag())
    try DetachedThread.start {
      var mask = sigset_t()
      pthread_sigmask(SIG_BLOCK, nil, &mask)
      let signals = [SIGCHLD, SIGTERM, SIGINT, SIGHUP, SIGWINCH]
      if signals.allSatisfy({ sigismember(&mask, $0) == 1 }) { masked.set() }
      ran.set()
    }
    try waitUntil("the thread runs") { ran.value }
    #expect(masked.value)
    // The caller's mask is as it was.
    var after = sigset_t()
    pthread_sigmask(SIG_BLOCK, nil, &after)
    #expect((1..<32 as Range<Int32>).allSatisfy { sigismember(&after, $0) == 0 })
  }

  @Test func aTooSmallStackBecomesTheDefault() throws {
    let flag = Flag()
    try DetachedThread.start(stackBytes: 1) { flag.set() }
    try waitUntil("the thread runs") { flag.value }
  }

  @Test func withoutMemoryForItsStackAThreadIsAnError() throws {
    let error = #expect(throws: SystemError.self) {
      try DetachedThread.start(stackBytes: 1 << 60) {}
    }
    #expect(error?.call == "pthread_create")
  }
}

@Suite struct TimeLimitTests {
  @Test func aReadyValueIsReturned() {
    #expect(TimeLimit.wait(for: .seconds(30)) { 7 } == 7)
  }

  @Test func callsThatNeverReturnAreAbandoned() throws {
    let pipe = try Pipe()
    _ = fcntl(pipe.reading.raw, F_SETFL, 0)
    // The number of a second descriptor: the thread must not read from one that another test opens.
    let reader = try pipe.reading.duplicate().release()
    let value = TimeLimit.wait(for: .zero) { () -> Int in
      var byte: UInt8 = 0
      defer { close(reader) }
      return read(reader, &byte, 1)
    }
    #expect(value == nil)
    // Ends the thread.
    pipe.write("x")
  }

  @Test func workThatTakesAMomentIsWaitedFor() {
    let value = TimeLimit.wait(for: .seconds(30)) { () -> Int in
      usleep(2_000)
      return 7
    }
    #expect(value == 7)
  }
}

@Suite struct WorkerThreadsTests {
  @Test(arguments: [0, 1, 2, 100])
  func everyJobRunsOnce(jobs: Int) {
    let shared = Shared([Int](repeating: 0, count: jobs))
    WorkerThreads.run(jobs: jobs) { index in shared.counts.withLock { $0[index] += 1 } }
    #expect(shared.counts.withLock { $0 } == [Int](repeating: 1, count: jobs))
  }

  private final class Shared: Sendable {
    let counts: Mutex<[Int]>
    init(_ counts: [Int]) { self.counts = Mutex(counts) }
  }
}
