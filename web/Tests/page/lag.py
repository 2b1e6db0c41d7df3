# SPDX-License-Identifier: Apache-2.0
"""lag.py FOLDER SECONDS: what the page of `parallax web` shows in Chromium, from the daemon whose stream socket is in the folder.
Tests/Feel/lag.py runs it and describes the output.

A picture has the time at which Chromium's display compositor says that it was presented; `drawn` is the start of its frame
there, which requestAnimationFrame passes on."""
import json
import sys
from types import SimpleNamespace

from browser import TRAVEL, BrowserTests, Folder, PageServer, run_alone, until
from test_motion import moved

RANGE = 5  # px; the daemon's default
# Chromium's reports about each of its frames.
CATEGORY = "disabled-by-default-devtools.timeline.frame"


class Lag(BrowserTests):
    def setUp(self):
        self.folder = Folder()
        self.addCleanup(self.folder.remove)
        self.errors, self.pages = [], []
        self.server = PageServer(self.folder, SimpleNamespace(stream=sys.argv[1] + "/parallax.sock"))
        self.addCleanup(self.server.kill)

    def runTest(self):
        page = self.open()
        self.wait_state(page, "live")
        session = page.context.new_cdp_session(page)
        session.send("Performance.enable")
        metrics = {one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]}
        tracing, events, ends = self.browser.new_browser_cdp_session(), [], []
        tracing.on("Tracing.dataCollected", lambda part: events.extend(part["value"]))
        tracing.on("Tracing.tracingComplete", lambda end: ends.append(end))
        tracing.send("Tracing.start", {"transferMode": "ReportEvents", "traceConfig": {
            "includedCategories": [CATEGORY], "excludedCategories": ["*"]}})
        page.wait_for_timeout(1000 * float(sys.argv[2]))
        tracing.send("Tracing.end")
        until(page, "seen.draws.length > 0")
        while not ends:
            page.wait_for_timeout(50)
        travel = max(page.evaluate("[...document.querySelectorAll('#scene [data-depth]')].map(%s)" % TRAVEL))
        presented = presentations(events)
        for began, _, layers in page.evaluate("seen.draws"):
            # performance.now() begins with the navigation, and is rounded to 0.1 ms.
            drawn = metrics["NavigationStart"] + began
            frame = min(presented, key=lambda start: abs(start - drawn))
            if abs(frame - drawn) < 0.002:
                x, y = moved(max(layers)[1])
                print(json.dumps([presented[frame], x * RANGE / travel, y * RANGE / travel, drawn]))


def presentations(events):
    """When each frame that the page has drawn was presented, by its start, both in s of CLOCK_MONOTONIC."""
    open_frames, presented = {}, {}
    for event in sorted((one for one in events if one["name"] == "PipelineReporter"), key=lambda one: one["ts"]):
        key = event["pid"], event["id2"]["local"]
        if event["ph"] == "b":
            open_frames[key] = event["ts"], event["args"]["frame_reporter"]
        elif key in open_frames:
            start, report = open_frames.pop(key)
            if report["state"] == "STATE_PRESENTED_ALL" and report.get("frame_type") != "FORKED":
                presented[start / 1e6] = event["ts"] / 1e6
    return presented


if __name__ == "__main__":
    run_alone(Lag)
