// SPDX-License-Identifier: Apache-2.0

// Where the layers of a picture are on a monitor. Pure: units are those of the stage, unless they are pixels.

/** How far the nearest layer moves at full offset, as a share of the monitor's width. */
export const standardTravel = 0.025;
/** The largest travel. */
export const maxTravel = 0.1;

/** Returns the rectangle that a picture of these proportions covers, relative to the monitor: the monitor and, on every
 * side, a margin as wide as the nearest layer moves. The rest of the picture is outside of it, the same on both sides. */
export function coveredRectangle(monitor, picture, travel) {
  const margin = travel * monitor.width;
  const factor = Math.max((monitor.width + 2 * margin) / picture.width, (monitor.height + 2 * margin) / picture.height);
  const [width, height] = [picture.width * factor, picture.height * factor];
  return { x: (monitor.width - width) / 2, y: (monitor.height - height) / 2, width, height };
}

/** Returns how a picture is rendered for a monitor whose units have `scale` pixels each: `image` is the size of the
 * whole picture and `crop` the part that is ever visible, in pixels; `place` is the place of that part on the monitor. */
export function rendering(monitor, picture, travel, scale) {
  const covered = coveredRectangle(monitor, picture, travel);
  const image = { width: Math.ceil(covered.width * scale), height: Math.ceil(covered.height * scale) };
  const margin = Math.ceil(travel * monitor.width * scale);
  const axis = (length, whole) => {
    const visible = Math.min(whole, Math.ceil(length * scale) + 2 * margin);
    return [Math.floor((whole - visible) / 2), visible];
  };
  const [x, width] = axis(monitor.width, image.width);
  const [y, height] = axis(monitor.height, image.height);
  // At whole pixels, so that a picture at rest is sharp.
  const start = (length, whole) => Math.round((length * scale - whole) / 2);
  return {
    image,
    crop: { x, y, width, height },
    place: {
      x: (start(monitor.width, image.width) + x) / scale, y: (start(monitor.height, image.height) + y) / scale,
      width: width / scale, height: height / scale,
    },
  };
}

const clamp = value => Math.min(Math.max(value, -1), 1);

/** Returns how far a layer moves on a monitor of this width. `nx` and `ny` are fractions of the range; an animation may
 * exceed it. The largest depth of the picture, without its sign, moves by the whole travel. */
export function displacement({ nx, ny }, { depth, largestDepth, travel, width }) {
  const reach = largestDepth > 0 ? travel * width * depth / largestDepth : 0;
  return { x: clamp(nx) * reach, y: clamp(ny) * reach };
}

/** Returns a size with the EXIF orientation 1 to 8 applied: from 5 on, width and height are exchanged. */
export function turned({ width, height }, orientation) {
  return orientation >= 5 ? { width: height, height: width } : { width, height };
}

/** Returns the smallest rectangle with all visible pixels of an image, or null if there are none. `pixels` has one number
 * of 32 bits per pixel, in rows of `stride`; alpha is in the high byte. */
export function visibleBounds(pixels, stride, width, height) {
  const isVisible = (x, y) => pixels[y * stride + x] >>> 24 !== 0;
  const rowHas = (y, left, right) => {
    for (let x = left; x < right; x += 1) if (isVisible(x, y)) return true;
    return false;
  };
  const columnHas = (x, top, bottom) => {
    for (let y = top; y < bottom; y += 1) if (isVisible(x, y)) return true;
    return false;
  };
  let [top, bottom, left, right] = [0, height, 0, width];
  while (top < bottom && !rowHas(top, 0, width)) top += 1;
  if (top === bottom) return null;
  while (!rowHas(bottom - 1, 0, width)) bottom -= 1;
  while (!columnHas(left, top, bottom)) left += 1;
  while (!columnHas(right - 1, top, bottom)) right -= 1;
  return { x: left, y: top, width: right - left, height: bottom - top };
}
