// SPDX-License-Identifier: Apache-2.0

// Recordings: taking a file, having it replayed by the server, and the controls of the player.

import { mayControl, post } from './api.js';
import { Player, readFrames, Recording } from './recording.js';

const largest = 64 << 20;
const seconds = value => value.toFixed(1);

export class Replay {
  #source;
  #parts;
  #request = null;
  // The file that is shown, and the settings of its last replay, as a query.
  #file = null;
  #query = '';

  /** Returns the settings for a replay, by key. */
  settings = () => ({});
  /** Called when a player takes the place of the stream, or null the place of a player. */
  onplayer = null;
  /** Called when the player starts, stops or is moved. */
  onchange = null;

  constructor(source, parts) {
    this.#source = source;
    this.#parts = parts;
    const { choose, file, play, seek, back } = parts;
    const mark = isOver => document.body.classList.toggle('over', isOver);
    choose.addEventListener('click', () => file.click());
    file.addEventListener('change', () => {
      if (file.files.length > 0) this.#open(file.files[0]);
      // The same file again is a change, too.
      file.value = '';
    });
    // A file may be dropped anywhere; otherwise the browser would leave the page to show it.
    addEventListener('dragover', event => {
      event.preventDefault();
      mark(true);
    });
    addEventListener('dragleave', event => { if (!event.relatedTarget) mark(false); });
    addEventListener('drop', event => {
      event.preventDefault();
      mark(false);
      const dropped = event.dataTransfer.files[0];
      if (dropped) this.#open(dropped);
    });
    play.addEventListener('click', () => this.#toggle());
    seek.addEventListener('input', () => this.#player?.seek(Number(seek.value)));
    seek.addEventListener('keydown', event => this.#key(event));
    back.addEventListener('click', () => this.#leave());
  }

  get #player() { return this.#source.player; }

  #toggle() {
    if (this.#player.isPlaying) this.#player.pause();
    else this.#player.play();
  }

  // Arrow keys move by a second, with Shift by a tenth; Space plays and pauses.
  #key(event) {
    const step = event.shiftKey ? 0.1 : 1;
    const steps = { ArrowLeft: -step, ArrowDown: -step, ArrowRight: step, ArrowUp: step, PageDown: -10, PageUp: 10 };
    if (event.key === ' ') this.#toggle();
    else if (steps[event.key]) this.#player.seek(this.#player.position + steps[event.key]);
    else return;
    event.preventDefault();
  }

  /** Replays the file again if the settings have changed. The position remains. */
  settingsChanged() {
    if (this.#file && this.#settingsQuery() !== this.#query) this.#open(this.#file, true);
  }

  #settingsQuery() { return new URLSearchParams(this.settings()).toString(); }

  async #open(file, isAgain = false) {
    const { status } = this.#parts;
    this.#fail('');
    this.#request?.abort();
    const request = this.#request = new AbortController();
    try {
      if (!mayControl()) throw new Error('This page may only show. Open the address that ends in #token=… to replay recordings.');
      if (file.size > largest) throw new Error(`${file.name} is larger than 64 MiB.`);
      const recording = new Recording(file.name);
      const query = this.#query = this.#settingsQuery();
      status.textContent = `Replaying ${file.name} …`;
      const response = await post(`replay?name=${encodeURIComponent(file.name)}&${query}`, file, { signal: request.signal });
      await readFrames(response.body, recording, () => {
        status.textContent = `Replaying ${file.name}: ${recording.count} frames …`;
      });
      if (recording.count === 0) throw new Error(`${file.name} has no frames.`);
      status.textContent = `${file.name}: ${recording.count} frames, ${seconds(recording.seconds)} s, replayed with the settings on this page`;
      this.#file = file;
      if (isAgain && this.#player) this.#exchange(recording);
      else this.#start(recording);
      // They may have changed meanwhile.
      this.settingsChanged();
    } catch (error) {
      if (error.name === 'AbortError') return;
      status.textContent = '';
      this.#fail(error.message);
      this.#parts.error.scrollIntoView({ block: 'nearest' });
    }
  }

  #fail(message) {
    this.#parts.error.textContent = message;
    this.#parts.error.hidden = !message;
  }

  // Another replay of the same file takes the place of the one that is shown, at the same position.
  #exchange(recording) {
    this.#player.recording = recording;
    this.#parts.seek.max = recording.seconds;
    this.onplayer?.(this.#player);
    this.#player.seek(this.#player.position);
  }

  #start(recording) {
    const player = new Player(recording);
    player.onchange = () => {
      this.show();
      this.#source.wake();
      this.onchange?.();
    };
    this.#parts.player.hidden = false;
    this.#parts.seek.max = recording.seconds;
    this.#source.player = player;
    this.onplayer?.(player);
    player.play();
    this.#parts.play.focus({ preventScroll: true });
    this.#parts.player.closest('section').scrollIntoView({ block: 'nearest' });
  }

  #leave() {
    this.#request?.abort();
    this.#file = null;
    this.#parts.player.hidden = true;
    this.#parts.status.textContent = '';
    this.#source.player = null;
    this.onplayer?.(null);
    this.#parts.choose.focus({ preventScroll: true });
  }

  /** Shows the position; pauses at the end. */
  show() {
    const player = this.#player;
    if (!player) return;
    const { position, recording } = player;
    if (player.isPlaying && position >= recording.seconds) return player.pause();
    const { seek, play } = this.#parts;
    seek.value = position;
    seek.setAttribute('aria-valuetext', `${seconds(position)} of ${seconds(recording.seconds)} seconds`);
    this.#parts.position.textContent = `${seconds(position)} / ${seconds(recording.seconds)} s`;
    play.textContent = player.isPlaying ? 'Pause' : 'Play';
  }
}
