// SPDX-License-Identifier: Apache-2.0

import CWayland
import ParallaxWallpaperCore

/// A layer on an output: a subsurface with its pixels, which moves without being drawn again.
final class LayerSurface {
  private let layer: Drawing.Layer
  private let drawnFit: Fit
  private let surface: OpaquePointer
  private let subsurface: OpaquePointer
  private let viewport: OpaquePointer
  private var placement: LayerPlacement
  /// How far it moves at full offset, in logical px.
  private var reach: Double
  /// nil before it is placed, and while it is outside of the output.
  private var view: LayerPlacement.View?

  /// - Parameter fit: The one that the layer was drawn for.
  init(
    _ globals: Compositor.Globals, parent: OpaquePointer, _ layer: Drawing.Layer, fit: Fit
  ) {
    self.layer = layer
    drawnFit = fit
    placement = layer.placement
    reach = fit.reach(depth: layer.depth)
    surface = wl_compositor_create_surface(globals.compositor)
    subsurface = wl_subcompositor_get_subsurface(globals.subcompositor, surface, parent)
    viewport = wp_viewporter_get_viewport(globals.viewporter, surface)
    letInputPass(surface, globals)
  }

  deinit {
    wp_viewport_destroy(viewport)
    wl_subsurface_destroy(subsurface)
    wl_surface_destroy(surface)
  }

  /// Stretches the pixels for another size or scale of the output, until they are drawn again. Visible with
  /// the next move.
  func stretch(to fit: Fit) {
    placement =
      fit == drawnFit
      ? layer.placement : LayerPlacement(stretching: layer.placement, from: drawnFit, to: fit)
    reach = fit.reach(depth: layer.depth)
  }

  /// Moves the layer to an offset, a fraction of the range; visible with the parent's next commit.
  ///
  /// - Returns: Whether it was elsewhere.
  func move(x: Double, y: Double) -> Bool {
    let new = placement.view(x: x * reach, y: y * reach)
    guard new != view else { return false }
    if let new {
      if view == nil { wl_surface_attach(surface, layer.buffer.object, 0, 0) }
      let (place, old) = (new.surface, view?.surface)
      if place.x != old?.x || place.y != old?.y {
        wl_subsurface_set_position(subsurface, Int32(clamping: place.x), Int32(clamping: place.y))
      }
      if place.width != old?.width || place.height != old?.height {
        wp_viewport_set_destination(viewport, Int32(place.width), Int32(place.height))
      }
      wp_viewport_set_source(
        viewport, wl_fixed_from_double(new.sourceX), wl_fixed_from_double(new.sourceY),
        wl_fixed_from_double(new.sourceWidth), wl_fixed_from_double(new.sourceHeight))
      wl_surface_damage_buffer(surface, 0, 0, Int32.max, Int32.max)
    } else {
      wl_surface_attach(surface, nil, 0, 0)
    }
    view = new
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
