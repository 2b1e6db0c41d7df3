// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import ParallaxBase

/// The options of a plot, for every command that draws one.
struct PlotOptions: ParsableArguments {
  /// The colors of a plot.
  enum Theme: String, CaseIterable, ExpressibleByArgument {
    case light
    case dark
    /// Light in a file, the terminal's own in a terminal.
    case auto
  }

  @Option(
    help: .init(
      "Draw a plot: a file that ends in .svg or .png, or '-' for the terminal.",
      valueName: "FILE|-"),
    completion: .path)
  var plot: String?

  @Option(help: .init("Size of the plot in px (default: 1200x700).", valueName: "WxH"))
  var plotSize: String?

  @Option(
    help: .init(
      "Colors of the plot.", valueName: Theme.allCases.map(\.rawValue).joined(separator: "|")))
  var plotTheme: Theme?

  /// Returns where the plot goes; nil without one.
  func target() throws(CommandFailure) -> PlotTarget? {
    guard let plot else {
      for (option, isSet) in [("--plot-size", plotSize != nil), ("--plot-theme", plotTheme != nil)]
      where isSet {
        throw CommandFailure(.usage, "\(option): requires --plot; add it")
      }
      return nil
    }
    guard plot != "-" else {
      guard plotSize == nil else {
        throw CommandFailure(
          .usage, "--plot-size: a plot in the terminal has the terminal's size; omit it")
      }
      return .terminal(plotTheme ?? .auto)
    }
    guard let format = PlotFileFormat(path: plot) else {
      throw CommandFailure(
        .usage,
        "--plot: '\(plot)' has none of the endings .svg and .png; "
          + "name a file with one of them, or - for the terminal")
    }
    return .file(path: plot, format, try size(), plotTheme == .dark ? .dark : .light)
  }

  private func size() throws(CommandFailure) -> PlotSize {
    guard let plotSize else { return .standard }
    let parts = plotSize.lowercased().split(separator: "x", omittingEmptySubsequences: false)
      .map { Int($0) }
    guard parts.count == 2, let width = parts[0], let height = parts[1],
      PlotSize.widths.contains(width), PlotSize.heights.contains(height)
    else {
      throw CommandFailure(
        .usage,
        "--plot-size: invalid value '\(plotSize)'; write WIDTHxHEIGHT in px, from 320x240 to "
          + "8000x8000")
    }
    return PlotSize(width: width, height: height)
  }
}

/// Where a plot goes.
enum PlotTarget {
  case file(path: String, PlotFileFormat, PlotSize, PlotTheme)
  case terminal(PlotOptions.Theme)

  /// The width for which columns of time are collected, in pixels.
  var pixels: Int {
    switch self {
    case .file(_, _, let size, _): size.width
    case .terminal: 2000
    }
  }

  var isTerminal: Bool { if case .terminal = self { true } else { false } }

  /// Throws `CommandFailure` if the file is one of those that the command reads or writes.
  func checkDiffers(from paths: [String]) throws(CommandFailure) {
    guard case .file(let path, _, _, _) = self else { return }
    for other in paths where other != "-" {
      guard path == other || Self.isSameFile(path, other) else { continue }
      throw CommandFailure(
        .usage, "--plot \(path): the command uses this file otherwise; draw into another one")
    }
  }

  /// Whether two paths name one regular file.
  static func isSameFile(_ one: String, _ other: String) -> Bool {
    var (first, second) = (stat(), stat())
    return stat(one, &first) == 0 && stat(other, &second) == 0
      && first.st_dev == second.st_dev && first.st_ino == second.st_ino
      && first.st_mode & S_IFMT == S_IFREG
  }

  /// Draws a figure.
  func draw(_ figure: PlotFigure) throws {
    switch self {
    case .file(let path, let format, let size, let theme):
      let document: [UInt8]
      do throws(PlotError) {
        let surface = try CairoSurface(format, size: size)
        PlotDrawing(figure, size: size, theme: theme, canvas: surface).draw()
        document = try surface.document()
      } catch {
        throw CommandFailure(.unavailable, "\(path): \(error.message)")
      }
      try Self.write(document, to: path)
    case .terminal(let theme): try PlotTerminal.draw(figure, theme: theme)
    }
  }

  /// Writes a document, which replaces a file once it is complete.
  ///
  /// - Parameter path: `-` is standard output.
  static func write(_ document: [UInt8], to path: String) throws {
    do throws(OutputFileError) {
      let output = try OutputFile(path == "-" ? nil : path)
      var bytes = OutputBuffer(capacity: document.count)
      document.withUnsafeBytes { bytes.append(bytes: $0) }
      try output.write(&bytes)
      try output.finish()
    } catch {
      throw error.commandError
    }
  }
}
