// SPDX-License-Identifier: Apache-2.0

import CWayland
import ParallaxWallpaperCore

/// A layer on an output: a subsurface with its pixels, which moves without being drawn again.
final class LayerSurface {
  let depth: Double
  private let placement: LayerPlacement
  private let buffer: ImageBuffer
  private let surface: OpaquePointer
  private let subsurface: OpaquePointer
  private let viewport: OpaquePointer
  private var view: LayerPlacement.View?

  init(
    _ globals: Compositor.Globals, parent: OpaquePointer, depth: Double, placement: LayerPlacement,
    buffer: ImageBuffer
  ) {
    self.depth = depth
    self.placement = placement
    self.buffer = buffer
    surface = wl_compositor_create_surface(globals.compositor)
    subsurface = wl_subcompositor_get_subsurface(globals.subcompositor, surface, parent)
    viewport = wp_viewporter_get_viewport(globals.viewporter, surface)
    letInputPass(surface, globals)
    wp_viewport_set_destination(
      viewport, Int32(placement.surface.width), Int32(placement.surface.height))
    wl_surface_attach(surface, buffer.object, 0, 0)
  }

  deinit {
    wp_viewport_destroy(viewport)
    wl_subsurface_destroy(subsurface)
    wl_surface_destroy(surface)
  }

  /// Moves the layer; visible with the parent's next commit.
  ///
  /// - Returns: Whether it was elsewhere.
  func move(x: Double, y: Double) -> Bool {
    let new = placement.view(x: x * depth, y: y * depth)
    guard new != view else { return false }
    view = new
    wl_subsurface_set_position(subsurface, Int32(clamping: new.x), Int32(clamping: new.y))
    wp_viewport_set_source(
      viewport, wl_fixed_from_double(new.sourceX), wl_fixed_from_double(new.sourceY),
      wl_fixed_from_double(new.sourceWidth), wl_fixed_from_double(new.sourceHeight))
    wl_surface_damage_buffer(surface, 0, 0, Int32.max, Int32.max)
    wl_surface_commit(surface)
    return true
  }
}

/// Makes a surface invisible to the pointer and to touch.
func letInputPass(_ surface: OpaquePointer, _ globals: Compositor.Globals) {
  let region = wl_compositor_create_region(globals.compositor)
  wl_surface_set_input_region(surface, region)
  wl_region_destroy(region)
}
