# SPDX-License-Identifier: Apache-2.0
"""The page for everyone: by keyboard alone, with names for all controls, readable, on every width."""
import re

from browser import TURNS, BrowserTests, is_moving, wait

FOCUSABLE = """() => [...document.querySelectorAll('a, button, input, select, [tabindex="0"]')].filter(element =>
  element.checkVisibility() && !element.disabled && !element.closest('[inert]')
  // Tab reaches one of a group of radio buttons; arrow keys reach the others.
  && !(element.type === 'radio' && !element.checked))"""


class KeyboardTests(BrowserTests):
    def open(self, *arguments, **options):
        page = super().open(*arguments, **options)
        page.locator("[data-key=rate]").wait_for()
        return page

    def tab_to(self, page, selector):
        """Presses Tab until the element has the focus."""
        for _ in range(80):
            page.keyboard.press("Tab")
            if page.evaluate("selector => document.activeElement.matches(selector)", selector):
                return
        self.fail("Tab does not reach " + selector)

    def test_tab_reaches_everything(self):
        page = self.open()
        count = page.evaluate("reached = new WeakSet(); focusable = %s; focusable().length" % FOCUSABLE)
        self.assertGreater(count, 20)
        missed = None
        # The page may still be loading its rows, which takes the focus from the old ones: then once more.
        for _ in range(3 * count):
            page.keyboard.press("Tab")
            found = page.evaluate("""() => {
              const focused = document.activeElement;
              if (focused === document.body) return null;
              reached.add(focused);
              const shown = focused.type === 'radio' ? focused.nextElementSibling : focused;
              const { outlineStyle, outlineWidth } = getComputedStyle(shown);
              return [`${outlineStyle} ${outlineWidth} of ${focused.outerHTML}`,
                focusable().filter(element => !reached.has(element)).map(element => element.outerHTML)];
            }""")
            if found:
                outline, missed = found
                self.assertRegex(outline, r"^(solid|auto) [1-9]")
            if missed == []:
                break
        self.assertEqual(missed, [])

    def test_everything_has_a_name(self):
        page = self.open()
        page.locator("[data-key=smoothing] select").select_option("spring")
        page.locator("[data-key=smoothing] input").first.wait_for()
        session = page.context.new_cdp_session(page)
        roles = {"button", "slider", "spinbutton", "combobox", "textbox", "radio", "link", "region", "group", "image"}
        nameless = [
            node["role"]["value"] for node in session.send("Accessibility.getFullAXTree")["nodes"]
            if not node["ignored"] and node.get("role", {}).get("value") in roles and not node.get("name", {}).get("value")]
        self.assertEqual(nameless, [])

    def test_everything_works_by_keyboard(self):
        page = self.open()
        # Asks for the event in time; expect_file_chooser may do so after the key.
        page.on("filechooser", lambda chooser: None)
        self.tab_to(page, "#pause")
        page.keyboard.press("Enter")
        wait("paused", lambda: self.status()["gate"]["reasons"] == ["paused"])
        self.wait_state(page, "paused")
        page.keyboard.press("Enter")
        wait("open", lambda: self.status()["gate"]["reasons"] == [])
        self.tab_to(page, "#presets button")
        page.keyboard.press("Tab")
        page.keyboard.press("Space")
        page.wait_for_selector("#presets button[aria-pressed=true]:focus")
        self.tab_to(page, "[data-key=mode] input")
        page.keyboard.press("ArrowRight")
        self.wait_setting("mode", "tilt")
        self.tab_to(page, "[data-key=scale] input[type=number]")
        page.keyboard.press("Control+A")
        page.keyboard.type("21")
        page.keyboard.press("Enter")
        self.wait_setting("scale", 21)
        self.tab_to(page, "[data-key=smoothing] select")
        page.keyboard.type("spring")
        self.wait_setting("smoothing", "spring:0.4,1")
        self.tab_to(page, "#choose")
        with page.expect_file_chooser() as chooser:
            page.keyboard.press("Enter")
        chooser.value.set_files(TURNS)
        self.wait_state(page, "recording")
        page.wait_for_selector("#play:focus")
        page.keyboard.press("Space")
        page.wait_for_selector("#play:has-text('Play')")
        page.keyboard.press("Tab")
        page.keyboard.press("End")
        end = page.locator("#position").text_content()
        self.assertTrue(re.fullmatch(r"([\d.]+) / \1 s", end), end)
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        self.wait_state(page, "live")
        self.tab_to(page, "#hold")
        page.keyboard.press("Enter")
        page.wait_for_selector("#hold[aria-pressed=true]")
        held = page.locator("#lines").text_content()
        is_moving(page)
        page.wait_for_timeout(600)
        self.assertEqual(page.locator("#lines").text_content(), held)


CONTRASTS = """() => {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const rgba = color => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const luminance = ([r, g, b]) => {
    const linear = value => (value /= 255) <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  };
  const background = element => {
    for (; element; element = element.parentElement) {
      const color = rgba(getComputedStyle(element).backgroundColor);
      if (color[3] > 200) return color;
    }
    return [255, 255, 255];
  };
  const found = [];
  for (const element of document.querySelectorAll('body *')) {
    const hasText = [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim());
    if (!hasText && !element.matches('input:not([type=range], [type=radio], [type=file])')) continue;
    if (!element.checkVisibility() || element.disabled) continue;
    const [a, b] = [rgba(getComputedStyle(element).color), background(element)].map(luminance);
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    found.push([Math.round(contrast * 100) / 100, element.outerHTML.slice(0, 120)]);
  }
  return found;
}"""


class LookTests(BrowserTests):
    def test_text_is_readable(self):
        for scheme in ("light", "dark"):
            page = self.open(color_scheme=scheme)
            page.locator("[data-key=rate]").wait_for()
            page.locator("#presets button").last.click()
            page.wait_for_selector("#presets button[aria-pressed=true]")
            states = ["live", "paused", "down", "closed", "recording", "wait"]
            for state in states:
                page.evaluate("state => { document.querySelector('#status').dataset.state = state }", state)
                found = page.evaluate(CONTRASTS)
                self.assertGreater(len(found), 40)
                low = [(contrast, text) for contrast, text in found if contrast < 4.5]
                self.assertEqual(low, [], "%s, %s" % (scheme, state))

    def test_it_fits_every_width(self):
        for width in (320, 390, 768, 1280, 1920, 2560):
            page = self.open(viewport={"width": width, "height": 900})
            page.locator("[data-key=rate]").wait_for()
            wide = page.evaluate("""() => [...document.querySelectorAll('body, main *')].filter(element => {
              const { left, right } = element.getBoundingClientRect();
              return !element.closest('#scene, .code') && (left < -0.5 || right > innerWidth + 0.5);
            }).map(element => element.outerHTML.slice(0, 100))""")
            self.assertEqual(wide, [], "at %d px" % width)
            self.assertLessEqual(page.evaluate("document.scrollingElement.scrollWidth"), width)
