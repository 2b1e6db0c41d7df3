// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
@testable import ParallaxGates
import ParallaxMotion
import ParallaxProtocol
import ParallaxTestSupport
@testable import ParallaxTool
import Testing

@Suite struct WatchModelTests {
  private let size = TerminalSize(columns: 80, rows: 24)

  private func screen(_ model: WatchModel, at now: MotionInstant = ViewExample.end) -> String {
    WatchScreen.draw(model, size: size, ViewExample.unicode, at: now).text
  }

  // MARK: - What it says

  @Test(arguments: [
    ([String](), true, 1.0, "gate open"),
    (["paused"], false, 0, "gate closed: paused; press space to go on"),
    (["reduce-motion:portal"], true, 0.25, "gate reduced: reduced motion is on in the desktop"),
    (["low-power:sysfs", "inhibit"], false, 0, "closed: the battery is low; a program asks"),
    // Of a later release.
    (["moonlight:full"], false, 0, "gate closed: moonlight:full"),
  ])
  func theGateInWords(reasons: [String], open: Bool, gain: Double, words: String) {
    var model = ViewExample.model()
    model.receive(.gate(GateMessage(open: open, gain: gain, reasons: reasons)))
    #expect(screen(model).contains(words))
  }

  @Test func everyReasonHasWords() {
    for reason in GateReason.allCases {
      #expect(GateText.words(reason.rawValue) != reason.rawValue || reason == .sleep)
    }
  }

  @Test func framesPerSecondAreCountedBetweenTwoStatus() {
    var model = ViewExample.model()
    #expect(model.frameHertz == 30)
    // A restarted daemon counts from 0.
    model.receive(ViewExample.status(frames: 5, uptime: .seconds(1)))
    #expect(model.frameHertz == nil)
  }

  @Test func refusedRatesSayWhy() {
    var model = ViewExample.model()
    model.ratesRefused("RECORD: only privileged users may record")
    #expect(screen(model).contains("Not shown: RECORD: only"))
  }

  @Test func aLostConnectionIsShownAndForgotten() {
    var model = ViewExample.model()
    model.lostConnection("the daemon ended the connection")
    let text = screen(model)
    #expect(text.contains("no connection"))
    #expect(text.contains("daemon the daemon ended the connection"))
    #expect(!model.isMoving(at: ViewExample.end))
    model.receive(.version(VersionMessage(release: "1.0", protoMajor: 1, protoMinor: 3)))
    #expect(model.connection == .connected)
  }

  @Test func aNoticeReplacesTheKeysForAWhile() throws {
    var model = ViewExample.model()
    model.show("SET: only privileged users may change settings", isError: true, at: ViewExample.end)
    #expect(screen(model).contains("only privileged users may change settings\n"))
    let end = try #require(model.noticeEnd)
    model.removeOldNotice(at: end)
    #expect(screen(model).contains("q quit"))
  }

  @Test func withoutSettingsTheRangeIsWhatWasSeen() {
    var model = WatchModel()
    #expect(model.range("range-x").text == "-1:1")
    model.receive(
      .offset(OffsetMessage(seq: 1, time: 1, x: 12, y: -3, nx: 0.6, ny: -0.1)))
    #expect(model.range("range-x").text == "-20:20")
    #expect(model.range("range-y").text == "-30:30")
  }

  @Test func aLinePerSecondWithoutATerminal() {
    let line = ViewExample.model().line(at: ViewExample.end)
    #expect(
      line == "20.0  x +3.80  y +0.15 px  gate open  sensor 99.8 Hz  frames 30.0 Hz", "\(line)")
  }

  // MARK: - When it moves

  @Test func atRestNothingMoves() {
    var model = ViewExample.model()
    let end = ViewExample.end
    #expect(model.isMoving(at: end))
    // The curves still leave the graph.
    #expect(model.isMoving(at: end + .seconds(5)))
    #expect(!model.isMoving(at: end + .seconds(13)))
    // At the same place no line comes; then one far away.
    var last = ViewExample.offset(600)
    last.seq += 1
    last.time += .seconds(20)
    last.x = 1
    model.receive(.offset(last))
    #expect(model.isMoving(at: last.time))
    // The graph shows a rest and a jump instead of a slow way.
    let before = model.offsets.points(since: last.time - .milliseconds(50))
    #expect(before.dropLast().last?.value.x == ViewExample.offset(600).x)
  }

  // MARK: - Keys

  @Test(arguments: [
    (Key.character("q"), WatchAction.quit), (.control("c"), .quit),
    (.character(" "), .set(key: "paused", value: "on")), (.character("c"), .recenter),
    (.character("r"), .recenter), (.character("+"), .set(key: "scale", value: "6.3")),
    (.character("-"), .set(key: "scale", value: "4")),
    (.character("s"), .set(key: "smoothing", value: "auto:calm")),
    (.character("o"), .set(key: "orientation", value: "normal")),
    (.character("m"), .set(key: "mode", value: "tilt")), (.character("?"), .toggleHelp),
  ])
  func keysAskFor(key: Key, action: WatchAction) {
    #expect(ViewExample.model().action(for: key) == action)
  }

  @Test func otherKeysAskForNothing() {
    for key in [Key.up, .tab, .character("x"), .escape] {
      #expect(ViewExample.model().action(for: key) == nil)
    }
  }

  @Test func spaceGoesOn() {
    var model = ViewExample.model()
    model.receive(.gate(GateMessage(open: false, gain: 0, reasons: ["paused"])))
    #expect(model.action(for: .character(" ")) == .set(key: "paused", value: "off"))
  }

  @Test(arguments: [
    ("auto", "auto:calm"), ("auto:calm", "none"), ("none", "ema:0.12"),
    ("ema:0.5", "one-euro:1,0.2,1"), ("one-euro:1,0.2", "spring:0.5,0.825"),
    ("spring:0.4", "auto:normal"),
  ])
  func smoothingsFollowEachOther(current: String, next: String) {
    var model = ViewExample.model()
    model.receive(
      ViewExample.status(
        ViewExample.standard.filter { $0.0 != "smoothing" } + [("smoothing", .text(current))]))
    #expect(model.action(for: .character("s")) == .set(key: "smoothing", value: next))
  }

  @Test(arguments: [("10,14", "13,18"), ("0", "1"), ("0.5", "0.63"), ("-8", "-10")])
  func strengthKeepsItsForm(scale: String, stronger: String) {
    var model = ViewExample.model()
    model.receive(
      ViewExample.status(
        ViewExample.standard.filter { $0.0 != "scale" } + [("scale", .text(scale))]))
    #expect(model.action(for: .character("+")) == .set(key: "scale", value: stronger))
  }
}
