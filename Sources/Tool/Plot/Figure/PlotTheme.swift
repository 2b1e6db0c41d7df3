// SPDX-License-Identifier: Apache-2.0

/// An opaque color, or one that is mixed with what is below it.
struct PlotColor: Equatable, Hashable, Sendable {
  /// 0xRRGGBB.
  var rgb: UInt32
  var alpha: Double = 1

  init(_ rgb: UInt32, alpha: Double = 1) {
    self.rgb = rgb
    self.alpha = alpha
  }

  func component(_ shift: UInt32) -> Double { Double((rgb >> shift) & 0xFF) / 255 }
}

/// The colors of a plot. The signals' colors are those of Okabe and Ito, which people with any kind of color
/// vision can tell apart, lighter or darker where a background needs it ("Color Universal Design", 2008).
struct PlotTheme: Equatable, Sendable {
  var background: PlotColor
  var panel: PlotColor
  var grid: PlotColor
  var zero: PlotColor
  var text: PlotColor
  var faintText: PlotColor
  var limit: PlotColor
  var gap: PlotColor
  var shade: PlotColor
  var drop: PlotColor
  var signals: [PlotColor]

  static let light = PlotTheme(
    background: PlotColor(0xFFFFFF), panel: PlotColor(0xFAFBFC), grid: PlotColor(0xE3E7EB),
    zero: PlotColor(0x9AA4AE), text: PlotColor(0x1B2026), faintText: PlotColor(0x56606A),
    limit: PlotColor(0x6B4E9B), gap: PlotColor(0x8A939C, alpha: 0.28),
    shade: PlotColor(0xE0A800, alpha: 0.14), drop: PlotColor(0xC2183A),
    signals: [0x0072B2, 0xD55E00, 0x009E73, 0xB04C8C, 0x8A6D00, 0x2386B8, 0x333333].map {
      PlotColor($0)
    })

  static let dark = PlotTheme(
    background: PlotColor(0x14181D), panel: PlotColor(0x1A1F26), grid: PlotColor(0x2B323B),
    zero: PlotColor(0x6C7782), text: PlotColor(0xE9EDF1), faintText: PlotColor(0xA3ADB8),
    limit: PlotColor(0xB99CF0), gap: PlotColor(0x9AA4AE, alpha: 0.22),
    shade: PlotColor(0xF0C94B, alpha: 0.14), drop: PlotColor(0xFF6B81),
    signals: [0x56B4E9, 0xE69F00, 0x2BC48A, 0xE08DBD, 0xF0E442, 0x6F8CFF, 0xDDDDDD].map {
      PlotColor($0)
    })

  /// The most signals that have different colors.
  static let maxSignals = 7

  func signal(_ number: Int) -> PlotColor { signals[number % signals.count] }
}
