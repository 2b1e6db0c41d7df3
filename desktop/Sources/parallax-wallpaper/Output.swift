// SPDX-License-Identifier: Apache-2.0

import CWayland
import ParallaxWallpaperCore

/// A screen.
final class Output {
  let object: OpaquePointer
  /// Its number among the compositor's globals.
  let globalName: UInt32
  /// Such as `eDP-1`; empty from compositors that do not name their outputs.
  private(set) var name = ""
  /// The scale in whole numbers, for compositors without fractional scales.
  private(set) var scale = 1
  /// Its size in physical pixels, before it is turned; nil until it is known.
  private(set) var mode: (width: Int, height: Int)?
  private(set) var transform = OutputTransform()
  /// The time of one frame; 1/60 s until it is known.
  private(set) var frameNanoseconds: Int64 = 16_666_667

  private var listener: Listener<wl_output_listener>?
  private let changed: (Output) -> Void

  /// - Parameter changed: Called when everything above is known, and after each change.
  init(_ object: OpaquePointer, globalName: UInt32, changed: @escaping (Output) -> Void) {
    self.object = object
    self.globalName = globalName
    self.changed = changed
    let listener = Listener(
      wl_output_listener(
        geometry: { data, _, _, _, _, _, _, _, _, transform in
          listened(data, as: Output.self)?.transform = OutputTransform(transform)
        },
        mode: { data, _, flags, width, height, millihertz in
          guard flags & WL_OUTPUT_MODE_CURRENT.rawValue != 0,
            let output = listened(data, as: Output.self)
          else { return }
          output.mode = (Int(width), Int(height))
          if millihertz > 0 { output.frameNanoseconds = 1_000_000_000_000 / Int64(millihertz) }
        },
        done: { data, _ in
          guard let output = listened(data, as: Output.self) else { return }
          output.changed(output)
        },
        scale: { data, _, factor in
          listened(data, as: Output.self)?.scale = Int(max(1, factor))
        },
        name: { data, _, name in
          guard let name else { return }
          listened(data, as: Output.self)?.name = String(cString: name)
        },
        description: { _, _, _ in }))
    self.listener = listener
    wl_output_add_listener(object, listener.pointer, listenerData(self))
  }

  deinit {
    if wl_proxy_get_version(object) >= UInt32(WL_OUTPUT_RELEASE_SINCE_VERSION) {
      wl_output_release(object)
    } else {
      wl_output_destroy(object)
    }
  }
}
