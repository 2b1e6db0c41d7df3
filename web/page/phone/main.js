// SPDX-License-Identifier: Apache-2.0

// The phone's page: a tap, then its motion goes to the computer until End.

import { Horizon } from './horizon.js';
import { line, sample, screenAngle } from './motion.js';
import { Sender } from './sender.js';

const part = id => document.getElementById(id);
const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');

/** The time in ms without rates after which the page reports that the browser gives no motion. */
const patience = 3000;

/** The rate in rad/s at which an axis is fully deflected: a quick turn of the hand. */
const fullRate = 3;

// MARK: State of this tab, kept across reloads

function kept(key, make) {
  const value = make() ?? sessionStorage.getItem(key);
  if (value) sessionStorage.setItem(key, value);
  return value;
}

// The token leaves the address bar, where it would end up in screenshots.
const token = kept('parallax-phone-token', () => location.hash.slice(1) || null);
if (location.hash) history.replaceState(null, '', location.pathname);
const phone = kept('parallax-phone', () => sessionStorage.getItem('parallax-phone')
  ?? [...crypto.getRandomValues(new Uint8Array(16))].map(byte => byte.toString(16).padStart(2, '0')).join(''));

// A second code in this tab changes only the fragment, which does not load the page again.
addEventListener('hashchange', () => location.reload());

// MARK: View

const sensorLogger = 'Or use the app Sensor Logger with the address that the computer shows for it.';

const states = {
  start: { title: 'Use this phone as a gyroscope', text: 'Turn the phone in your hand: the picture on your computer follows it.', start: 'Start' },
  scan: { badge: 'No code', kind: 'down', title: 'Scan the code', text: 'Scan the code that the computer shows: this address does not work without it.' },
  asking: { badge: 'Starting', title: 'Starting', text: 'If the browser asks whether this page may use motion, allow it.' },
  live: { badge: 'Live', kind: 'live' },
  idle: { badge: 'Connected', kind: 'paused' },
  refused: { badge: 'Refused', kind: 'down', title: 'The computer refuses the motion' },
  offline: { badge: 'No connection', kind: 'down', title: 'The computer does not answer',
    steps: ['Check that the phone and the computer are in the same network.',
      'Check that the command is still running on the computer.'] },
  taken: { badge: 'In use', kind: 'down', title: 'Another phone is connected', text: 'Only one phone can send at a time. Tap End on the other phone, then try again here.', start: 'Try again' },
  expired: { badge: 'Expired', kind: 'down', title: 'This code is no longer valid', text: 'A code is valid until the command on the computer ends. Start the command again and scan the new code.' },
  denied: { badge: 'Refused', kind: 'down', title: 'The browser does not allow motion', start: 'Try again',
    steps: ['On an iPhone, close this tab, scan the code again and tap Allow.',
      'In Chrome, tap the icon left of the address, then Permissions, and allow Motion sensors.', sensorLogger] },
  none: { badge: 'No motion', kind: 'down', title: 'The browser reports no motion', start: 'Try again',
    steps: ['Some browsers block sensors: look for “Motion sensors” in their settings, or open the page in Chrome or Safari.',
      'Some phones have no gyroscope.', sensorLogger] },
  ended: { badge: 'Ended', title: 'Ended', text: 'This phone no longer sends its motion. You can close the page.', start: 'Start again' },
};

const liveStates = ['live', 'idle', 'refused', 'offline'];
let shown = null;

// Messages of the daemon are for terminals.
const sentence = text => (text ? `${text[0].toUpperCase()}${text.slice(1)}.` : '');

function show(name, detail = '') {
  const key = `${name} ${detail}`;
  if (key === shown) return;
  shown = key;
  const { badge = 'Not started', kind = 'wait', title = '', text = sentence(detail), steps = [], start } = states[name];
  document.body.dataset.state = name;
  const status = part('status');
  status.dataset.state = kind;
  status.firstElementChild.textContent = badge;
  part('title').textContent = title;
  part('text').textContent = text;
  part('text').hidden = !text;
  part('steps').replaceChildren(...steps.map(step => Object.assign(document.createElement('li'), { textContent: step })));
  part('steps').hidden = steps.length === 0;
  part('message').hidden = !title;
  const isLive = liveStates.includes(name);
  part('live').hidden = !isLive || Boolean(title);
  part('end').hidden = !isLive;
  part('start').hidden = !start;
  part('start').textContent = start ?? '';
  part('hint').textContent = name === 'idle'
    ? 'No program on the computer shows the motion yet. Try “parallax watch”.' : 'Hold the phone upright and tap to center.';
}

const horizon = new Horizon();
let newest = null;
let isDrawing = false;
let shownNumbers = 0;

function draw(now) {
  isDrawing = false;
  if (!newest) return;
  if (!reducedMotion.matches) part('world').setAttribute('transform', horizon.transform());
  for (const axis of ['x', 'y', 'z']) {
    part(`bar-${axis}`).style.transform = `scaleX(${Math.max(-1, Math.min(1, newest[axis] / fullRate))})`;
  }
  // Numbers that change more often cannot be read.
  if (now - shownNumbers < 150) return;
  shownNumbers = now;
  for (const axis of ['x', 'y', 'z']) {
    part(`rate-${axis}`).textContent = `${Math.round(newest[axis] * 180 / Math.PI)}°/s`.replace(/^-(?=0°)/, '').replace('-', '−');
  }
}

part('center').addEventListener('click', () => horizon.center());

// MARK: Sending

let sender = null;
let lock = null;
let timer = null;

const post = async (path, body) => {
  const limit = new AbortController();
  const late = setTimeout(() => limit.abort(), 5000);
  try {
    const response = await fetch(path, {
      method: 'POST', body, signal: limit.signal, headers: { Authorization: `Bearer ${token}`, 'Parallax-Phone': phone },
    });
    return { status: response.status, body: await response.json().catch(() => null) };
  } finally {
    clearTimeout(late);
  }
};

function receive(event) {
  const taken = sample(event, screenAngle(window), performance.timeOrigin);
  if (!taken || !sender) return;
  clearTimeout(timer);
  newest = taken;
  horizon.add(taken);
  sender.add(taken);
  if (isDrawing) return;
  isDrawing = true;
  requestAnimationFrame(draw);
}

async function stayAwake() {
  // Refused with low battery: the screen then locks as usual, and the page continues when the user unlocks it.
  lock = await navigator.wakeLock?.request('screen').catch(() => null);
}

async function start() {
  if (typeof DeviceMotionEvent === 'undefined') return show('none');
  if (DeviceMotionEvent.requestPermission) {
    show('asking');
    // Must be called in the tap itself.
    const answer = await DeviceMotionEvent.requestPermission().catch(() => 'denied');
    if (answer !== 'granted') return show('denied');
  } else {
    show('asking');
  }
  sender = new Sender(samples => post('samples', line(samples)));
  sender.onstate = (answer, detail) => {
    switch (answer) {
      case 'sent': return show(detail === 'idle' ? 'idle' : 'live');
      case 'expired': case 'taken': return stop(answer);
      case 'fast': return undefined;
      default: return show(answer, detail);
    }
  };
  horizon.center();
  addEventListener('devicemotion', receive);
  timer = setTimeout(() => stop('none'), patience);
  stayAwake();
  return undefined;
}

function stop(name) {
  clearTimeout(timer);
  removeEventListener('devicemotion', receive);
  const sent = sender?.end();
  sender = null;
  lock?.release();
  lock = null;
  show(name);
  return sent;
}

part('start').addEventListener('click', start);
part('end').addEventListener('click', async () => {
  // A request that arrives after the end would take the place again.
  await stop('ended');
  post('end').catch(() => {});
});
document.addEventListener('visibilitychange', () => {
  if (!document.hidden && sender) stayAwake();
});

show(token ? 'start' : 'scan');
