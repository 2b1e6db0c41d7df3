// SPDX-License-Identifier: Apache-2.0

// The JSON as it flows: the last lines, in elements that are used again.

const most = 200;
// Four times a second is as fast as one reads.
const interval = 250;

/** Shows the last lines of the stream. */
export class Lines {
  #list;
  #waiting = [];
  #timer = null;
  #isHeld = false;

  constructor(list, button) {
    this.#list = list;
    button.addEventListener('click', () => {
      this.#isHeld = !this.#isHeld;
      button.setAttribute('aria-pressed', String(this.#isHeld));
      button.textContent = this.#isHeld ? 'Go on' : 'Hold';
      if (!this.#isHeld) this.#show();
    });
  }

  add(line) {
    this.#waiting.push(line);
    if (this.#waiting.length > most) this.#waiting.shift();
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      if (!this.#isHeld) this.#show();
    }, interval);
  }

  #show() {
    const list = this.#list;
    const isAtEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - 8;
    for (const line of this.#waiting.splice(0)) {
      const row = list.childElementCount < most ? document.createElement('div') : list.firstElementChild;
      row.textContent = line;
      row.dataset.class = /^\{"class":"(\w+)"/.exec(line)?.[1] ?? '';
      list.append(row);
    }
    if (isAtEnd) list.scrollTop = list.scrollHeight;
  }
}
