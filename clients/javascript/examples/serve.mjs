// SPDX-License-Identifier: Apache-2.0
// Serves the example page and the stream as server-sent events, on the loopback interface only:
// node serve.mjs [PORT], then open http://localhost:PORT/. parallax-web does this for real.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { monotonic, Stream } from '../node.js';

const kinds = { js: 'text/javascript', html: 'text/html' };
const files = /^\/(examples\/page\.html|(?:parallax|stream|page)\.js)$/;

function events(request, response) {
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
  const send = value => response.write(`data: ${JSON.stringify(value)}\n\n`);
  // The frames that a picture needs.
  const stream = new Stream({ watch: { rate: 60, on_change: 0.01 } });
  const clock = setInterval(() => send({ class: 'CLOCK', time: monotonic() }), 5000);
  send({ class: 'CLOCK', time: monotonic() });
  stream.onmessage = send;
  request.on('close', () => {
    clearInterval(clock);
    stream.close();
  });
}

const server = createServer(async (request, response) => {
  const path = new URL(request.url, 'http://localhost').pathname;
  if (path === '/stream') return events(request, response);
  const found = files.exec(path === '/' ? '/examples/page.html' : path);
  if (!found) return response.writeHead(404).end();
  response.writeHead(200, { 'Content-Type': kinds[found[1].split('.').pop()] });
  response.end(await readFile(new URL(`../${found[1]}`, import.meta.url)));
});
server.listen(Number(process.argv[2] ?? 8090), '127.0.0.1', () => {
  console.log(`http://localhost:${server.address().port}/`);
});
