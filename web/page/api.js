// SPDX-License-Identifier: Apache-2.0

// Requests to parallax-web. What controls needs the token of the address that parallax-web prints.

import { PageControl } from './client/page.js';

const key = 'parallax-token';

// The token leaves the address bar, where it would end up in screenshots; a reload finds it in the session's storage.
function takeToken() {
  const given = new URLSearchParams(location.hash.slice(1)).get('token');
  if (!given) return sessionStorage.getItem(key);
  sessionStorage.setItem(key, given);
  history.replaceState(null, '', location.pathname + location.search);
  return given;
}

let token = takeToken();

/** Whether this page may control. */
export const mayControl = () => Boolean(token);

/** Called when the server does not accept the token. */
export const refusals = { onrefused: null };

// A second address of the same server in this tab changes only the fragment, which does not load the page again.
addEventListener('hashchange', () => {
  if (location.hash.startsWith('#token=')) {
    token = takeToken();
    location.reload();
  }
});

/** An answer that is not a success; the message is the server's. */
export class RequestError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

async function checked(promise) {
  let response;
  try {
    response = await promise;
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new RequestError(0, 'parallax-web does not answer');
  }
  if (response.ok) return response;
  const text = await response.text().catch(() => '');
  let message = text.trim() || `the server answered ${response.status}`;
  try {
    message = JSON.parse(text).error ?? message;
  } catch {
    // A line of text.
  }
  if (response.status === 401) {
    token = null;
    sessionStorage.removeItem(key);
    refusals.onrefused?.();
  }
  throw new RequestError(response.status, message);
}

/** Returns the response to GET. */
export const get = path => checked(fetch(path, { cache: 'no-store' }));

/** Returns the response to POST; `body` is a file or a text. */
export function post(path, body, { signal } = {}) {
  return checked(fetch(path, { method: 'POST', headers: { Authorization: `Bearer ${token}` }, signal, body }));
}

/** Requests to the daemon: SET, STATUS and RECENTER. */
export const control = new PageControl('control', { post: body => post('control', body) });
