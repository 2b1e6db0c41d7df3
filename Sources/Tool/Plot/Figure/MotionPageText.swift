// SPDX-License-Identifier: Apache-2.0

/// The page's text, with places for the name and the frames.
enum MotionPageText {
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
      --accent: #0072b2; --second: #d55e00; --far: #c9d5e2; --card: #ffffff;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --page: #14181d; --stage: #1c222a; --line: #3a434e; --text: #e9edf1; --faint: #a3adb8;
        --accent: #56b4e9; --second: #e69f00; --far: #2a3440; --card: #323c48;
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
      position: relative; flex: 1; min-height: 260px; overflow: hidden; border-radius: 12px;
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
    #strip {
      display: block; width: 100%; height: 132px; border-radius: 12px; background: var(--stage);
      border: 1px solid var(--line); cursor: crosshair; touch-action: pan-y;
    }
    #strip[hidden] { display: none; }
    .controls { display: flex; flex-wrap: wrap; gap: 10px 14px; align-items: center; }
    button, select {
      font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line);
      border-radius: 8px; padding: 8px 14px; min-height: 44px;
    }
    button { font-weight: 600; }
    #play { min-width: 88px; }
    button:disabled { color: var(--faint); }
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
    <canvas id="strip" tabindex="0" role="img" aria-label="x and y against time; drag over a part to see it alone"></canvas>
    <div class="controls">
    <button id="play" type="button">Play</button>
    <input id="seek" type="range" step="any" aria-label="Time">
    <output id="time"></output>
    </div>
    <div class="controls">
    <label>Speed <select id="speed">
    <option value="0.1">0.1</option><option value="0.25">0.25</option><option value="0.5">0.5</option>
    <option value="1" selected>1</option><option value="2">2</option></select></label>
    <label><input id="repeat" type="checkbox" checked> Repeat</label>
    <span class="controls"><button id="in" type="button" aria-label="Zoom in">+</button>
    <button id="out" type="button" aria-label="Zoom out">−</button>
    <button id="all" type="button">Whole</button></span>
    <span id="zoom"></span>
    </div>
    <dl id="values"></dl>
    </main>
    <footer><p><kbd>Space</kbd> plays and pauses, <kbd>←</kbd> <kbd>→</kbd> step by a frame,
    <kbd>Home</kbd> <kbd>End</kbd> go to the ends. Drag over the curves to see a part alone, or use
    <kbd>+</kbd> <kbd>−</kbd> <kbd>0</kbd>. <span id="calm"></span></p></footer>
    <script type="application/json" id="data">PAGE-DATA</script>
    <script>
    "use strict";
    const get = id => document.getElementById(id);
    const {times, channels, starts, zoom: maxZoom} = JSON.parse(get("data").textContent);
    const isStart = new Set(starts);
    const whole = [times[0], times[times.length - 1]];
    const labels = [["x, px", 1], ["y, px", 1], ["rotation, °", 1], ["scale", 2], ["opacity", 2], ["scale down", 2]];
    const card = get("card"), seek = get("seek"), play = get("play"), stage = get("stage"), strip = get("strip");
    const largest = list => list.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    const reach = Math.max(1, largest(channels[0]), largest(channels[1]));
    const tallest = Math.max(1, largest(channels[3] ?? []), largest(channels[5] ?? []));
    const calm = matchMedia("(prefers-reduced-motion: reduce)");
    const shortest = Math.min(whole[1] - whole[0], 0.2);
    let view = whole.slice(), now = whole[0], playing = false, last = 0, zoom = 1, drag = null;

    const outputs = channels.map((_, index) => {
      const group = document.createElement("div"), term = document.createElement("dt"), value = document.createElement("dd");
      term.textContent = labels[index][0];
      group.append(term, value);
      get("values").append(group);
      return value;
    });

    // The last frame at or before a time.
    function frame(time) {
      let low = 0, high = times.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (times[middle] <= time + 1e-9) { low = middle; } else { high = middle - 1; }
      }
      return low;
    }
    function values(time) {
      const low = frame(time), next = low + 1;
      if (next >= times.length || isStart.has(next)) return channels.map(list => list[low]);
      const share = Math.max(0, (time - times[low]) / (times[next] - times[low]));
      return channels.map(list => list[low] + (list[next] - list[low]) * share);
    }
    function draw() {
      const all = values(now), [x, y, rotation = 0, scale = 1, opacity = 1, down = scale] = all;
      const size = Math.min(1, zoom);
      card.style.transform = `translate(${x * zoom}px, ${y * zoom}px) rotate(${rotation}deg) scale(${scale * size}, ${down * size})`;
      card.style.opacity = opacity;
      all.forEach((value, index) => { outputs[index].textContent = value.toFixed(labels[index][1]); });
      seek.value = now;
      get("time").textContent = now.toFixed(2) + " of " + whole[1].toFixed(2) + " s";
      seek.setAttribute("aria-valuetext", now.toFixed(2) + " seconds");
      drawStrip();
    }

    // The curves of x and y between the ends of the view: in each column of pixels from the least to the greatest value.
    function drawStrip() {
      const width = strip.clientWidth, height = strip.clientHeight, dots = devicePixelRatio;
      if (strip.width !== Math.round(width * dots) || strip.height !== Math.round(height * dots)) {
        strip.width = Math.round(width * dots);
        strip.height = Math.round(height * dots);
      }
      const style = getComputedStyle(document.documentElement), ink = name => style.getPropertyValue(name);
      const pen = strip.getContext("2d"), low = 22, middle = (height - low) / 2;
      pen.setTransform(dots, 0, 0, dots, 0, 0);
      pen.clearRect(0, 0, width, height);
      const place = time => (time - view[0]) / (view[1] - view[0] || 1) * width;
      pen.font = "12px system-ui, sans-serif";
      pen.textAlign = "center";
      const step = tick((view[1] - view[0]) / Math.max(2, width / 110));
      for (let index = Math.ceil(view[0] / step); index * step <= view[1]; index++) {
        const at = place(index * step);
        pen.fillStyle = ink("--line");
        pen.fillRect(at, 0, 1, height - low);
        pen.fillStyle = ink("--faint");
        if (at > 20 && at < width - 20) pen.fillText(+(index * step).toFixed(6) + " s", at, height - 6);
      }
      pen.fillStyle = ink("--line");
      pen.fillRect(0, middle, width, 1);
      const first = frame(view[0]), end = Math.min(times.length, frame(view[1]) + 2);
      [["--second", 1, "y", 30], ["--accent", 0, "x", 14]].forEach(([color, channel, name, at]) => {
        const list = channels[channel], level = value => middle - value / reach * (middle - 6);
        pen.strokeStyle = pen.fillStyle = ink(color);
        pen.lineWidth = 1.5;
        pen.lineJoin = "round";
        pen.beginPath();
        for (let index = first; index < end; index++) {
          const at = place(times[index]);
          if (index === first || isStart.has(index)) pen.moveTo(at, level(list[index]));
          // Of many frames in one pixel, the extremes are enough.
          const column = Math.floor(at);
          let least = list[index], most = least;
          while (index + 1 < end && !isStart.has(index + 1) && Math.floor(place(times[index + 1])) === column) {
            index++;
            least = Math.min(least, list[index]);
            most = Math.max(most, list[index]);
          }
          if (least !== most) { pen.lineTo(at, level(least)); pen.lineTo(at, level(most)); }
          pen.lineTo(place(times[index]), level(list[index]));
        }
        pen.stroke();
        pen.fillText(name, at, 16);
      });
      pen.fillStyle = ink("--text");
      pen.fillRect(place(now) - 1, 0, 2, height - low);
      if (drag && drag.to !== drag.from) {
        pen.globalAlpha = 0.25;
        pen.fillStyle = ink("--accent");
        pen.fillRect(Math.min(drag.from, drag.to), 0, Math.abs(drag.to - drag.from), height - low);
        pen.globalAlpha = 1;
      }
    }
    // The next of 1, 2 and 5 times a power of ten.
    function tick(seconds) {
      const power = 10 ** Math.floor(Math.log10(Math.max(seconds, 1e-6)));
      return power * [1, 2, 5, 10].find(factor => factor * power >= seconds * 0.999);
    }
    function show(from, to) {
      const length = Math.min(whole[1] - whole[0], Math.max(shortest, to - from));
      const start = Math.min(whole[1] - length, Math.max(whole[0], (from + to - length) / 2));
      view = [start, start + length];
      now = Math.min(view[1], Math.max(view[0], now));
      [seek.min, seek.max] = view;
      get("all").disabled = get("out").disabled = length >= whole[1] - whole[0];
      get("in").disabled = length <= shortest;
      draw();
    }
    function zoomBy(factor, around = now) {
      show(around - (around - view[0]) * factor, around + (view[1] - around) * factor);
    }
    function fit() {
      const across = stage.clientWidth / 2, down = stage.clientHeight / 2;
      const room = Math.min(across - 100, down - 65);
      const fitting = Math.min(room / reach, down / (65 * tallest));
      zoom = fitting < 1 ? Math.max(0.02, fitting) : Math.max(1, Math.min(maxZoom, Math.floor(room / reach)));
      get("home").style.transform = `scale(${Math.min(1, zoom)})`;
      get("zoom").textContent =
        zoom < 1 ? "drawn at " + Math.round(zoom * 100) + " %" : zoom > 1 ? "motion enlarged " + zoom + " times" : "";
      draw();
    }
    function step(stamp) {
      if (!playing) return;
      now += Math.min(0.1, (stamp - last) / 1000) * Number(get("speed").value);
      last = stamp;
      if (now >= view[1]) {
        if (get("repeat").checked) { now = view[0] + (now - view[1]) % (view[1] - view[0]); } else { now = view[1]; run(false); }
      }
      draw();
      requestAnimationFrame(step);
    }
    function run(on) {
      playing = on && view[1] > view[0];
      play.textContent = playing ? "Pause" : "Play";
      if (playing) {
        if (now >= view[1]) now = view[0];
        requestAnimationFrame(stamp => { last = stamp; step(stamp); });
      }
    }
    function go(time) {
      run(false);
      now = Math.min(view[1], Math.max(view[0], time));
      draw();
    }
    const timeAt = x => view[0] + x / strip.clientWidth * (view[1] - view[0]);
    strip.addEventListener("pointerdown", event => {
      if (event.button !== 0) return;
      strip.setPointerCapture(event.pointerId);
      drag = {from: event.offsetX, to: event.offsetX};
    });
    strip.addEventListener("pointermove", event => {
      if (!drag) return;
      drag.to = event.offsetX;
      draw();
    });
    strip.addEventListener("pointerup", event => {
      if (!drag) return;
      const [from, to] = [drag.from, event.offsetX].sort((a, b) => a - b);
      drag = null;
      // A click goes to its time.
      if (to - from < 6) { go(timeAt(to)); } else { show(timeAt(from), timeAt(to)); }
    });
    strip.addEventListener("pointercancel", () => { drag = null; draw(); });
    strip.addEventListener("dblclick", () => show(...whole));
    strip.addEventListener("wheel", event => {
      event.preventDefault();
      zoomBy(event.deltaY > 0 ? 1.25 : 0.8, timeAt(event.offsetX));
    }, {passive: false});
    get("in").addEventListener("click", () => zoomBy(0.5));
    get("out").addEventListener("click", () => zoomBy(2));
    get("all").addEventListener("click", () => show(...whole));
    play.addEventListener("click", () => run(!playing));
    seek.addEventListener("input", () => go(Number(seek.value)));
    addEventListener("resize", fit);
    addEventListener("keydown", event => {
      if (event.target.tagName === "SELECT" || event.ctrlKey || event.metaKey || event.altKey) return;
      const actions = {
        " ": () => run(!playing), ArrowLeft: () => go(times[Math.max(0, frame(now - 1e-6))]),
        ArrowRight: () => go(times[Math.min(times.length - 1, frame(now) + 1)]),
        Home: () => go(view[0]), End: () => go(view[1]),
        "+": () => zoomBy(0.5), "-": () => zoomBy(2), "0": () => show(...whole),
      };
      if (!actions[event.key] || (event.key === " " && event.target.tagName === "INPUT" && event.target !== seek)) return;
      if (event.key === " " && event.target.tagName === "BUTTON" && event.target !== play) return;
      // A focused button would act on the key, too.
      event.preventDefault();
      if (!(event.key === " " && event.repeat)) actions[event.key]();
    });
    addEventListener("keyup", event => { if (event.key === " " && event.target === play) event.preventDefault(); });
    calm.addEventListener("change", () => { if (calm.matches) run(false); });
    // An animation that moves nothing sideways has no curves.
    strip.hidden = largest(channels[0]) === 0 && largest(channels[1]) === 0;
    show(...whole);
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
