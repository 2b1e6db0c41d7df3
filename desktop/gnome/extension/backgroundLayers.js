// SPDX-License-Identifier: Apache-2.0

// The layers of a picture over one of the shell's backgrounds.

import Clutter from 'gi://Clutter';
import Cogl from 'gi://Cogl';
import GObject from 'gi://GObject';
import Shell from 'gi://Shell';
import * as Main from 'resource:///org/gnome/shell/ui/main.js';

import { displacement } from './geometry.js';

const cornerDeclarations = `
uniform vec2 size;
uniform vec4 bounds;
uniform float radius;
`;
// The distance to the rounded rectangle, smoothed over one pixel.
const cornerCode = `
vec2 point = cogl_tex_coord_in[0].st * size;
vec2 middle = (bounds.xy + bounds.zw) * 0.5;
vec2 beyond = abs(point - middle) - (bounds.zw - bounds.xy) * 0.5 + vec2(radius);
float distance = length(max(beyond, vec2(0.0))) + min(max(beyond.x, beyond.y), 0.0) - radius;
cogl_color_out *= clamp(0.5 - distance, 0.0, 1.0);
`;

// Clips an actor as Meta.BackgroundContent clips itself in the overview. Children are not clipped with it.
const RoundedCorners = Shell.GLSLEffect ? GObject.registerClass(
class RoundedCorners extends Shell.GLSLEffect {
  vfunc_build_pipeline() {
    this.add_glsl_snippet(Cogl.SnippetHook.FRAGMENT, cornerDeclarations, cornerCode, false);
  }

  set(name, values) { this.set_uniform_float(this.get_uniform_location(name), values.length, values); }
}) : GObject.registerClass(
// GNOME 51 has no Shell.GLSLEffect.
class RoundedCorners extends Clutter.ShaderEffect {
  vfunc_get_static_snippet() { return Cogl.Snippet.new(Cogl.SnippetHook.FRAGMENT, cornerDeclarations, cornerCode); }

  set(name, values) { this.set_uniform_float(name, values.length, values); }
});

/** A child of a Meta.BackgroundActor, which it covers. Invisible until `showPicture`. */
export const BackgroundLayers = GObject.registerClass(
class BackgroundLayers extends Clutter.Actor {
  #layers = [];
  #offset = { nx: 0, ny: 0 };
  #corners = null;
  #radius = 0;

  /** `monitor` is one of Main.layoutManager.monitors. */
  constructor(backgroundActor, monitor) {
    super({ name: 'parallax', clip_to_allocation: true, visible: false });
    this.monitor = monitor;
    // The overview shows a background smaller than its monitor.
    this.add_constraint(new Clutter.BindConstraint({
      source: backgroundActor, coordinate: Clutter.BindCoordinate.SIZE,
    }));
    this._group = new Clutter.Actor({ width: monitor.width, height: monitor.height });
    this.add_child(this._group);
    backgroundActor.add_child(this);
    const { content } = backgroundActor;
    content.connectObject('notify::rounded-clip-radius', () => this.#roundCorners(content.rounded_clip_radius), this);
    this.#roundCorners(content.rounded_clip_radius);
  }

  vfunc_allocate(box) {
    this.set_allocation(box);
    const { width, height } = this.monitor;
    const [scaleX, scaleY] = [box.get_width() / width, box.get_height() / height];
    // The shell squeezes its own background; a picture is cut instead.
    const scale = Math.max(scaleX, scaleY);
    this._group.set_scale(scale, scale);
    const [x1, y1] = [(box.get_width() - width * scale) / 2, (box.get_height() - height * scale) / 2];
    this._group.allocate(new Clutter.ActorBox({ x1, y1, x2: x1 + width, y2: y1 + height }));
    if (!this.#corners) return;
    // The overview shows the work area.
    const area = Main.layoutManager.getWorkAreaForMonitor(this.monitor.index);
    const [left, top] = [area.x - this.monitor.x, area.y - this.monitor.y];
    this.#corners.set('size', [box.get_width(), box.get_height()]);
    this.#corners.set('bounds', [
      left * scaleX, top * scaleY, (left + area.width) * scaleX, (top + area.height) * scaleY]);
    this.#corners.set('radius', [this.#radius * scale]);
  }

  /** Shows a picture of `loadPicture`, or with null the shell's own background. */
  showPicture(picture) {
    this._group.destroy_all_children();
    this.#layers = [];
    this.visible = picture !== null;
    if (!picture) return;
    const { monitor } = this;
    [, this.background_color] = Cogl.Color.from_string(picture.background);
    for (const { content, depth, place } of picture.placedOn(monitor)) {
      const actor = new Clutter.Actor({ content, ...place });
      // Also in the small previews of the overview.
      actor.set_content_scaling_filters(Clutter.ScalingFilter.TRILINEAR, Clutter.ScalingFilter.LINEAR);
      this._group.add_child(actor);
      this.#layers.push({
        actor, depth, largestDepth: picture.largestDepth, travel: picture.travel, width: monitor.width,
      });
    }
    this.move(this.#offset);
  }

  /** Moves the layers to an offset, in fractions of the range. */
  move(offset) {
    this.#offset = offset;
    for (const layer of this.#layers) {
      const { x, y } = displacement(offset, layer);
      layer.actor.set_translation(x, y, 0);
    }
  }

  #roundCorners(radius) {
    this.#radius = radius;
    if (radius > 0 && !this.#corners) {
      this.#corners = new RoundedCorners();
      this.add_effect(this.#corners);
    } else if (radius === 0 && this.#corners) {
      this.remove_effect(this.#corners);
      this.#corners = null;
    }
    this.queue_relayout();
  }
});
