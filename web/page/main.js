// SPDX-License-Identifier: Apache-2.0

// Puts the page together: the stream at one end, what shows it at the other.

import { animate } from './client/page.js';
import { control, mayControl, refusals } from './api.js';
import { Code } from './code.js';
import { History, PlayedHistory } from './history.js';
import { Keep } from './keep.js';
import { Lines } from './lines.js';
import { Picture } from './picture.js';
import { Plot } from './plot.js';
import { pointerRule } from './pointer.js';
import { Replay } from './replay.js';
import { Settings } from './settings.js';
import { LiveStream, Source } from './source.js';
import { Status } from './status.js';

const part = id => document.getElementById(id);
const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');

const live = new LiveStream('events');
const source = new Source(live);
const status = new Status();
const history = new History();
const picture = new Picture(part('scene'), source);
const plot = new Plot(part('plot'));
const lines = new Lines(part('lines'), part('hold'));
const settings = new Settings({
  rows: part('rows'), presets: part('presets'), reset: part('reset'), error: part('settings-error'),
});
const keep = new Keep({ toml: part('toml'), copy: part('copy'), write: part('write'), written: part('written') });
const replay = new Replay(source, {
  choose: part('choose'), file: part('file'), status: part('replay-status'), error: part('replay-error'),
  player: part('player'), play: part('play'), seek: part('seek'), position: part('position'), back: part('back'),
});
replay.settings = () => settings.replayed;
plot.history = history;

// MARK: Showing

let numbersTimer = null;
let newest = null;

// Numbers that change more often cannot be read.
function showNumbers(offset) {
  newest = offset;
  numbersTimer ??= setTimeout(() => {
    numbersTimer = null;
    for (const axis of ['x', 'y']) {
      part(axis).textContent = newest ? newest[axis].toFixed(2).replace('-', '−') : '–';
    }
  }, 100);
}

function showStatus() {
  const { state, title, text } = source.player
    ? { state: 'recording', title: 'Recording', text: source.player.recording.name } : status.describe();
  const badge = part('status');
  badge.dataset.state = state;
  if (badge.firstElementChild.textContent !== title) badge.firstElementChild.textContent = title;
  if (badge.lastElementChild.textContent !== text) badge.lastElementChild.textContent = text;
  const pause = part('pause');
  pause.textContent = status.isPaused ? 'Resume' : 'Pause';
  pause.setAttribute('aria-pressed', String(status.isPaused));
  pause.disabled = part('recenter').disabled = !mayControl();
  part('phone').hidden = !mayControl();
  showPointer();
}

let prefersPointer = false;

// Chooses whether the picture follows the pointer, if there is no motion or only synthetic motion.
function showPointer() {
  const { follows, text, mayChoose } = pointerRule({
    status, isChosen: prefersPointer, isReduced: reducedMotion.matches, isPlaying: source.player !== null,
  });
  source.followsPointer = follows;
  part('hand').hidden = !text;
  if (part('hand-text').textContent !== text) part('hand-text').textContent = text;
  part('follow').hidden = !mayChoose;
  part('follow').setAttribute('aria-pressed', String(follows));
}

part('follow').addEventListener('click', () => {
  prefersPointer = !prefersPointer;
  showPointer();
});

function drawPlot() {
  plot.end = source.player ? source.player.at(performance.now() / 1000) : source.now();
  plot.draw();
}

// Before each picture while something moves, and not at rest.
animate(source, offset => {
  if (reducedMotion.matches) return;
  if (source.player) {
    replay.show();
    showNumbers(offset);
  }
  drawPlot();
});

// With reduced motion nothing is drawn before each picture: the player's numbers go on, and its plot when it is moved.
let stepTimer = null;

function stepPlayer() {
  clearTimeout(stepTimer);
  const { player } = source;
  if (!player || !reducedMotion.matches) return;
  showNumbers(player.offsetAt(player.at(performance.now() / 1000)));
  if (!player.isPlaying) return drawPlot();
  stepTimer = setTimeout(() => {
    replay.show();
    stepPlayer();
  }, 250);
}
replay.onchange = stepPlayer;

function showStill() {
  part('still').hidden = !reducedMotion.matches;
  showPointer();
  drawPlot();
}
reducedMotion.addEventListener('change', showStill);
showStill();

// MARK: The stream

function note(title) {
  const notice = part('notice');
  notice.textContent = title;
  notice.hidden = !title;
}

let liveRanges = plot.ranges;

function showRanges() {
  const ranges = source.player?.recording.ranges ?? liveRanges;
  if (JSON.stringify(ranges) === JSON.stringify(plot.ranges)) return;
  plot.ranges = ranges;
  picture.setRanges(ranges);
  source.ranges = ranges;
  plot.invalidate();
}

let settingsTimer = null;
const loadSettings = () => {
  settingsTimer ??= setTimeout(() => {
    settingsTimer = null;
    if (status.isLinked || !mayControl()) settings.load();
  }, 100);
};

live.onmessage = message => {
  if (message.class === 'OFFSET') {
    history.add(message);
    if (!source.player) showNumbers(message);
  } else {
    status.message(message);
    if (message.class === 'GATE') {
      history.addGate(live.clock.at(performance.now() / 1000), message.open);
      // With a closed gate the picture is centered, and no OFFSET says so.
      if (!message.open && !newest && !source.player) showNumbers({ x: 0, y: 0 });
    }
    if (message.class === 'DEVICE') {
      if (message.range_x && message.range_y) liveRanges = { x: message.range_x, y: message.range_y };
      showRanges();
      loadSettings();
    }
    showStatus();
    if (!source.player && !reducedMotion.matches) drawPlot();
  }
  source.receive(message);
};

live.onstate = state => {
  status.connection(state);
  if (state === 'waiting' && !source.player) showNumbers(null);
  showStatus();
};

live.online = line => lines.add(line);

settings.onload = changed => {
  part('recenter').hidden = settings.value('mode') !== 'tilt';
  keep.load(changed);
  replay.settingsChanged();
};

replay.onplayer = player => {
  plot.history = player ? new PlayedHistory(player) : history;
  part('plot-title').textContent = player ? 'Ten seconds of the recording' : 'Last ten seconds';
  showStatus();
  showRanges();
  drawPlot();
};

// MARK: Controlling

function noteError(error) {
  // An invalid token has a message of its own.
  if (error.status !== 401) note(error.message);
}

async function send(request) {
  try {
    const [answer] = await control.request(request);
    note(answer.class === 'ERROR' ? answer.message : '');
  } catch (error) {
    noteError(error);
  }
}

const code = new Code(part('code'));
code.onerror = noteError;
part('phone').addEventListener('click', () => code.show());

part('pause').addEventListener('click', () => send({ class: 'SET', key: 'paused', value: !status.isPaused }));
part('recenter').addEventListener('click', () => send({ class: 'RECENTER' }));
addEventListener('focus', loadSettings);

const withoutToken = 'This page may only show. To control, open the address that parallax-web printed: it ends in #token=…';
refusals.onrefused = () => {
  note(withoutToken);
  showStatus();
  loadSettings();
};
if (!mayControl()) note(withoutToken);
showStatus();
loadSettings();
