# SPDX-License-Identifier: Apache-2.0
"""The picture follows the pointer while nothing else moves it."""
import signal

from browser import TRAVEL, BrowserTests, is_moving, until

# The offset that the nearest layer shows.
PLACE = """() => {
  const layer = document.querySelector('#scene img:last-of-type');
  const [x, y] = layer.style.transform.match(/-?[\\d.e-]+(?=px)/g).map(Number);
  const travel = (%s)(layer);
  return [5 * x / travel, 5 * y / travel];
}""" % TRAVEL


class PointerPage(BrowserTests):
    def wait_place(self, page, x, y):
        until(page, "([x, y]) => { const [a, b] = (%s)(); return Math.hypot(a - x, b - y) < 0.02; }" % PLACE, [x, y])

    def move_to(self, page, x, y):
        size = page.viewport_size
        page.mouse.move((x + 1) / 2 * size["width"], (y + 1) / 2 * size["height"])


class WithoutMotionTests(PointerPage):
    def test_without_a_daemon(self):
        self.expected = ("503",)
        page = self.open()
        self.wait_state(page, "live")
        self.assertFalse(page.locator("#hand").is_visible())
        self.daemon.end(signal.SIGKILL)
        self.wait_state(page, "down")
        page.wait_for_selector("#hand-text:has-text('follows your pointer')")
        self.assertFalse(page.locator("#follow").is_visible())
        self.move_to(page, 0.9, -0.5)
        self.wait_place(page, -4.5, 2.5)
        self.assertNothingIsDrawn(page)
        self.start_daemon()
        self.wait_state(page, "live")
        self.assertFalse(page.locator("#hand").is_visible())
        is_moving(page)

    def test_reduced_motion(self):
        self.expected = ("503",)
        page = self.open(reduced_motion="reduce")
        self.wait_state(page, "live")
        self.daemon.end(signal.SIGKILL)
        self.wait_state(page, "down")
        self.move_to(page, 1, 1)
        self.assertNothingIsDrawn(page)
        self.assertFalse(page.locator("#hand").is_visible())
        self.assertEqual(page.evaluate(PLACE), [0, 0])


class SyntheticTests(PointerPage):
    source = ("source.kind=synthetic",)

    def test_synthetic_motion_unless_the_user_chooses(self):
        page = self.open()
        self.wait_state(page, "live")
        page.wait_for_selector("#hand-text:has-text('parallax phone')")
        is_moving(page)
        page.get_by_role("button", name="Follow the pointer").click()
        page.wait_for_selector("#follow[aria-pressed=true]")
        self.move_to(page, -0.8, 0.8)
        self.wait_place(page, 4, -4)
        self.assertNothingIsDrawn(page)
        page.get_by_role("button", name="Pause", exact=True).click()
        self.wait_state(page, "paused")
        self.wait_place(page, 0, 0)
        page.get_by_role("button", name="Resume").click()
        page.wait_for_selector("#follow[aria-pressed=true]")
        page.get_by_role("button", name="Follow the pointer").click()
        is_moving(page)
