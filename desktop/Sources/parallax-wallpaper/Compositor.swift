// SPDX-License-Identifier: Apache-2.0

import CWayland
import Glibc
import ParallaxWallpaperCore

/// The connection to the compositor, its interfaces and its outputs.
final class Compositor {
  /// What the compositor must offer, and what makes pictures sharper. Once `init` has returned, only the last
  /// may be nil.
  struct Globals {
    var compositor: OpaquePointer?
    var subcompositor: OpaquePointer?
    var shm: OpaquePointer?
    /// nil in a window.
    var layerShell: OpaquePointer?
    /// nil on an output.
    var windowBase: OpaquePointer?
    var viewporter: OpaquePointer?
    /// nil: the scale is a whole number.
    var fractionalScale: OpaquePointer?
  }

  let display: OpaquePointer
  private(set) var globals = Globals()
  private(set) var outputs: [Output] = []
  /// An output was added, or its name is known.
  var outputChanged: (Output) -> Void = { _ in }
  /// An output is gone.
  var outputRemoved: (Output) -> Void = { _ in }

  /// nil without a seat.
  private(set) var pointer: Pointer?
  private let registry: OpaquePointer
  private let isForWindow: Bool
  private var listener: Listener<wl_registry_listener>?
  private var baseListener: Listener<xdg_wm_base_listener>?

  /// - Parameter isForWindow: For a window instead of the outputs' backgrounds.
  init(isForWindow: Bool = false) throws(WallpaperError) {
    self.isForWindow = isForWindow
    guard let display = wl_display_connect(nil) else {
      throw WallpaperError(
        "no Wayland compositor (WAYLAND_DISPLAY): \(String(cString: strerror(errno))); start this inside "
          + "the session", kind: .unavailable)
    }
    self.display = display
    registry = wl_display_get_registry(display)
    let listener = Listener(
      wl_registry_listener(
        global: { data, _, name, interface, version in
          guard let interface else { return }
          listened(data, as: Compositor.self)?.add(name, String(cString: interface), version)
        },
        global_remove: { data, _, name in
          listened(data, as: Compositor.self)?.remove(name)
        }))
    self.listener = listener
    wl_registry_add_listener(registry, listener.pointer, listenerData(self))
    wl_display_roundtrip(display)
    let shell =
      isForWindow
      ? ("xdg_wm_base", globals.windowBase) : ("zwlr_layer_shell_v1", globals.layerShell)
    let missing = [
      ("wl_compositor", globals.compositor), ("wl_subcompositor", globals.subcompositor),
      ("wl_shm", globals.shm), ("wp_viewporter", globals.viewporter),
      shell,
    ].filter { $0.1 == nil }.map(\.0)
    guard missing.isEmpty else {
      throw WallpaperError(
        "this compositor has no \(missing.joined(separator: ", ")); parallax-wallpaper runs on sway, "
          + "labwc, Wayfire, Hyprland, niri, Plasma and others with wlr-layer-shell",
        kind: .unavailable)
    }
  }

  private func add(_ name: UInt32, _ interface: String, _ version: UInt32) {
    func bind(atMost most: UInt32) -> OpaquePointer? {
      guard let description = cwayland_interface(interface) else { return nil }
      return wl_registry_bind(registry, name, description, min(version, most)).map(
        OpaquePointer.init)
    }
    switch interface {
    case "wl_compositor":
      // Version 4 has damage_buffer.
      if version >= 4 { globals.compositor = bind(atMost: 4) }
    case "wl_subcompositor": globals.subcompositor = bind(atMost: 1)
    case "wl_shm": globals.shm = bind(atMost: 1)
    case "zwlr_layer_shell_v1": if !isForWindow { globals.layerShell = bind(atMost: 4) }
    case "xdg_wm_base": if isForWindow { addWindows(bind(atMost: 1)) }
    case "wl_seat":
      if isForWindow, pointer == nil { pointer = bind(atMost: 1).map(Pointer.init) }
    case "wp_viewporter": globals.viewporter = bind(atMost: 1)
    case "wp_fractional_scale_manager_v1": globals.fractionalScale = bind(atMost: 1)
    case "wl_output":
      guard version >= 2, let object = bind(atMost: 4) else { return }
      outputs.append(Output(object, globalName: name) { [weak self] in self?.outputChanged($0) })
    default: break
    }
  }

  private func addWindows(_ base: OpaquePointer?) {
    globals.windowBase = base
    let listener = Listener(
      xdg_wm_base_listener(ping: { _, base, serial in xdg_wm_base_pong(base, serial) }))
    baseListener = listener
    xdg_wm_base_add_listener(base, listener.pointer, nil)
  }

  private func remove(_ name: UInt32) {
    guard let index = outputs.firstIndex(where: { $0.globalName == name }) else { return }
    outputRemoved(outputs.remove(at: index))
  }
}
