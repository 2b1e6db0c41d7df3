# SPDX-License-Identifier: Apache-2.0
"""Pages that `parallax replay --html` and `parallax preview --html` write, opened as files."""
import csv
import io
import os
import re
import subprocess
import tempfile
import unittest

from playwright.sync_api import sync_playwright

from browser import CHROMIUM, PARALLAX, ROOT, TURNS, until


class SavedPageTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.playwright = sync_playwright().start()
        cls.browser = cls.playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.playwright.stop()

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "page.html")
        self.errors, self.requests = [], []

    def tearDown(self):
        self.assertEqual(self.errors, [])
        self.assertEqual([one for one in self.requests if not one.startswith("file:")], [])

    def open(self, *command, **options):
        """Writes a page and opens it in a window of its own. By default it waits, as with reduced motion."""
        subprocess.run([PARALLAX, *command, "--html", self.path], check=True)
        options = {"viewport": {"width": 1280, "height": 900}, "reduced_motion": "reduce", **options}
        context = self.browser.new_context(**options)
        self.addCleanup(context.close)
        page = context.new_page()
        page.on("console", lambda message: message.type in ("error", "warning") and self.errors.append(message.text))
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("request", lambda request: self.requests.append(request.url))
        page.goto("file://" + self.path)
        return page

    def time(self, page):
        """The time in the page and its end, s."""
        return [float(one) for one in re.findall(r"[\d.]+", page.locator("#time").inner_text())]

    def values(self, page):
        return [float(one) for one in page.locator("#values dd").all_inner_texts()]

    def drag(self, page, start, end):
        """Drags over the curves, between shares of their width."""
        box = page.locator("#strip").bounding_box()
        page.mouse.move(box["x"] + start * box["width"], box["y"] + 40)
        page.mouse.down()
        page.mouse.move(box["x"] + end * box["width"], box["y"] + 40, steps=4)
        page.mouse.up()

    def ends(self, page):
        return [float(page.locator("#seek").get_attribute(name)) for name in ("min", "max")]

    def test_frames_are_those_of_the_table(self):
        table = subprocess.run([PARALLAX, "replay", TURNS, "--from", "3"], check=True, capture_output=True, text=True)
        rows = [[float(one) for one in row] for row in list(csv.reader(io.StringIO(table.stdout)))[1:]]
        page = self.open("replay", TURNS, "--from", "3")
        self.assertAlmostEqual(self.time(page)[0], rows[0][0], delta=0.006)
        page.keyboard.press("Home")
        for t, x, y in rows[1:40]:
            page.keyboard.press("ArrowRight")
            self.assertAlmostEqual(self.time(page)[0], t, delta=0.006)
            self.assertEqual(self.values(page), [round(x, 1) + 0, round(y, 1) + 0])
        # The card moves by whole multiples of the offset, which the page says.
        zoom = int(re.search(r"enlarged (\d+) times", page.locator("#zoom").inner_text())[1])
        style = page.locator("#card").get_attribute("style")
        moved = [float(one) for one in re.search(r"translate\(([-\d.e]+)px, ([-\d.e]+)px\)", style).groups()]
        self.assertGreater(zoom, 1)
        for shown, value in zip(moved, rows[39][1:]):
            self.assertAlmostEqual(shown, value * zoom, delta=0.01)

    def test_a_turn_is_seen_alone(self):
        page = self.open("replay", TURNS)
        whole = self.ends(page)
        length = whole[1] - whole[0]
        self.drag(page, 0.5, 0.6)
        start, end = self.ends(page)
        self.assertAlmostEqual(start, whole[0] + 0.5 * length, delta=0.01 * length)
        self.assertAlmostEqual(end, whole[0] + 0.6 * length, delta=0.01 * length)
        # It repeats the part.
        page.locator("#speed").select_option("2")
        page.locator("#play").click()
        until(page, "now > %r" % (start + 0.1))
        until(page, "now < %r" % (start + 0.1))
        self.assertTrue(start <= self.time(page)[0] + 0.01 and self.time(page)[0] <= end + 0.01)
        page.locator("#play").click()
        # Out by keys and by the buttons; a click on the curves goes to its time.
        page.keyboard.press("-")
        self.assertAlmostEqual(self.ends(page)[1] - self.ends(page)[0], 2 * (end - start), delta=0.01)
        page.keyboard.press("0")
        self.assertEqual(self.ends(page), whole)
        self.assertTrue(page.get_by_role("button", name="Whole").is_disabled())
        page.get_by_role("button", name="Zoom in").click()
        self.assertAlmostEqual(self.ends(page)[1] - self.ends(page)[0], length / 2, delta=0.01)
        page.get_by_role("button", name="Whole").click()
        self.drag(page, 0.25, 0.25)
        self.assertAlmostEqual(self.time(page)[0], whole[0] + 0.25 * length, delta=0.01 * length)

    def test_an_animation_plays_at_once_without_reduced_motion(self):
        page = self.open("preview", os.path.join(ROOT, "examples/animations/nudge.json"), reduced_motion="no-preference")
        self.assertEqual(page.locator("#play").inner_text(), "Pause")
        self.assertEqual(len(self.values(page)), 5)
        self.assertTrue(page.locator("#strip").is_visible())
        page.locator("#repeat").uncheck()
        until(page, "!playing")
        self.assertEqual(*self.time(page))

    def test_a_page_that_moves_nothing_sideways_has_no_curves(self):
        document = '{"parallax":1,"animation":{"fade":{"to":0.5},"duration":1}}'
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            file.write(document)
            file.flush()
            page = self.open("preview", file.name, viewport={"width": 390, "height": 700})
        self.assertFalse(page.locator("#strip").is_visible())
        self.assertEqual(page.evaluate("document.documentElement.scrollWidth"), 390)


if __name__ == "__main__":
    unittest.main()
