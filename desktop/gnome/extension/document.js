// SPDX-License-Identifier: Apache-2.0

// Reads wallpaper.toml (docs/wallpaper.md): tables whose keys are strings and numbers, the part of TOML that it uses.

import { maxTravel, standardTravel } from './geometry.js';

const maxLayers = 16;
const maxDepth = 10;

/** What is wrong with a picture, where, and what to do. */
export class PictureError extends Error {}

const escapes = { b: '\b', t: '\t', n: '\n', f: '\f', r: '\r', e: '\x1b', '"': '"', '\\': '\\' };
const name = '[A-Za-z0-9_-]+|"(?:[^"\\\\]|\\\\.)*"|\'[^\']*\'';
const comment = '\\s*(?:#.*)?$';
const tablePattern = new RegExp(`^\\s*\\[\\s*(${name})\\s*\\]${comment}`, 'u');
const keyPattern = new RegExp(`^\\s*(${name})\\s*=\\s*("(?:[^"\\\\]|\\\\.)*"|'[^']*'|[^\\s#"']+)${comment}`, 'u');
const numberPattern = /^[+-]?(?:0|[1-9](?:_?\d)*)(?:\.\d(?:_?\d)*)?(?:[eE][+-]?\d(?:_?\d)*)?$/;

function unquoted(text) {
  if (text.startsWith("'")) return text.slice(1, -1);
  if (!text.startsWith('"')) return text;
  return text.slice(1, -1).replace(/\\(u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)/gu, (all, escape) => {
    if (escape.length > 1) return String.fromCodePoint(parseInt(escape.slice(1), 16));
    if (!Object.hasOwn(escapes, escape)) throw new PictureError(`unknown escape ${all}`);
    return escapes[escape];
  });
}

function value(text) {
  if (/^["']/.test(text)) return unquoted(text);
  if (!numberPattern.test(text)) {
    throw new PictureError(`expected a string in quotes or a number, got ${text}`);
  }
  return Number(text.replaceAll('_', ''));
}

function numberIn(low, high, found, example) {
  if (typeof found === 'number' && found >= low && found <= high) return found;
  throw new PictureError(`expected a number from ${low} to ${high}, as in ${example}`);
}

function color(found) {
  if (/^#[0-9a-fA-F]{6}$/.test(found)) return found;
  throw new PictureError('expected a color in quotes, as in "#1c1d4a"');
}

function fileName(found) {
  if (typeof found === 'string' && found !== '') return found;
  throw new PictureError('expected the name of a file in quotes, as in "sky.png"');
}

const wallpaperKeys = {
  background: color,
  travel: found => numberIn(0, maxTravel, found, standardTravel),
};
const layerKeys = {
  image: fileName,
  depth: found => numberIn(-maxDepth, maxDepth, found, 0.5),
};

function add(table, keys, key, found) {
  if (!Object.hasOwn(keys, key)) {
    throw new PictureError(`unknown key '${key}'; use ${Object.keys(keys).join(' or ')}`);
  }
  if (Object.hasOwn(table, key)) throw new PictureError(`'${key}' is set twice; remove one of the two`);
  try {
    table[key] = keys[key](found);
  } catch (error) {
    throw new PictureError(`${key}: ${error.message}`);
  }
}

/** Returns the picture that a wallpaper.toml describes: `background`, `travel` (undefined if not set), and `layers` from
 * back to front with `name`, `image` and `depth`. Throws a PictureError with the line. */
export function parseDocument(text, path) {
  const wallpaper = {};
  const layers = [];
  const titles = new Set();
  let table = null;
  text.split('\n').forEach((line, index) => {
    try {
      const opened = tablePattern.exec(line);
      const entry = opened ? null : keyPattern.exec(line);
      if (opened) {
        const title = unquoted(opened[1]);
        if (titles.has(title)) throw new PictureError(`[${title}] is there twice; remove one of the two`);
        titles.add(title);
        table = title === 'wallpaper' ? wallpaper : { name: title };
        if (table !== wallpaper) layers.push(table);
        if (layers.length > maxLayers) throw new PictureError(`more than ${maxLayers} layers; join some images`);
      } else if (entry) {
        const key = unquoted(entry[1]);
        if (!table) {
          throw new PictureError(`'${key}' is outside a table; write [wallpaper] or a layer's [NAME] above it`);
        }
        add(table, table === wallpaper ? wallpaperKeys : layerKeys, key, value(entry[2]));
      } else if (!/^\s*(?:#.*)?$/.test(line)) {
        throw new PictureError('expected [NAME], or KEY = VALUE');
      }
    } catch (error) {
      if (error instanceof PictureError) throw new PictureError(`${path}:${index + 1}: ${error.message}`);
      throw error;
    }
  });
  if (layers.length === 0) {
    throw new PictureError(`${path}: no layers; add a table for each, with image = "FILE"`);
  }
  const empty = layers.find(layer => layer.image === undefined);
  if (empty) throw new PictureError(`${path}: [${empty.name}] has no image; add image = "FILE"`);
  return {
    background: wallpaper.background ?? '#000000',
    travel: wallpaper.travel,
    layers: layers.map(layer => ({ name: layer.name, image: layer.image, depth: layer.depth ?? 1 })),
  };
}
