// SPDX-License-Identifier: Apache-2.0

// Runs in the page before its own modules: keeps what arrived, what was drawn and what went wrong.
window.seen = { lines: [], draws: [], requests: 0, violations: [], isRecording: true };
addEventListener('securitypolicyviolation', event => {
  seen.violations.push(`${event.violatedDirective} ${event.blockedURI}`);
});

// One time for all that handles a line, so that the test computes with the numbers of the page.
const clock = performance.now.bind(performance);
let frozen = null;
performance.now = () => frozen ?? clock();

const Source = EventSource;
window.EventSource = class extends Source {
  constructor(address) {
    super(address);
    this.addEventListener('message', ({ data }) => {
      frozen = clock();
      setTimeout(() => { frozen = null; });
      if (seen.isRecording) seen.lines.push([frozen / 1000, data]);
    });
  }
};

const request = requestAnimationFrame.bind(window);
window.requestAnimationFrame = draw => {
  seen.requests += 1;
  return request(began => {
    draw(began);
    if (!seen.isRecording) return;
    const layers = [...document.querySelectorAll('#scene [data-depth]')];
    const drawn = [began / 1000, seen.lines.length, layers.map(layer => [Number(layer.dataset.depth), layer.style.transform])];
    // The last of the functions that draw one picture has them all.
    if (seen.draws.at(-1)?.[0] === drawn[0]) seen.draws.pop();
    seen.draws.push(drawn);
  });
};

const get = fetch;
window.fetch = async (address, options) => {
  const response = await get(address, options);
  if (String(address).startsWith('replay?') && response.ok) {
    seen.replayed = response.clone().text();
    // Another replay may take its place.
    seen.replayed.catch(() => {});
  }
  return response;
};
