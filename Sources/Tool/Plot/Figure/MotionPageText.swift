// SPDX-License-Identifier: Apache-2.0

/// The page's text, with places for the name and the poses.
enum AnimationPageText {
  static let page = #"""
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
    <title>PAGE-NAME</title>
    <style>
    :root {
      color-scheme: light dark;
      --page: #f3f5f8; --stage: #e4e9ef; --line: #c3cbd5; --text: #1b2026; --faint: #56606a;
      --accent: #0072b2; --far: #c9d5e2; --card: #ffffff;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --page: #14181d; --stage: #1c222a; --line: #3a434e; --text: #e9edf1; --faint: #a3adb8;
        --accent: #56b4e9; --far: #2a3440; --card: #323c48;
      }
    }
    * { box-sizing: border-box; }
    body {
      margin: 0; min-height: 100vh; display: flex; flex-direction: column; background: var(--page);
      color: var(--text); font: 16px/1.4 system-ui, sans-serif;
    }
    header, main, footer { width: 100%; max-width: 1100px; margin: 0 auto; padding: 0 16px; }
    h1 { font-size: 1.15rem; margin: 16px 0 12px; overflow-wrap: anywhere; }
    main { flex: 1; display: flex; flex-direction: column; gap: 12px; }
    #stage {
      position: relative; flex: 1; min-height: 300px; overflow: hidden; border-radius: 12px;
      background: var(--stage); border: 1px solid var(--line);
    }
    #stage::before, #stage::after { content: ""; position: absolute; background: var(--line); }
    #stage::before { left: 50%; top: 0; bottom: 0; width: 1px; }
    #stage::after { top: 50%; left: 0; right: 0; height: 1px; }
    #home, #card {
      position: absolute; z-index: 1; left: 50%; top: 50%; width: 200px; height: 130px;
      margin: -65px 0 0 -100px; border-radius: 14px;
    }
    #home { border: 1px dashed var(--faint); }
    #card {
      background: linear-gradient(160deg, var(--far), var(--card) 60%); border: 1px solid var(--line);
      box-shadow: 0 10px 24px rgb(0 0 0 / 22%); display: grid; place-items: center;
      font-weight: 600; color: var(--accent); will-change: transform, opacity;
    }
    .controls { display: flex; flex-wrap: wrap; gap: 10px 14px; align-items: center; }
    button, select {
      font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line);
      border-radius: 8px; padding: 8px 14px; min-height: 44px;
    }
    button { min-width: 88px; font-weight: 600; }
    input[type=range] { flex: 1 1 240px; min-width: 0; height: 44px; accent-color: var(--accent); }
    input[type=checkbox] { width: 20px; height: 20px; accent-color: var(--accent); vertical-align: -4px; }
    :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
    label { white-space: nowrap; }
    dl {
      display: grid; grid-template-columns: repeat(auto-fit, minmax(92px, 1fr)); gap: 4px 16px; margin: 4px 0;
    }
    dt { color: var(--faint); font-size: .8rem; }
    dd { margin: 0; font-variant-numeric: tabular-nums; }
    footer { color: var(--faint); font-size: .85rem; padding-bottom: 16px; }
    kbd { font: inherit; border: 1px solid var(--line); border-radius: 4px; padding: 0 5px; }
    </style>
    </head>
    <body>
    <header><h1>PAGE-NAME</h1></header>
    <main>
    <div id="stage"><div id="home"></div><div id="card">parallax</div></div>
    <div class="controls">
    <button id="play" type="button">Play</button>
    <input id="seek" type="range" min="0" step="any" value="0" aria-label="Time">
    <output id="time">0.00 s</output>
    </div>
    <div class="controls">
    <label>Speed <select id="speed">
    <option value="0.1">0.1</option><option value="0.25">0.25</option><option value="0.5">0.5</option>
    <option value="1" selected>1</option><option value="2">2</option></select></label>
    <label><input id="repeat" type="checkbox" checked> Repeat</label>
    <span id="zoom"></span>
    </div>
    <dl>
    <div><dt>x, px</dt><dd id="x"></dd></div><div><dt>y, px</dt><dd id="y"></dd></div>
    <div><dt>rotation, °</dt><dd id="rotation"></dd></div><div><dt>scale</dt><dd id="scale"></dd></div>
    <div><dt>opacity</dt><dd id="opacity"></dd></div>
    </dl>
    </main>
    <footer><p><kbd>Space</kbd> plays and pauses, <kbd>←</kbd> <kbd>→</kbd> step by a frame,
    <kbd>Home</kbd> <kbd>End</kbd> go to the ends. <span id="calm"></span></p></footer>
    <script type="application/json" id="data">PAGE-DATA</script>
    <script>
    "use strict";
    const get = id => document.getElementById(id);
    const data = JSON.parse(get("data").textContent);
    const names = ["x", "y", "rotation", "scale", "opacity"];
    const frames = data.channels[0].length;
    const length = (frames - 1) / data.rate;
    const card = get("card"), seek = get("seek"), play = get("play"), stage = get("stage");
    const reach = Math.max(1, ...[0, 1].map(c => data.channels[c].reduce((m, v) => Math.max(m, Math.abs(v)), 0)));
    const tallest = Math.max(1, ...data.channels.filter((_, c) => c === 3 || c === 5).map(list => list.reduce((m, v) => Math.max(m, Math.abs(v)), 0)));
    const calm = matchMedia("(prefers-reduced-motion: reduce)");
    let now = 0, playing = false, last = 0, zoom = 1;

    function pose(time) {
      const place = Math.min(frames - 1, Math.max(0, time * data.rate));
      const low = Math.floor(place), high = Math.min(frames - 1, low + 1), share = place - low;
      return data.channels.map(c => c[low] + (c[high] - c[low]) * share);
    }
    function draw() {
      const values = pose(now);
      card.style.transform = `translate(${values[0] * zoom}px, ${values[1] * zoom}px) ` +
        `rotate(${values[2]}deg) scale(${values[3] * Math.min(1, zoom)}, ${(values[5] ?? values[3]) * Math.min(1, zoom)})`;
      card.style.opacity = values[4];
      names.forEach((name, index) => { get(name).textContent = values[index].toFixed(index < 3 ? 1 : 2); });
      seek.value = now;
      get("time").textContent = now.toFixed(2) + " of " + length.toFixed(2) + " s";
      seek.setAttribute("aria-valuetext", now.toFixed(2) + " seconds");
    }
    function fit() {
      const across = stage.clientWidth / 2, down = stage.clientHeight / 2;
      const room = Math.min(across - 100, down - 65);
      zoom = Math.min(1, Math.max(0.02, Math.min(room / reach, down / (65 * tallest))));
      get("home").style.transform = `scale(${Math.min(1, zoom)})`;
      get("zoom").textContent = zoom < 1 ? "drawn at " + Math.round(zoom * 100) + " %" : "";
      draw();
    }
    function step(stamp) {
      if (!playing) return;
      now += Math.min(0.1, (stamp - last) / 1000) * Number(get("speed").value);
      last = stamp;
      if (now >= length) {
        if (get("repeat").checked && length > 0) { now %= length; } else { now = length; run(false); }
      }
      draw();
      requestAnimationFrame(step);
    }
    function run(on) {
      playing = on && length > 0;
      play.textContent = playing ? "Pause" : "Play";
      if (playing) {
        if (now >= length) now = 0;
        requestAnimationFrame(stamp => { last = stamp; step(stamp); });
      }
    }
    function go(time) {
      run(false);
      now = Math.min(length, Math.max(0, time));
      draw();
    }
    seek.max = length;
    play.addEventListener("click", () => run(!playing));
    seek.addEventListener("input", () => go(Number(seek.value)));
    addEventListener("resize", fit);
    addEventListener("keydown", event => {
      if (event.target.tagName === "SELECT" || event.ctrlKey || event.metaKey || event.altKey) return;
      const frame = Math.round(now * data.rate);
      const actions = {
        " ": () => run(!playing), ArrowLeft: () => go((frame - 1) / data.rate),
        ArrowRight: () => go((frame + 1) / data.rate), Home: () => go(0), End: () => go(length),
      };
      if (!actions[event.key] || (event.key === " " && event.target.tagName === "INPUT" && event.target !== seek)) return;
      // A focused button would act on the key, too.
      event.preventDefault();
      if (!(event.key === " " && event.repeat)) actions[event.key]();
    });
    addEventListener("keyup", event => { if (event.key === " " && event.target === play) event.preventDefault(); });
    calm.addEventListener("change", () => { if (calm.matches) run(false); });
    fit();
    if (calm.matches) {
      get("calm").textContent = "Reduced motion is on, so it waits for Play.";
    } else {
      run(true);
    }
    </script>
    </body>
    </html>

    """#
}
