// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CWayland

/// The layers of the compositor's layer shell that a wallpaper may be in.
enum ShellLayer: String, CaseIterable, ExpressibleByArgument {
  /// Above backgrounds, below windows and panels.
  case bottom
  /// The compositor decides which of several backgrounds is above.
  case background

  var number: UInt32 {
    switch self {
    case .bottom: ZWLR_LAYER_SHELL_V1_LAYER_BOTTOM.rawValue
    case .background: ZWLR_LAYER_SHELL_V1_LAYER_BACKGROUND.rawValue
    }
  }

  /// -1: under the panels. 0: the area that they leave, since a panel may be in `bottom`, too.
  var exclusiveZone: Int32 { self == .bottom ? 0 : -1 }
}
