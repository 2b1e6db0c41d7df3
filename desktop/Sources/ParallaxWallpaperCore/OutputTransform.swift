// SPDX-License-Identifier: Apache-2.0

/// How an output is turned, in the numbers of wl_output.transform: 0...3 are quarter turns of the picture,
/// counterclockwise; 4...7 are the same of a mirrored one.
package struct OutputTransform: Equatable, Sendable {
  private let number: Int32

  /// - Parameter number: 0...7; others count as 0.
  package init(_ number: Int32 = 0) {
    self.number = (0...7).contains(number) ? number : 0
  }

  /// Whether width and height are exchanged.
  package var isSideways: Bool { !number.isMultiple(of: 2) }

  /// The orientation of a screen that is turned like this, as the stream names it; nil for a mirrored one.
  package var orientation: String? {
    let names = ["normal", "left-up", "bottom-up", "right-up"]
    return number < 4 ? names[Int(number)] : nil
  }
}

/// The names of outputs.
package enum OutputName {
  /// Returns whether an output is the device's own screen, to which the gyroscope is fixed: eDP-1, LVDS-1,
  /// DSI-1.
  package static func isBuiltIn(_ name: String) -> Bool {
    ["eDP-", "LVDS-", "DSI-"].contains { name.hasPrefix($0) }
  }
}
