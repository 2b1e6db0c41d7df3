// SPDX-License-Identifier: Apache-2.0

// Pictures, rendered for a monitor: a folder with a wallpaper.toml, or a single image.

import Cogl from 'gi://Cogl';
import GdkPixbuf from 'gi://GdkPixbuf';
import Gio from 'gi://Gio';
import GLib from 'gi://GLib';
import St from 'gi://St';

import { parseDocument, PictureError } from './document.js';
import { coveredRectangle, rendering, standardTravel, turned, visibleBounds } from './geometry.js';

const { Pixbuf } = GdkPixbuf;
Gio._promisify(Gio.File.prototype, 'load_contents_async');
Gio._promisify(Gio.File.prototype, 'read_async');
Gio._promisify(Pixbuf, 'get_file_info_async', 'get_file_info_finish');
Gio._promisify(Pixbuf, 'new_from_stream_at_scale_async', 'new_from_stream_finish');

const maxPixels = 100e6;
const maxDocumentBytes = 1 << 16;

/** A picture whose layers are textures. */
class Picture {
  #monitor;
  #layers;
  #place;

  constructor({ background, layers, largestDepth, monitor, place, travel }) {
    this.background = background;
    this.travel = travel;
    /** The largest depth, without its sign. */
    this.largestDepth = largestDepth;
    this.#monitor = monitor;
    this.#layers = layers;
    this.#place = place;
  }

  /** Returns the layers from back to front, each with the place of its content on a monitor. On another monitor than its
   * own, the picture is scaled to cover it. */
  placedOn(monitor) {
    const own = this.#place;
    const isOwn = monitor.width === this.#monitor.width && monitor.height === this.#monitor.height;
    const place = isOwn ? own : coveredRectangle(monitor, own, this.travel);
    const factor = place.width / own.width;
    return this.#layers.map(({ content, depth, bounds }) => ({
      content, depth, place: {
        x: place.x + bounds.x * factor, y: place.y + bounds.y * factor,
        width: bounds.width * factor, height: bounds.height * factor,
      },
    }));
  }
}

async function readDocument(path, cancellable) {
  if (!GLib.file_test(path, GLib.FileTest.IS_DIR)) {
    return { background: '#000000', layers: [{ name: 'image', image: path, depth: 1 }] };
  }
  const file = GLib.build_filenamev([path, 'wallpaper.toml']);
  const [bytes] = await Gio.File.new_for_path(file).load_contents_async(cancellable);
  if (bytes.length > maxDocumentBytes) throw new PictureError(`${file}: too large for a list of layers`);
  const document = parseDocument(new TextDecoder().decode(bytes), file);
  for (const layer of document.layers) {
    if (!GLib.path_is_absolute(layer.image)) layer.image = GLib.build_filenamev([path, layer.image]);
  }
  return document;
}

async function decode(path, { width, height }, cancellable) {
  const stream = await Gio.File.new_for_path(path).read_async(GLib.PRIORITY_DEFAULT, cancellable);
  // In a thread.
  return Pixbuf.new_from_stream_at_scale_async(stream, width, height, false, cancellable);
}

const orientationOf = pixbuf => Number(pixbuf.get_option('orientation') ?? 1);

// Returns the size of an image as it is seen, which for a photo may not be the one in which it is stored.
async function sizeOf(path, cancellable) {
  const [format, width, height] = await Pixbuf.get_file_info_async(path, cancellable);
  if (!format) throw new PictureError('there is no image, or its format is unknown');
  if (width * height > maxPixels) throw new PictureError('more than 100 megapixels; make the image smaller');
  // Only a decoded image has its orientation.
  const thumbnail = await decode(path, { width: 16, height: 16 }, cancellable);
  return turned({ width, height }, orientationOf(thumbnail));
}

// Returns an image as it is seen, in this size.
async function decodeUpright(path, size, cancellable) {
  const pixbuf = await decode(path, size, cancellable);
  if (orientationOf(pixbuf) < 5) return pixbuf.apply_embedded_orientation();
  const sideways = await decode(path, turned(size, orientationOf(pixbuf)), cancellable);
  return sideways.apply_embedded_orientation();
}

// Returns a texture of the visible pixels, and where they are in the crop; null if there are none.
function upload(pixbuf, { x, y, width, height }) {
  const rgba = pixbuf.has_alpha ? pixbuf : pixbuf.add_alpha(false, 0, 0, 0);
  const cropped = rgba.new_subpixbuf(x, y, width, height).copy();
  let part = { x: 0, y: 0, width, height };
  if (pixbuf.has_alpha) {
    const pixels = cropped.get_pixels();
    const words = new Uint32Array(pixels.buffer, pixels.byteOffset, Math.floor(pixels.byteLength / 4));
    part = visibleBounds(words, cropped.rowstride / 4, width, height);
    if (!part) return null;
  }
  const visible = cropped.new_subpixbuf(part.x, part.y, part.width, part.height);
  const content = St.ImageContent.new_with_preferred_size(part.width, part.height);
  const context = global.stage.context.get_backend().get_cogl_context();
  content.set_bytes(
    context, visible.read_pixel_bytes(), Cogl.PixelFormat.RGBA_8888, part.width, part.height, visible.rowstride);
  return { content, part };
}

function idle() {
  return new Promise(resolve => GLib.idle_add(GLib.PRIORITY_DEFAULT_IDLE, () => {
    resolve();
    return GLib.SOURCE_REMOVE;
  }));
}

// Returns what `read` makes of each layer. What fails is reported to `report` and left out.
async function forEach(layers, read, report) {
  const results = await Promise.allSettled(layers.map(read));
  return layers.flatMap((layer, index) => {
    const { status, value, reason } = results[index];
    if (status === 'fulfilled') return [{ ...layer, ...value }];
    report(layer, reason);
    return [];
  });
}

/** Reads a picture and renders it for a monitor with `scale` pixels per unit of the stage. `travel` replaces the
 * picture's own unless it is null. Images that cannot be read are left out and reported to `warn`; with `isStrict` they
 * are an error. Throws a PictureError, or the GLib.Error of a file. */
export async function loadPicture(path, { monitor, scale, travel: chosenTravel, isStrict, warn, cancellable }) {
  const document = await readDocument(path, cancellable);
  const travel = chosenTravel ?? document.travel ?? standardTravel;
  const report = (layer, error) => {
    if (cancellable.is_cancelled()) throw error;
    const problem = new PictureError(`${layer.image}: ${error.message}`);
    if (isStrict) throw problem;
    warn(problem);
  };
  const measured = await forEach(document.layers, async layer => (
    { size: await sizeOf(layer.image, cancellable) }), report);
  if (measured.length === 0) throw new PictureError(`${path}: no image can be read`);
  const { image, crop, place } = rendering(monitor, measured[0].size, travel, scale);
  const decoded = await forEach(measured, async layer => (
    { pixbuf: await decodeUpright(layer.image, image, cancellable) }), report);
  const layers = [];
  for (const { pixbuf, depth } of decoded) {
    const uploaded = upload(pixbuf, crop);
    const { x, y, width, height } = uploaded?.part ?? {};
    const bounds = { x: x / scale, y: y / scale, width: width / scale, height: height / scale };
    if (uploaded) layers.push({ content: uploaded.content, depth, bounds });
    // The shell draws frames in between.
    await idle();
    cancellable.set_error_if_cancelled();
  }
  if (layers.length === 0) throw new PictureError(`${path}: all images are transparent`);
  const largestDepth = Math.max(...document.layers.map(layer => Math.abs(layer.depth)));
  return new Picture({ background: document.background, layers, largestDepth, monitor, place, travel });
}
