// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxClient
import Testing

@testable import ParallaxTool

@Suite("The templates of parallax subscribe")
struct LineTemplateTests {
  /// A format and how it prints 1.26, -0.5, 13 and 0: as Python does.
  @Test(
    arguments: [
      (".1f", ["1.3", "-0.5", "13.0", "0.0"]),
      ("+.1f", ["+1.3", "-0.5", "+13.0", "+0.0"]),
      (" .2f", [" 1.26", "-0.50", " 13.00", " 0.00"]),
      ("08.2f", ["00001.26", "-0000.50", "00013.00", "00000.00"]),
      ("<8.1f", ["1.3     ", "-0.5    ", "13.0    ", "0.0     "]),
      (">8.1f", ["     1.3", "    -0.5", "    13.0", "     0.0"]),
      ("^8.1f", ["  1.3   ", "  -0.5  ", "  13.0  ", "  0.0   "]),
      ("^+9.2f", ["  +1.26  ", "  -0.50  ", " +13.00  ", "  +0.00  "]),
      ("+08.3f", ["+001.260", "-000.500", "+013.000", "+000.000"]),
      ("f", ["1.260000", "-0.500000", "13.000000", "0.000000"]),
      // Without decimals, a number is as the stream has it: 13, where Python has 13.0.
      ("", ["1.26", "-0.5", "13", "0"]), ("5", [" 1.26", " -0.5", "   13", "    0"]),
      ("05", ["01.26", "-00.5", "00013", "00000"]),
      // Halves go away from zero.
      (".0f", ["1", "-1", "13", "0"]),
    ] as [(String, [String])])
  func numbers(format: String, texts: [String]) throws {
    let spec = try FormatSpec(parsing: format[...])
    #expect([1.26, -0.5, 13, 0].map { spec.text($0) } == texts)
  }

  @Test func aNumberThatRoundsToZeroHasNoMinus() throws {
    #expect(try FormatSpec(parsing: "+.1f").text(-0.04) == "+0.0")
    #expect(try FormatSpec(parsing: ".0f").text(-0.0) == "0")
  }

  @Test func instantsAreExact() throws {
    let instant = MotionInstant(nanoseconds: 12_345_678_901_234_567)
    for (format, text) in [
      ("", "12345678.901234567"), (".9f", "12345678.901234567"), (".3f", "12345678.901"),
      (".0f", "12345679"), ("+12.1f", " +12345678.9"),
    ] {
      #expect(try FormatSpec(parsing: format[...]).text(instant) == text)
    }
  }

  private let offset = OffsetMessage(
    seq: 42, timeNanoseconds: 12_345_678_901, x: 1.23, y: -0.5, nx: 0.246, ny: -0.1, vx: 4.2, vy: 0,
    layers: [.init(name: "a.b", x: 0.5, y: 2), .init(name: "bg", x: -3, y: 4, vx: 1, vy: 2)],
    rotation: 45, dropped: 7)

  private func view(_ messages: StreamMessage...) -> StreamView {
    var view = StreamView()
    for message in messages { view.update(message) }
    return view
  }

  private let device = StreamMessage.device(
    DeviceMessage(
      driver: "iio", name: "gyro\u{1B}_3d", state: .streaming, rateHertz: 100, reason: nil))

  /// A template and its line for an OFFSET while motion is reduced.
  @Test(
    arguments: [
      ("{time} {seq} {x} {y} {nx} {ny} {vx} {vy}", "12.345678901 42 1.23 -0.5 0.246 -0.1 4.2 0"),
      ("{rotation} {scale} {opacity} {dropped:03}", "45 1 1 007"),
      (
        "{gate} {gain:.2f} {reasons} {device} {name}",
        "reduced 0.25 paused,sleep streaming gyro?_3d"
      ),
      ("{bg.x} {bg.vy} {a.b.y} {a.b.vx:4}| {no.x}|", "-3 2 2     | |"),
      ("{{{x:.0f}}} {{}} }}{{", "{1} {} }{"), ("", ""), ("äö {gate:>8}", "äö  reduced"),
    ] as [(String, String)])
  func everyField(template: String, line: String) throws {
    let gate = GateMessage(open: true, gain: 0.25, reasons: ["paused", "sleep"])
    #expect(
      try LineTemplate(parsing: template).line(of: view(device, .gate(gate), .offset(offset)))
        == line)
  }

  @Test func atRestBeforeTheFirstOffset() throws {
    let template = try LineTemplate(
      parsing:
        "{time:4}|{seq}|{x} {y} {nx} {vx} {rotation} {scale} {opacity} {dropped} {bg.x}|{gate}")
    let closed = GateMessage(open: false, gain: 0, reasons: ["sleep"])
    #expect(template.line(of: view(device, .gate(closed))) == "    ||0 0 0 0 0 1 1 0 |closed")
    var gone = view(device)
    gone.disconnect("no daemon")
    #expect(
      try LineTemplate(parsing: "{gate} {device} {reasons} {gain}").line(of: gone)
        == "offline offline no daemon 0")
  }

  /// A template and its error.
  @Test(
    arguments: [
      ("{x:+.1f", "character 1: '{' without '}'; write {{ for a brace"),
      ("ab }", "character 4: '}' without '{'; write }} for a brace"),
      (
        "{x} {nmae}",
        "character 6: unknown field 'nmae'; did you mean 'name'? Fields: time, seq, x, y, nx, ny, "
          + "vx, vy, rotation, scale, scale_y, opacity, dropped, gate, gain, reasons, device, name, and of a "
          + "layer NAME.x ..."
      ),
      (
        "{}",
        "character 2: unknown field ''; fields: time, seq, x, y, nx, ny, vx, vy, rotation, scale, "
          + "scale_y, opacity, dropped, gate, gain, reasons, device, name, and of a layer NAME.x ..."
      ),
      (
        "{bg.scael}",
        "character 2: unknown field 'bg.scael'; did you mean 'bg.scale'? A layer has x, y, vx, vy, "
          + "rotation, scale, scale_y, opacity"
      ),
      (
        "{bg.}",
        "character 2: unknown field 'bg.'; a layer has x, y, vx, vy, rotation, scale, scale_y, opacity"
      ),
      ("{x:+.1}", "character 7: write 'f' after the decimals, as in .1f"),
      ("{x:q}", "character 4: unexpected 'q'; a format is [<>^][+- ][0][WIDTH][.Nf], as in +.1f"),
      ("{x:200}", "character 4: the width must be 0 to 99"),
      ("{x:.10f}", "character 5: the number of decimals must be 0 to 9"),
      ("{x:.f}", "character 5: the number of decimals must be 0 to 9"),
      ("{x:<05}", "character 5: zeros go before the number; omit the alignment"),
      ("{gate:+}", "character 2: 'gate' is a word; it takes only [<>^][WIDTH]"),
    ] as [(String, String)])
  func errorsSayWhere(template: String, message: String) {
    var found: String?
    do throws(SettingError) { _ = try LineTemplate(parsing: template) } catch {
      found = error.message
    }
    #expect(found == message)
  }

  // MARK: - Bars

  /// Messages, and the lines for waybar, polybar and i3bar.
  @Test func barsShowTheOffsetOrWhyNothingMoves() {
    func gate(_ gain: Double, _ reasons: String...) -> StreamMessage {
      .gate(GateMessage(open: gain > 0, gain: gain, reasons: reasons))
    }
    let ended = StreamMessage.device(
      DeviceMessage(driver: "trace", name: nil, state: .ended, rateHertz: nil, reason: nil))
    var gone = view(device, gate(1), .offset(offset))
    gone.disconnect("no daemon")
    for (view, text, tooltip, word, percentage) in [
      (
        view(device, gate(1), .offset(offset)), "+1.2 -0.5",
        #"x +1.23 px, y -0.50 px\ngyro _3d, streaming\ngate open"#, "open", 25
      ),
      (
        view(device, gate(0.25, "reduce-motion:set"), .offset(offset)), "+1.2 -0.5",
        #"x +1.23 px, y -0.50 px\ngyro _3d, streaming\ngate reduced: reduce-motion:set"#,
        "reduced", 25
      ),
      (
        view(
          device, gate(1),
          .offset(OffsetMessage(seq: 1, time: .zero, x: 1, y: -4, nx: 0.2, ny: -0.8))),
        "+1.0 -4.0", #"x +1.00 px, y -4.00 px\ngyro _3d, streaming\ngate open"#, "open", 80
      ),
      (
        view(device, gate(0, "paused", "a&<b>%{F-}\"")), "paused, a&amp;&lt;b&gt;%{F-}\\\"",
        #"x +0.00 px, y +0.00 px\ngyro _3d, streaming\ngate closed: paused, a&amp;&lt;b&gt;%{F-}\""#,
        "closed", 0
      ),
      (
        view(ended, gate(1)), "device:ended", #"x +0.00 px, y +0.00 px\nended\ngate open"#,
        "closed", 0
      ),
      (gone, "no daemon", "parallax: no daemon", "offline", 0),
    ] as [(StreamView, String, String, String, Int)] {
      #expect(
        BarFormat.waybar.line(of: view)
          == #"{"text":"\#(text)","tooltip":"\#(tooltip)","alt":"\#(word)","class":"\#(word)","#
          + #""percentage":\#(percentage)}"#)
      let plain = text.replacing("&lt;", with: "<").replacing("&gt;", with: ">")
        .replacing("&amp;", with: "&")
      #expect(
        BarFormat.polybar.line(of: view)
          == plain.replacing("\\", with: "").replacing("%{", with: "% {"))
      let color = word == "open" || word == "reduced" ? "" : ##","color":"#888888""##
      #expect(
        BarFormat.i3bar.line(of: view)
          == #"[{"name":"parallax","full_text":"\#(plain)"\#(color)}],"#)
    }
    #expect(BarFormat.i3bar.header == "{\"version\":1}\n[\n")
  }
}
