// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase

/// Draws a figure on standard output: as a picture if it is a terminal that shows pictures, else as text.
enum PlotTerminal {
  /// How long a terminal may take to answer; a connection around the world takes 0.3 s.
  private static let answerTime: MotionDuration = .seconds(1)
  private static let maxAnswerBytes = 4096

  static func draw(_ figure: PlotFigure, theme: PlotOptions.Theme) throws {
    let terminal = TerminalKind(
      isTerminal: isatty(STDOUT_FILENO) == 1, variable: { getenv($0).map { String(cString: $0) } })
    var size = winsize()
    _ = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size)
    if terminal.mayShowPictures, let answers = ask(hasKittyQuery: terminal.mayAskForKitty),
      answers.hasKittyGraphics || answers.hasSixel,
      let picture = picture(figure, answers, size, theme)
    {
      return try Console.write(picture)
    }
    var style = TextStyle()
    if size.ws_col > 0 { style.columns = Int(size.ws_col) }
    // The prompt needs a line.
    if size.ws_row > 0 { style.rows = Int(size.ws_row) - 1 }
    style.isUnicode = terminal.isUnicode
    style.hasColors = terminal.hasColors
    try Console.print(TextPlot(figure, style: style).text, terminator: "")
  }

  /// Returns the figure as a picture; nil if it cannot be drawn, as without Cairo.
  private static func picture(
    _ figure: PlotFigure, _ answers: TerminalAnswers, _ size: winsize, _ theme: PlotOptions.Theme
  ) -> [UInt8]? {
    let lines = max(2, Int(size.ws_row))
    let width = size.ws_xpixel > 0 ? Int(size.ws_xpixel) : answers.pixels?.width ?? 800
    let height = size.ws_ypixel > 0 ? Int(size.ws_ypixel) : answers.pixels?.height ?? 600
    let pixels = PlotSize(
      width: min(max(width, PlotSize.widths.lowerBound), 4000),
      height: min(
        max(min(height * (lines - 2) / lines, width * 5 / 8), PlotSize.heights.lowerBound), 3000))
    let isDark = theme == .auto ? answers.isDark : theme == .dark
    do throws(PlotError) {
      let surface = try CairoSurface(.png, size: pixels)
      PlotDrawing(figure, size: pixels, theme: isDark ? .dark : .light, canvas: surface).draw()
      return answers.hasKittyGraphics
        ? TerminalPicture.kitty(png: try surface.document())
        : TerminalPicture.sixel(try surface.pixels(), size: pixels)
    } catch {
      return nil
    }
  }

  /// Asks the terminal what it shows.
  ///
  /// - Returns: nil if there is no terminal to ask, or if this process is in its background.
  private static func ask(hasKittyQuery: Bool) -> TerminalAnswers? {
    let descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    guard tcgetpgrp(descriptor) == getpgrp() else { return nil }
    var before = termios()
    guard tcgetattr(descriptor, &before) == 0 else { return nil }
    // No signal ends or stops the process while the terminal is in another mode.
    var all = sigset_t()
    var mask = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, &mask)
    defer { pthread_sigmask(SIG_SETMASK, &mask, nil) }
    var raw = before
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
    guard tcsetattr(descriptor, TCSADRAIN, &raw) == 0 else { return nil }
    defer { tcsetattr(descriptor, TCSADRAIN, &before) }
    let questions = Array(TerminalAnswers.questions(hasKittyQuery: hasKittyQuery).utf8)
    guard questions.withUnsafeBytes({ CompleteWrite.write($0[...], to: descriptor) }) == 0 else {
      return nil
    }
    return answers(from: descriptor)
  }

  private static func answers(from descriptor: Int32) -> TerminalAnswers {
    let end = MonotonicClock.now() + answerTime
    var bytes: [UInt8] = []
    while bytes.count < maxAnswerBytes {
      let left = end - MonotonicClock.now()
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard left > .zero, poll(&entry, 1, Int32(left.seconds * 1000) + 1) > 0 else { break }
      var block = [UInt8](repeating: 0, count: 512)
      let count = read(descriptor, &block, block.count)
      guard count > 0 else { break }
      bytes += block[..<count]
      if TerminalAnswers(bytes).isComplete { break }
    }
    return TerminalAnswers(bytes)
  }
}

/// What the environment says about a terminal.
struct TerminalKind: Equatable {
  let isUnicode: Bool
  let hasColors: Bool
  let mayShowPictures: Bool
  /// Whether the question about kitty's protocol stays invisible.
  let mayAskForKitty: Bool

  init(isTerminal: Bool, variable: (String) -> String?) {
    let term = variable("TERM") ?? ""
    let isSimple = term.isEmpty || term == "dumb"
    let locale =
      ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(variable).first { !$0.isEmpty } ?? ""
    let charset = locale.uppercased()
    // The font of Linux's console has no Braille.
    isUnicode =
      (charset.contains("UTF-8") || charset.contains("UTF8")) && term != "linux"
      && !(isTerminal && isSimple)
    hasColors = isTerminal && !isSimple && (variable("NO_COLOR") ?? "").isEmpty
    mayShowPictures = isTerminal && !isSimple && term != "linux"
    mayAskForKitty = variable("STY") == nil
  }
}
