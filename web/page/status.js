// SPDX-License-Identifier: Apache-2.0

// The state of the motion in words: the connection, the device and the gate.

const reasons = {
  'reduce-motion:portal': 'reduced motion is on in the desktop’s settings',
  'reduce-motion:gnome': 'animations are off in GNOME’s settings',
  'reduce-motion:agent': 'reduced motion is on in this user’s desktop',
  'reduce-motion:config': 'reduced motion is on in the configuration',
  'reduce-motion:set': 'reduced motion was set by “parallax set”',
  'low-power:profile': 'the power profile is power-saver',
  'low-power:upower': 'the battery is low, says UPower',
  'low-power:sysfs': 'the battery is low',
  'low-power:config': 'low power is on in the configuration',
  'low-power:set': 'low power was set by “parallax set”',
  sleep: 'the machine is suspended',
  paused: 'press Resume to go on',
  inhibit: 'a program asks for a secret',
  inactive: 'another user’s session is active',
  'device:none': 'no gyroscope; see “parallax doctor”',
  'device:busy': 'another program uses the gyroscope',
  'device:denied': 'no permission for the gyroscope; see “parallax doctor”',
  'device:lost': 'the gyroscope is gone; waiting for it',
};

const devices = {
  idle: 'the device is off: nothing needs it',
  ended: 'the recording has ended; restart the daemon to see it again',
};

// A word of a later daemon is shown as it is.
const words = reason => reasons[reason] ?? reason;

const sources = { trace: 'a recording', synthetic: 'synthetic motion' };

/** What the messages of the stream and the state of the connection say about the motion. */
export class Status {
  // The ERROR with which the daemon or parallax-web ends the connection.
  #error = null;
  // Why there is no connection; null once the daemon has answered.
  #down = null;
  #device = null;
  #gate = null;

  /** Whether the gate is closed because of a pause. */
  get isPaused() { return this.#gate?.reasons.includes('paused') ?? false; }

  /** Whether there is no motion only because there is no daemon or no device. */
  get lacksMotion() {
    if (!this.#gate || !this.#device) return this.#down !== null;
    return this.#device.state !== 'streaming' && this.#gate.reasons.every(reason => reason.startsWith('device:'));
  }

  /** Whether synthetic motion moves the picture. */
  get isSynthetic() { return this.#device?.driver === 'synthetic' && this.#gate?.reasons.length === 0; }

  /** Whether the daemon answers. */
  get isLinked() { return Boolean(this.#gate && this.#device); }

  connection(state) {
    if (state === 'connecting') this.#error = null;
    if (state !== 'waiting') return;
    this.#device = this.#gate = null;
    const isWithoutDaemon = this.#error?.code === 'unavailable';
    this.#down = {
      state: 'down', title: isWithoutDaemon ? 'Daemon not running' : 'No connection',
      text: this.#error?.message ?? 'parallax-web does not answer; trying again',
    };
  }

  message(message) {
    if (message.class === 'VERSION') this.#down = null;
    // The daemon's own comes before that of parallax-web.
    if (message.class === 'ERROR') this.#error ??= message;
    if (message.class === 'DEVICE') this.#device = message;
    if (message.class === 'GATE') this.#gate = message;
  }

  /** Returns the state for colors, a title and a sentence. */
  describe() {
    if (this.#down) return this.#down;
    if (!this.#gate || !this.#device) return { state: 'wait', title: 'Connecting', text: '' };
    const why = this.#gate.reasons.map(words).join('; ');
    if (this.isPaused) return { state: 'paused', title: 'Paused', text: why };
    if (!this.#gate.open) return { state: 'closed', title: 'Motion is off', text: why };
    if (this.#device.state !== 'streaming') {
      const text = devices[this.#device.state] ?? words(`device:${this.#device.state}`);
      return { state: 'closed', title: 'No motion', text: this.#device.reason ?? text };
    }
    if (why) return { state: 'paused', title: 'Reduced', text: why };
    return { state: 'live', title: 'Live', text: this.#describeDevice() };
  }

  #describeDevice() {
    const { name, driver, rate } = this.#device;
    const what = name ?? sources[driver] ?? driver;
    return rate ? `${what}, ${Math.round(rate * 10) / 10} Hz` : what;
  }
}
