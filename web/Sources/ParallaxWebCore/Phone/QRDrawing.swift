// SPDX-License-Identifier: Apache-2.0

/// A QR code as text for a terminal.
package enum QRDrawing {
  /// The light border that readers need, in modules.
  static let border = 4

  /// Returns lines of two rows of modules each, and no line feed after the last.
  ///
  /// - Parameters:
  ///   - rows: The modules; true is dark. All rows are as long.
  ///   - isColored: Sets black and white by escape sequences, whatever the terminal's colors are. Otherwise the
  ///     dark modules are drawn, for dark text on a light background.
  package static func text(_ rows: [[Bool]], isColored: Bool) -> String {
    let width = (rows.first?.count ?? 0) + 2 * border
    let empty = [Bool](repeating: false, count: width)
    let side = [Bool](repeating: false, count: border)
    let edge = [[Bool]](repeating: empty, count: border)
    var all = edge + rows.map { side + $0 + side } + edge
    if !all.count.isMultiple(of: 2) { all.append(empty) }
    return stride(from: 0, to: all.count, by: 2).map { row in
      let line = zip(all[row], all[row + 1]).map { top, bottom in
        switch (top, bottom) {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
      }.joined()
      // Black and white of the 256 colors, which themes do not change.
      return isColored ? "\u{1B}[38;5;16;48;5;231m\(line)\u{1B}[0m" : line
    }.joined(separator: "\n")
  }
}
