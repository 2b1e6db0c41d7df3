// SPDX-License-Identifier: Apache-2.0

import CQREncode

/// QR codes, from libqrencode.
enum QRCode {
  /// Returns the modules of the smallest code for a text, row by row; true is dark. Nil without memory, or if the
  /// text is longer than 1.6 KB.
  static func rows(_ text: String) -> [[Bool]]? {
    // Level M: 15 % of the code may be unreadable, such as by a reflection on the screen.
    guard let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M) else { return nil }
    defer { QRcode_free(code) }
    let width = Int(code.pointee.width)
    guard let data = code.pointee.data else { return nil }
    return (0..<width).map { row in (0..<width).map { data[row * width + $0] & 1 == 1 } }
  }
}
