# SPDX-License-Identifier: Apache-2.0
"""The picture moves as the stream says, and rests when it rests."""
import json
import os
import re
import signal

from browser import TRAVEL, BrowserTests, is_moving, until, wait
from parallax_client.messages import Offset, parse
from parallax_client.timeline import Timeline


class Clock:
    """The daemon's time as the page computes it: the smallest difference counts."""

    def __init__(self):
        self.difference, self.is_exact = float("inf"), False

    def observe(self, line, arrival):
        message = json.loads(line)
        is_exact = message["class"] == "CLOCK"
        if message["class"] not in ("CLOCK", "OFFSET") or self.is_exact and not is_exact:
            return
        if is_exact and not self.is_exact:
            self.difference, self.is_exact = float("inf"), True
        self.difference = min(self.difference, arrival - message["time"])

    def at(self, instant):
        return instant - self.difference


def moved(transform):
    x, y = re.fullmatch(r"translate3d\((-?[\d.e-]+)px, (-?[\d.e-]+)px, 0(?:px)?\)", transform).groups()
    return float(x), float(y)


class MotionTests(BrowserTests):
    def test_layers_follow_the_stream(self):
        """Each layer of each picture is where the client for Python says, which has the rule from the same table."""
        page = self.open()
        self.wait_state(page, "live")
        until(page, "seen.draws.length > 150")
        lines, draws = page.evaluate("[seen.lines, seen.draws]")
        travels = page.evaluate("[...document.querySelectorAll('#scene [data-depth]')].map(%s)" % TRAVEL)
        self.assertAlmostEqual(max(travels), 0.025 * page.evaluate("document.querySelector('#scene').clientWidth"))
        timeline, clock, taken, furthest, between = Timeline(), Clock(), 0, 0, 0
        for began, count, layers in draws:
            for arrival, line in lines[taken:count]:
                clock.observe(line, arrival)
                message = parse(line.encode())
                if message is not None:
                    timeline.add(message)
                    newest = message if isinstance(message, Offset) else None
            taken = count
            if not any('"OFFSET"' in line for _, line in lines[:count]):
                continue
            offset = timeline.offset_at(clock.at(began) + 1 / 60, 1 / 60)
            between += newest is not None and abs(offset.x - newest.x) > 0.01
            furthest = max(furthest, abs(offset.x), abs(offset.y))
            self.assertEqual(len(layers), 7)
            for travel, (_, transform) in zip(travels, layers):
                x, y = moved(transform)
                self.assertAlmostEqual(x, travel * offset.x / 5, delta=1e-3)
                self.assertAlmostEqual(y, travel * offset.y / 5, delta=1e-3)
        self.assertGreater(furthest, 1)
        self.assertGreater(between, 10, "no picture between two frames")

    def test_reduced_motion_stands_still(self):
        page = self.open(reduced_motion="reduce")
        self.wait_state(page, "live")
        numbers = set()
        for _ in range(3):
            numbers.add(page.locator("#x").text_content())
            until(page, "text => document.querySelector('#x').textContent !== text", max(numbers))
        self.assertTrue(page.locator("#still").is_visible())
        places = {transform for _, _, layers in page.evaluate("seen.draws") for _, transform in layers}
        self.assertLessEqual({moved(place) for place in places}, {(0, 0)})
        requests = page.evaluate("seen.requests")
        page.emulate_media(reduced_motion="no-preference")
        is_moving(page)
        # Chromium may draw a picture between the change of the preference and its event.
        page.locator("#still").wait_for(state="hidden")
        self.assertGreater(page.evaluate("seen.requests"), requests)

    def test_pause(self):
        page = self.open()
        self.wait_state(page, "live")
        page.get_by_role("button", name="Pause", exact=True).click()
        self.wait_state(page, "paused")
        self.assertEqual(self.status()["gate"]["reasons"], ["paused"])
        until(page, "[...document.querySelectorAll('#scene img')].every(layer =>"
                               " /^translate3d\\(0px, 0px, 0(px)?\\)$/.test(layer.style.transform))")
        self.assertNothingIsDrawn(page)
        page.get_by_role("button", name="Resume").click()
        self.wait_state(page, "live")
        is_moving(page)

    def test_the_daemon_goes_and_comes_back(self):
        # The page may just ask for the settings.
        self.expected = ("503",)
        page = self.open()
        self.wait_state(page, "live")
        self.daemon.end(signal.SIGKILL)
        self.wait_state(page, "down")
        self.assertEqual(page.locator("#status b").text_content(), "Daemon not running")
        self.assertNotEqual(page.locator("#status span").text_content(), "")
        self.assertNothingIsDrawn(page)
        self.start_daemon()
        self.wait_state(page, "live")
        is_moving(page)

    def test_the_server_goes(self):
        self.expected = ("ERR_CONNECTION_REFUSED", "ERR_INCOMPLETE_CHUNKED_ENCODING", "ERR_CONNECTION_RESET",
                         "ERR_EMPTY_RESPONSE")
        page = self.open()
        self.wait_state(page, "live")
        page.evaluate("""() => {
          seen.states = [];
          const badge = document.querySelector('#status');
          new MutationObserver(() => seen.states.push(badge.dataset.state)).observe(badge, { attributes: true });
        }""")
        self.server.end(signal.SIGKILL)
        self.wait_state(page, "down")
        self.assertEqual(page.locator("#status b").text_content(), "No connection")
        # Attempts to connect do not change what it says.
        until(page, "seen.states.length >= 6")
        self.assertEqual(set(page.evaluate("seen.states")), {"down"})

    def test_a_hidden_page_is_not_connected(self):
        page = self.open()
        self.wait_state(page, "live")
        self.assertEqual(self.status()["subscribers"], 1)
        hide = """isHidden => {
          Object.defineProperty(document, 'hidden', { configurable: true, get: () => isHidden });
          document.dispatchEvent(new Event('visibilitychange'));
        }"""
        page.evaluate(hide, True)
        wait("no subscriber", lambda: self.status()["subscribers"] == 0)
        page.evaluate(hide, False)
        wait("a subscriber", lambda: self.status()["subscribers"] == 1)
        is_moving(page)

    def test_memory_is_flat(self):
        page = self.open()
        self.wait_state(page, "live")
        page.evaluate("seen.isRecording = false")
        until(page, "document.querySelector('#lines').childElementCount === 200")
        session = page.context.new_cdp_session(page)

        def measure():
            sizes = []
            for _ in range(3):
                session.send("HeapProfiler.collectGarbage")
                sizes.append(session.send("Runtime.getHeapUsage")["usedSize"])
            return (min(sizes), page.evaluate("document.querySelectorAll('*').length"),
                    resident(self.server.process.pid))

        before = measure()
        # By the count of pictures, which does not depend on how busy the machine is.
        until(page, "count => seen.requests > count", page.evaluate("seen.requests") + 2400, 120)
        heap, elements, memory = measure()
        self.assertEqual(elements, before[1])
        self.assertLess(heap - before[0], 150e3)
        self.assertLess(memory - before[2], 4e6)


def resident(process):
    with open("/proc/%d/statm" % process) as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class RestTests(BrowserTests):
    """A device that lies on a table: the gate is open, and nothing moves."""

    def start_daemon(self):
        rows = "".join("%.2f,0,0,0\n" % (row / 100) for row in range(3000))
        self.source = ("source.kind=trace", "source.loop=true",
                       "source.trace=" + self.folder.write("rest.csv", "t,x,y,z\n" + rows))
        return super().start_daemon()

    def test_nothing_is_drawn_at_rest(self):
        page = self.open()
        self.wait_state(page, "live")
        wait("frames", lambda: self.status()["frames"] > 30)
        before = self.status()["frames"]
        self.assertNothingIsDrawn(page)
        self.assertGreater(self.status()["frames"], before + 10)
        self.assertLess(page.evaluate("seen.requests"), 60)
