// SPDX-License-Identifier: Apache-2.0

// From the browser's motion events to samples: rates in rad/s about the axes of the screen as it is held, with x to
// the right, y up and z toward the viewer, right-handed.

const radians = Math.PI / 180;

/**
 * Returns the sample of a DeviceMotionEvent, or null if it has no rates.
 *
 * The rates of `rotationRate` are in degrees per second, alpha about x, beta about y and gamma about z of the device
 * (W3C, Device Orientation and Motion). Drafts before 2019 named them as the angles of `deviceorientation`, alpha
 * about z; no browser did so.
 *
 * @param {{rotationRate: ?{alpha: ?number, beta: ?number, gamma: ?number}, timeStamp: number}} event
 * @param {number} angle the angle of the screen, in degrees
 * @param {number} origin the time in ms at which `timeStamp` was 0
 */
export function sample({ rotationRate, timeStamp }, angle, origin) {
  const { alpha, beta, gamma } = rotationRate ?? {};
  if (![alpha, beta, gamma].every(Number.isFinite)) return null;
  const [x, y] = onScreen(alpha * radians, beta * radians, angle);
  return { time: (origin + timeStamp) / 1000, x, y, z: gamma * radians };
}

/**
 * Turns a vector of the device into the screen's frame. With an angle of 90 the phone is turned counterclockwise:
 * its right edge is the upper one.
 */
function onScreen(x, y, angle) {
  switch (((angle % 360) + 360) % 360) {
    case 90: return [-y, x];
    case 180: return [-x, -y];
    case 270: return [y, -x];
    default: return [x, y];
  }
}

/** Returns the angle of the screen in degrees. */
export function screenAngle(window) {
  // Safari before 16.4 has only the second.
  return window.screen?.orientation?.angle ?? window.orientation ?? 0;
}

/** Returns the line of the protocol for samples. */
export function line(samples) {
  return JSON.stringify({
    class: 'SAMPLES', samples: samples.map(({ time, x, y, z }) => [time, ...[x, y, z].map(rate => Number(rate.toFixed(6)))]),
  });
}
