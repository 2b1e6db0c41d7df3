// SPDX-License-Identifier: Apache-2.0

import CWayland
import ParallaxWallpaperCore

/// What makes a surface a part of the desktop: a background of an output, or a window.
class SurfaceRole {
  /// The size in logical px is known, or has changed.
  var configured: (_ width: Int, _ height: Int) -> Void = { _, _ in }
  /// The compositor has removed the surface, or the user wants it closed.
  var closed: () -> Void = {}

  /// Takes the role away, before the surface is destroyed.
  func destroy() {}
}

/// A surface of the compositor's layer shell that covers an output.
final class LayerShellRole: SurfaceRole {
  private let layerSurface: OpaquePointer
  private var listener: Listener<zwlr_layer_surface_v1_listener>?

  init(
    _ globals: Compositor.Globals, _ surface: OpaquePointer, _ output: Output, in layer: ShellLayer
  ) {
    layerSurface = zwlr_layer_shell_v1_get_layer_surface(
      globals.layerShell, surface, output.object, layer.number, "wallpaper")
    super.init()
    let listener = Listener(
      zwlr_layer_surface_v1_listener(
        configure: { data, surface, serial, width, height in
          zwlr_layer_surface_v1_ack_configure(surface, serial)
          listened(data, as: LayerShellRole.self)?.configured(Int(width), Int(height))
        },
        closed: { data, _ in listened(data, as: LayerShellRole.self)?.closed() }))
    self.listener = listener
    zwlr_layer_surface_v1_add_listener(layerSurface, listener.pointer, listenerData(self))
    letInputPass(surface, globals)
    zwlr_layer_surface_v1_set_size(layerSurface, 0, 0)
    let edges = [
      ZWLR_LAYER_SURFACE_V1_ANCHOR_TOP, ZWLR_LAYER_SURFACE_V1_ANCHOR_BOTTOM,
      ZWLR_LAYER_SURFACE_V1_ANCHOR_LEFT, ZWLR_LAYER_SURFACE_V1_ANCHOR_RIGHT,
    ]
    zwlr_layer_surface_v1_set_anchor(layerSurface, edges.reduce(0) { $0 | $1.rawValue })
    zwlr_layer_surface_v1_set_exclusive_zone(layerSurface, layer.exclusiveZone)
  }

  override func destroy() { zwlr_layer_surface_v1_destroy(layerSurface) }
}

/// A window.
final class WindowRole: SurfaceRole {
  private let size: PixelSize
  private let xdgSurface: OpaquePointer
  private let toplevel: OpaquePointer
  private var surfaceListener: Listener<xdg_surface_listener>?
  private var toplevelListener: Listener<xdg_toplevel_listener>?
  /// What the compositor asks for with the next xdg_surface.configure.
  private var asked = (width: 0, height: 0)

  /// - Parameter size: In logical px, unless the compositor chooses another.
  init(_ globals: Compositor.Globals, _ surface: OpaquePointer, _ size: PixelSize) {
    self.size = size
    xdgSurface = xdg_wm_base_get_xdg_surface(globals.windowBase, surface)
    toplevel = xdg_surface_get_toplevel(xdgSurface)
    super.init()
    let surfaceListener = Listener(
      xdg_surface_listener(configure: { data, surface, serial in
        xdg_surface_ack_configure(surface, serial)
        guard let role = listened(data, as: WindowRole.self) else { return }
        role.configured(
          role.asked.width > 0 ? role.asked.width : role.size.width,
          role.asked.height > 0 ? role.asked.height : role.size.height)
      }))
    self.surfaceListener = surfaceListener
    xdg_surface_add_listener(xdgSurface, surfaceListener.pointer, listenerData(self))
    // Later versions of the interface have more functions, which version 1 never calls.
    var functions = xdg_toplevel_listener()
    functions.configure = { data, _, width, height, _ in
      listened(data, as: WindowRole.self)?.asked = (Int(width), Int(height))
    }
    functions.close = { data, _ in listened(data, as: WindowRole.self)?.closed() }
    let toplevelListener = Listener(functions)
    self.toplevelListener = toplevelListener
    xdg_toplevel_add_listener(toplevel, toplevelListener.pointer, listenerData(self))
    xdg_toplevel_set_title(toplevel, "parallax-wallpaper")
    xdg_toplevel_set_app_id(toplevel, "org.parallax_motion.parallax-wallpaper")
  }

  override func destroy() {
    xdg_toplevel_destroy(toplevel)
    xdg_surface_destroy(xdgSurface)
  }
}
