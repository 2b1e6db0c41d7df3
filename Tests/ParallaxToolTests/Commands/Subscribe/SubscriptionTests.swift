// SPDX-License-Identifier: Apache-2.0

import ParallaxClient
import ParallaxTestSupport
import Testing

@testable import ParallaxTool

/// What `parallax subscribe` prints and when, without a daemon and without waiting.
@Suite("Subscription")
struct SubscriptionTests {
  private static let version =
    #"{"class":"VERSION","release":"0.1.0","proto_major":1,"proto_minor":3}"#
  private static let open = #"{"class":"GATE","open":true,"gain":1,"reasons":[]}"#
  private static let paused = #"{"class":"GATE","open":false,"gain":0,"reasons":["paused"]}"#

  private static func device(_ state: String) -> String {
    #"{"class":"DEVICE","driver":"iio","state":"\#(state)"}"#
  }

  private static func offset(_ x: Double) -> String {
    #"{"class":"OFFSET","seq":1,"time":1.5,"x":\#(x),"y":0,"nx":0,"ny":0}"#
  }

  /// A subscription that has been driven for a while, and what it has said.
  private final class Run {
    private var subscription: Subscription
    private var now = MotionInstant(nanoseconds: 1_000_000_000)
    private(set) var ending: Subscription.Ending?

    /// Passes before each event.
    private let step: MotionDuration

    init(
      _ format: String, step: MotionDuration = .zero,
      _ change: (inout Subscription.Options) -> Void = { _ in }
    ) throws {
      self.step = step
      var options = Subscription.Options(format: try LineFormat(parsing: format))
      change(&options)
      subscription = Subscription(options, at: now)
    }

    private func perform(
      _ body: (inout Subscription) throws(Subscription.Ending) -> Void
    ) -> Run {
      guard ending == nil else { return self }
      now += step
      do {
        try body(&subscription)
        try subscription.tick(at: now)
      } catch {
        ending = error
      }
      return self
    }

    /// Sends lines that arrive together.
    func receive(_ lines: String...) -> Run {
      perform { subscription throws(Subscription.Ending) in
        for line in lines { try subscription.receive(Array(line.utf8)[...], at: now) }
        try subscription.caughtUp(at: now)
      }
    }

    func connect() -> Run {
      perform { $0.connected(at: now) }.receive(version)
    }

    func accept() -> Run { perform { $0.connected(at: now) } }

    func lose(_ error: ParallaxError = .closed) -> Run {
      perform { subscription throws(Subscription.Ending) in try subscription.lost(error, at: now) }
    }

    /// Lets time pass. The deadline must be no later than what happens then.
    func wait(seconds: Double) -> Run {
      let deadline = subscription.deadline
      now += MotionDuration(seconds: seconds)
      let before = subscription.notes.count
      let hadOutput = !subscription.output.isEmpty
      let run = perform { _ in }
      if subscription.notes.count > before || ending != nil
        || !subscription.output.isEmpty && !hadOutput
      {
        #expect(deadline.map { $0 <= now } == true, "no one would have called tick")
      }
      return run
    }

    /// The lines since the last call.
    var lines: [String] {
      defer { subscription.output = [] }
      return String(decoding: subscription.output, as: UTF8.self).split(separator: "\n").map(
        String.init)
    }

    /// The notes since the last call.
    var notes: [String] {
      defer { subscription.notes = [] }
      return subscription.notes
    }
  }

  @Test func aLineComesAtOnceAndAtEachChange() throws {
    let run = try Run("{x} {gate} {device}").connect()
    #expect(run.lines == [])
    #expect(run.receive(Self.device("idle"), Self.paused).lines == ["0 closed idle"])
    #expect(run.receive(Self.paused).lines == [], "nothing has changed")
    #expect(
      run.receive(Self.device("streaming"), Self.open, Self.offset(1)).lines == ["1 open streaming"]
    )
    #expect(
      run.receive(Self.offset(1), Self.offset(2)).lines == ["1 open streaming", "2 open streaming"])
    #expect(run.receive(Self.device("lost")).lines == ["2 open lost"])
  }

  @Test func aBarHasNoLineTwice() throws {
    let run = try Run("polybar", step: .milliseconds(50)).connect()
    #expect(run.receive(Self.device("idle"), Self.paused).lines == ["paused"])
    #expect(run.receive(Self.offset(1), Self.offset(0)).lines == [], "the gate fades")
    #expect(run.receive(Self.open, Self.device("streaming"), Self.offset(2)).lines == ["+2.0 +0.0"])
    #expect(run.receive(Self.offset(2.01), Self.offset(2.5)).lines == ["+2.5 +0.0"])
  }

  @Test func aBarHasNoTwoLinesAtOnce() throws {
    let run = try Run("polybar").connect()
      .receive(Self.device("streaming"), Self.open, Self.offset(1)).wait(seconds: 0.03)
      .receive(Self.offset(2)).receive(Self.paused)
    #expect(run.lines == ["+1.0 +0.0"])
    #expect(run.wait(seconds: 0.019).lines == [])
    #expect(run.wait(seconds: 0.001).lines == ["paused"])
    #expect(run.wait(seconds: 60).lines == [])
  }

  @Test func theEndOfTheDaemonIsNotTheDevices() throws {
    let shutdown = #"{"class":"DEVICE","driver":"iio","state":"ended","reason":"shutdown"}"#
    let run = try Run("polybar", step: .milliseconds(50)) { $0.reconnects = true }.connect()
      .receive(Self.device("streaming"), Self.open).receive(shutdown)
    #expect(run.lines == ["+0.0 +0.0"])
    #expect(run.lose().lines == ["no daemon"])
    let once = try Run("polybar").connect().receive(
      Self.device("streaming"), Self.open, Self.paused
    )
    .receive(shutdown).lose()
    #expect(once.lines == ["paused"])
    #expect(once.ending == .complete)
  }

  @Test func aBarOutlivesTheDaemon() throws {
    let run = try Run("polybar", step: .milliseconds(50)) { $0.reconnects = true }
    let refused = ParallaxError.noDaemon(attempts: [.init(path: "/s", errno: 2)])
    #expect(run.lose(refused).lines == ["no daemon"])
    #expect(
      run.notes == [
        "waiting: no daemon answers (/s: No such file or directory); start one with "
          + "'systemctl start parallax' or 'parallax run'"
      ])
    #expect(run.lose(refused).lines == [] && run.notes == [], "each reason once")
    #expect(
      run.connect().receive(Self.device("streaming"), Self.open, Self.offset(3)).lines
        == ["+3.0 +0.0"])
    #expect(run.lose().lines == ["no daemon"])
    #expect(run.notes == ["waiting: the daemon ended the connection"])
    // A new daemon begins at rest.
    #expect(
      run.connect().receive(Self.device("streaming"), Self.open).lines == ["+0.0 +0.0"])
    #expect(run.ending == nil)
  }

  @Test func aRefusalIsShownAndTriedAgain() throws {
    let denied = #"{"class":"ERROR","message":"not for you","code":"denied"}"#
    let run = try Run("polybar", step: .milliseconds(50)) { $0.reconnects = true }
    #expect(run.accept().receive(denied).lose().lines == ["denied"])
    #expect(run.notes == ["waiting: not for you"])
    let once = try Run("polybar").accept().receive(denied).lose()
    #expect(once.ending == .failed(CommandFailure(.noPermission, "not for you")))
    let bad = #"{"class":"ERROR","message":"rate: no","code":"bad-request"}"#
    let wrong = try Run("polybar") { $0.reconnects = true }.connect().receive(bad)
    #expect(wrong.ending == .failed(CommandFailure(.usage, "rate: no")))
  }

  @Test func theReasonIsReportedAfterASecondAndOnce() throws {
    let run = try Run("json").connect().receive(Self.device("none"), Self.paused)
    #expect(run.wait(seconds: 0.999).notes == [])
    #expect(
      run.wait(seconds: 0.001).notes == ["waiting: no motion (paused); see 'parallax doctor'"])
    #expect(run.wait(seconds: 60).notes == [])
    #expect(
      run.receive(Self.open).notes == ["waiting: no motion (device:none); see 'parallax doctor'"])
    // Motion, and the gate closes again.
    _ = run.receive(Self.device("streaming"), Self.offset(1), Self.paused)
    #expect(run.wait(seconds: 60).notes == [])
    #expect(run.ending == nil)
  }

  @Test func aPictureAtRestIsNoReason() throws {
    let run = try Run("json").connect().receive(Self.device("streaming"), Self.open)
    #expect(run.wait(seconds: 3600).notes == [])
  }

  @Test func whoWaitsForOtherLinesIsNotTold() throws {
    let run = try Run("json") { $0.classes = ["GATE"] }.connect().receive(Self.paused)
    #expect(run.wait(seconds: 60).notes == [])
  }

  @Test func aDaemonThatSaysNothing() throws {
    let run = try Run("polybar", step: .milliseconds(50)).accept().wait(seconds: 1)
    #expect(run.notes == ["waiting: no answer from the daemon; see 'parallax doctor'"])
    #expect(run.lines == ["no answer"])
    #expect(
      run.receive(Self.version, Self.device("streaming"), Self.open).lines == ["+0.0 +0.0"])
  }

  @Test func theTimeoutCountsFromTheLastLine() throws {
    let run = try Run("csv") { $0.timeout = .seconds(5) }.connect()
      .receive(Self.device("streaming"), Self.open).wait(seconds: 4.9).receive(Self.offset(1))
      .wait(seconds: 4.9)
    #expect(run.ending == nil)
    #expect(
      run.wait(seconds: 0.1).ending
        == .failed(CommandFailure(.unavailable, "no line within 5 s; see 'parallax doctor'")))
    let gated = try Run("csv") { $0.timeout = .seconds(2) }.connect()
      .receive(Self.device("none"), Self.paused).wait(seconds: 2)
    #expect(
      gated.ending
        == .failed(
          CommandFailure(.unavailable, "no line within 2 s (paused); see 'parallax doctor'")))
  }

  @Test func theCountIsOfPrintedLines() throws {
    let run = try Run("{x}") { $0.count = 2 }.connect()
      .receive(Self.device("streaming"), Self.paused).receive(
        Self.open, Self.offset(1), Self.offset(2))
    #expect(run.ending == .complete)
    #expect(run.lines == ["0", "1"])
  }

  @Test func offsetsOfOtherLayersAreNotShown() throws {
    let layers = [WatchMessage.LayerDepth(name: "bg", depth: 1)]
    let run = try Run("{bg.x}|") { $0.watch = WatchMessage(layers: layers) }.connect()
      .receive(Self.device("streaming"), Self.open, Self.offset(1))
    #expect(run.lines == [])
    let asked =
      #"{"class":"OFFSET","seq":1,"time":1.5,"x":1,"y":0,"nx":0,"ny":0,"layers":{"bg":{"x":4,"y":0}}}"#
    #expect(run.receive(#"{"class":"WATCH","layers":{"bg":1}}"#, asked).lines == ["4|"])
  }

  @Test func csvHasOneHeaderForAllDaemons() throws {
    let run = try Run("csv") { $0.reconnects = true }.connect().receive(Self.offset(1)).lose()
      .connect().receive(Self.offset(2))
    #expect(run.lines == ["time,x,y", "1.500000000,1,0", "1.500000000,2,0"])
  }
}
