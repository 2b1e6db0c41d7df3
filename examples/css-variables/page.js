// SPDX-License-Identifier: Apache-2.0
// Keeps --parallax-x and --parallax-y (lengths), --parallax-nx and --parallax-ny (-1 to 1) up to date; CSS does the rest.
import { PageStream, setVariables } from './client/page.js';

setVariables(document.documentElement, new PageStream('/events'));
