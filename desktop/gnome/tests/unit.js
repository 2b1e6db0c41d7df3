// SPDX-License-Identifier: Apache-2.0
// Tests of the parts without a shell. run.py runs it with the folders of XDG below PARALLAX_TEST_FOLDER.

import GLib from 'gi://GLib';
import System from 'system';

import { chosenPicture, choosePicture, followed, installedPictures } from '../extension/choice.js';
import { parseDocument } from '../extension/document.js';
import { coveredRectangle, displacement, rendering, turned, visibleBounds } from '../extension/geometry.js';
import { readState } from '../extension/monitors.js';

let failed = 0;

function check(what, found, expected) {
  const [a, b] = [JSON.stringify(found), JSON.stringify(expected)];
  if (a === b) return print(`ok      ${what}`);
  failed += 1;
  print(`FAILED  ${what}: expected ${b}, got ${a}`);
}

function message(text) {
  try {
    parseDocument(text, 'w.toml');
  } catch (error) {
    return error.message;
  }
  return null;
}

check('a document', parseDocument(`# comment
[wallpaper]
background = "#1c1d4a"  # blue
travel = 0.04

[sky]
image = 'sky.svg'
depth = 0
["near \\"trees\\""]
image = "tr\\u00e4es.png"
depth = -1_0.5e-1
`, 'w.toml'), {
  background: '#1c1d4a', travel: 0.04, layers: [
    { name: 'sky', image: 'sky.svg', depth: 0 }, { name: 'near "trees"', image: 'träes.png', depth: -1.05 }],
});
check('the least document', parseDocument('[a]\r\nimage = "a.png"\r\n', 'w.toml'),
  { background: '#000000', layers: [{ name: 'a', image: 'a.png', depth: 1 }] });
check('no layers', message(''), 'w.toml: no layers; add a table for each, with image = "FILE"');
check('no image', message('[a]\ndepth = 1'), 'w.toml: [a] has no image; add image = "FILE"');
check('outside a table', message('a = 1'), "w.toml:1: 'a' is outside a table; write [wallpaper] or a layer's [NAME] above it");
check('unknown key', message('[a]\nimages = "a"'), "w.toml:2: unknown key 'images'; use image or depth");
check('an inherited name', message('[a]\nconstructor = 1'), "w.toml:2: unknown key 'constructor'; use image or depth");
check('a depth', message('[a]\ndepth = 11'), 'w.toml:2: depth: expected a number from -10 to 10, as in 0.5');
check('a travel', message('[wallpaper]\ntravel = "1"'), 'w.toml:2: travel: expected a number from 0 to 0.1, as in 0.025');
check('a color', message('[wallpaper]\nbackground = "red"'),
  'w.toml:2: background: expected a color in quotes, as in "#1c1d4a"');
check('twice', message('[a]\nimage = "a"\nimage = "b"'), "w.toml:3: 'image' is set twice; remove one of the two");
check('a table twice', message('[wallpaper]\n[a]\n[wallpaper]'),
  'w.toml:3: [wallpaper] is there twice; remove one of the two');
check('no TOML', message('[a]\nimage'), 'w.toml:2: expected [NAME], or KEY = VALUE');
check('a boolean', message('[a]\ndepth = true'), 'w.toml:2: expected a string in quotes or a number, got true');
check('an open string', message('[a]\nimage = "a'), 'w.toml:2: expected [NAME], or KEY = VALUE');
check('layers', message(Array.from({ length: 17 }, (_, k) => `[a${k}]`).join('\n')),
  'w.toml:17: more than 16 layers; join some images');

// 1600 x 1000 on 1000 x 500 with margins of 25: the width decides.
check('covered', coveredRectangle({ width: 1000, height: 500 }, { width: 1600, height: 1000 }, 0.025),
  { x: -25, y: -78.125, width: 1050, height: 656.25 });
check('rendered', rendering({ width: 1000, height: 500 }, { width: 1600, height: 1000 }, 0.025, 2), {
  image: { width: 2100, height: 1313 }, crop: { x: 0, y: 106, width: 2100, height: 1100 },
  place: { x: -25, y: -25, width: 1050, height: 550 },
});
const layer = { depth: -0.8, largestDepth: 1.6, travel: 0.025, width: 2000 };
check('displaced', displacement({ nx: 1, ny: -0.5 }, layer), { x: -25, y: 12.5 });
check('beyond the range', displacement({ nx: 3, ny: -3 }, layer), { x: -25, y: 25 });
check('without depth', displacement({ nx: 1, ny: 1 }, { ...layer, depth: 0, largestDepth: 0 }), { x: 0, y: 0 });
check('turned', [turned({ width: 4, height: 3 }, 6), turned({ width: 4, height: 3 }, 3)],
  [{ width: 3, height: 4 }, { width: 4, height: 3 }]);
const pixels = new Uint32Array(5 * 4);
check('nothing visible', visibleBounds(pixels, 5, 4, 4), null);
pixels[1 * 5 + 2] = 0x01000000;
pixels[2 * 5 + 1] = 0xff000000;
// The end of a row does not belong to the image.
pixels[3 * 5 + 4] = 0xff000000;
check('visible', visibleBounds(pixels, 5, 4, 4), { x: 1, y: 1, width: 2, height: 2 });

const builtIn = new GLib.Variant('b', true);
const spec = name => [name, 'vendor', 'product', 'serial'];
check('the own screen', (() => {
  const { names, orientation } = readState(
    [[spec('DP-1'), [], {}], [spec('eDP-1'), [], { 'is-builtin': builtIn }]],
    [[0, 0, 1, 0, true, [spec('DP-1')]], [1920, 0, 2, 3, false, [spec('eDP-1')]]]);
  return [[...names], orientation];
})(), [[['0,0', ['DP-1']], ['1920,0', ['eDP-1']]], 'right-up']);
check('no own screen', readState([[spec('DP-1'), [], {}]], [[0, 0, 1, 1, true, [spec('DP-1')]]]).orientation, null);

const folder = GLib.getenv('PARALLAX_TEST_FOLDER');
for (const path of ['data/parallax/wallpapers/reef', 'shared/parallax/wallpapers/valley',
  'shared/parallax/wallpapers/reef', 'shared/parallax/wallpapers/empty']) {
  GLib.mkdir_with_parents(`${folder}/${path}`, 0o755);
  if (!path.endsWith('empty')) GLib.file_set_contents(`${folder}/${path}/wallpaper.toml`, '');
}
const own = `${folder}/data/parallax/wallpapers/reef`;
check('installed', installedPictures(), [
  { name: 'reef', path: own }, { name: 'valley', path: `${folder}/shared/parallax/wallpapers/valley` }]);
check('none chosen', chosenPicture(['eDP-1']), `${folder}/shared/parallax/wallpapers/valley`);
choosePicture('/nonexistent');
choosePicture(own);
check('chosen', followed(chosenPicture(['eDP-1'])), own);
GLib.file_set_contents(`${folder}/config/parallax/wallpaper-eDP-1`, '');
check('of an output', chosenPicture(['DP-1', 'eDP-1']), `${folder}/config/parallax/wallpaper-eDP-1`);
GLib.unlink(`${folder}/config/parallax/wallpaper`);
GLib.file_set_contents(`${folder}/config/parallax/wallpaper`, 'mine');
check('a picture is not replaced', (() => {
  try {
    choosePicture(own);
  } catch (error) {
    return error.message;
  }
  return null;
})(), `${folder}/config/parallax/wallpaper is your picture; rename it first`);
print(`unit tests of the extension: ${failed} failed`);
System.exit(failed > 0 ? 1 : 0);
