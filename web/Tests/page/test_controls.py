# SPDX-License-Identifier: Apache-2.0
"""What the page controls: settings, the configuration and recordings. All of it also by keyboard."""
import json
import os
import subprocess

from browser import PARALLAX, RECORDINGS, TRAVEL, WALK, BrowserTests, is_moving, until, wait


def row(page, key):
    return page.locator("[data-key=%s]" % key)


class SettingTests(BrowserTests):
    def open(self, *arguments, **options):
        page = super().open(*arguments, **options)
        row(page, "rate").wait_for()
        return page

    def test_sliders_and_fields(self):
        page = self.open()
        slider = row(page, "scale").locator("input[type=range]")
        slider.focus()
        for _ in range(3):
            page.keyboard.press("ArrowRight")
        self.wait_setting("scale", 6.5)
        until(page, "document.querySelector('[data-key=scale] input[type=number]').value === '6.5'")
        row(page, "scale").get_by_role("button", name="Reset").click()
        self.wait_setting("scale", 5)
        until(page, "document.querySelector('[data-key=scale] input[type=number]').value === '5'")
        self.assertEqual(self.status().get("overrides", []), [])
        field = row(page, "scale").locator("input[type=number]")
        field.fill("-12.25")
        field.press("Enter")
        self.wait_setting("scale", -12.25)
        right = row(page, "range-x").locator("input[type=number]").last
        right.fill("9")
        right.press("Enter")
        self.wait_setting("range-x", "-5:9")
        until(page, "document.querySelector('[data-key=range-x]').classList.contains('changed')")

    def test_words(self):
        page = self.open()
        self.assertFalse(row(page, "recenter").is_visible())
        row(page, "mode").get_by_text("tilt", exact=True).click()
        self.wait_setting("mode", "tilt")
        row(page, "recenter").wait_for(state="visible")
        page.get_by_role("button", name="Recenter", exact=True).click()
        row(page, "bias").get_by_text("on", exact=True).click()
        self.wait_setting("bias", "on")
        row(page, "rate").locator("select").select_option("60")
        self.wait_setting("rate", 60)
        row(page, "smoothing").locator("select").select_option("spring")
        self.wait_setting("smoothing", "spring:0.4,1")
        damping = row(page, "smoothing").get_by_label("Damping", exact=True)
        damping.fill("0.7")
        damping.press("Enter")
        self.wait_setting("smoothing", "spring:0.4,0.7")
        row(page, "smoothing").locator("select").select_option("ema")
        self.wait_setting("smoothing", "ema:0.12")
        row(page, "smoothing").locator("select").select_option("auto:calm")
        self.wait_setting("smoothing", "auto:calm")
        page.get_by_role("button", name="Reset all").click()
        wait("no overrides", lambda: not self.status().get("overrides"))

    def test_a_refusal_is_shown_and_changes_nothing(self):
        page = self.open()
        before = self.status()["settings"]
        field = row(page, "mount-matrix").locator("input")
        field.fill("1,2,3")
        field.press("Enter")
        error = row(page, "mount-matrix").locator(".error")
        error.wait_for(state="visible")
        self.assertIn("invalid mount matrix '1,2,3'", error.text_content())
        until(page, "document.querySelector('[data-key=mount-matrix] input').value !== '1,2,3'")
        self.assertEqual(self.status()["settings"], before)
        field.fill("0,1,0;-1,0,0;0,0,1")
        field.press("Enter")
        self.wait_setting("mount-matrix", "0,1,0;-1,0,0;0,0,1")
        error.wait_for(state="hidden")

    def test_presets_and_the_configuration(self):
        page = self.open()
        button = page.locator("#presets button", has_text="Window")
        button.click()
        self.wait_setting("mode", "tilt")
        self.wait_setting("range-x", "-20:20")
        page.wait_for_selector("#presets button[aria-pressed=true]:has-text('Window')")
        until(page, "document.querySelector('#toml').textContent.includes('range-x = \"-20:20\"')")
        # The picture travels as far in any range, and no layer's side comes into sight.
        until(page, """() => {
          const travel = %s;
          const view = document.querySelector('#scene').getBoundingClientRect();
          return [...document.querySelectorAll('#scene img')].every(layer => {
            const width = layer.offsetWidth, height = layer.offsetHeight, reach = travel(layer);
            return width / 2 - reach >= view.width / 2 - 1 && height / 2 - reach >= view.height / 2 - 1;
          });
        }""" % TRAVEL)
        page.locator("#write").click()
        page.wait_for_selector("#written:has-text('Written to')")
        with open(self.folder("parallax/parallax.toml.d/50-tune.toml")) as file:
            written = file.read()
        self.assertIn('mode = "tilt"', written)
        self.assertIn('range-x = "-20:20"', written)

    def test_a_change_elsewhere_is_shown(self):
        page = self.open()
        self.ask(**{"class": "SET", "key": "scale", "value": 9})
        self.ask(**{"class": "SET", "key": "range-y", "value": "-7:8"})
        # DEVICE reports the range; the page then asks for the settings.
        until(page, "document.querySelector('[data-key=scale] input[type=number]').value === '9'")
        ends = row(page, "range-y").locator("input[type=number]")
        self.assertEqual([ends.nth(0).input_value(), ends.nth(1).input_value()], ["-7", "8"])

    def test_without_the_token_the_page_only_shows(self):
        page = BrowserTests.open(self, self.server.base)
        self.wait_state(page, "live")
        is_moving(page)
        self.assertIn("may only show", page.locator("#notice").text_content())
        self.assertTrue(page.locator("#pause").is_disabled())
        until(page, "document.querySelector('#rows').inert")
        self.assertIn("Only a page with the token", page.locator("#rows").text_content())
        self.assertFalse(page.locator("#toml").is_visible())

    def test_a_token_that_is_not_valid(self):
        self.expected = ("401",)
        page = BrowserTests.open(self, self.server.base + "#token=" + 32 * "0")
        page.wait_for_selector("#notice:has-text('may only show')")
        self.assertTrue(page.locator("#pause").is_disabled())
        self.assertEqual(self.status()["gate"]["reasons"], [])


class ReplayTests(BrowserTests):
    expected = ("422",)

    def drop(self, page, path):
        with open(path) as file:
            text = file.read()
        page.evaluate("""([name, text]) => {
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File([text], name, { type: 'text/csv' }));
          for (const type of ['dragenter', 'dragover', 'drop']) {
            document.querySelector('.drop').dispatchEvent(
              new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
          }
        }""", [os.path.basename(path), text])

    def replay(self, path, *options):
        """The frames that the tool prints, by their seconds after the first."""
        text = subprocess.run(
            [PARALLAX, "replay", "--format", "ndjson", *options, path], check=True, stdout=subprocess.PIPE, text=True,
            env={**os.environ, "HOME": self.folder.path, "XDG_CONFIG_HOME": self.folder.path}).stdout
        return text, [json.loads(line) for line in text.splitlines()]

    def test_a_dropped_recording(self):
        page = self.open()
        self.wait_state(page, "live")
        self.drop(page, WALK)
        self.wait_state(page, "recording")
        # By default, the daemon estimates the bias and a replay does not.
        text, frames = self.replay(WALK, "--bias=auto")
        self.assertEqual(page.evaluate("seen.replayed"), text)
        is_moving(page)
        page.locator("#play").press("Space")
        page.wait_for_selector("#play:has-text('Play')")
        seek = page.locator("#seek")
        seek.press("Home")
        first = frames[0]["time"]
        frame = {round(frame["time"] - first, 6): frame for frame in frames}
        for second in range(1, 6):
            seek.press("ArrowRight")
            expected = frame[second]
            until(page, """([x, y]) => [...document.querySelectorAll('#scene img')].every(layer => {
              const [dx, dy] = layer.style.transform.match(/-?[\\d.e-]+(?=px)/g).map(Number);
              const travel = (%s)(layer);
              return Math.abs(dx - travel * x / 5) < 1e-4 && Math.abs(dy - travel * y / 5) < 1e-4;
            })""" % TRAVEL, [expected["x"], expected["y"]])
            self.assertTrue(page.locator("#position").text_content().startswith("%d.0 /" % second))
        until(page, "text => document.querySelector('#x').textContent === text",
            ("%.2f" % expected["x"]).replace("-", "\N{MINUS SIGN}"))
        # Only the recording moves the picture, and it is paused.
        before = page.evaluate("seen.requests")
        page.wait_for_timeout(700)
        self.assertEqual(page.evaluate("seen.requests"), before)
        page.get_by_role("button", name="Back to the sensor").press("Enter")
        self.wait_state(page, "live")
        is_moving(page)

    def test_the_settings_of_the_page_apply(self):
        page = self.open()
        self.wait_state(page, "live")
        self.drop(page, WALK)
        self.wait_state(page, "recording")
        page.locator("#play").press("Space")
        page.wait_for_selector("#play:has-text('Play')")
        seek = page.locator("#seek")
        seek.press("Home")
        for _ in range(3):
            seek.press("ArrowRight")
        page.get_by_role("button", name="Deep").click()
        frames = self.replay(WALK, "--bias=auto", "--scale=12", "--range=-15:15", "--smoothing=auto:normal")[1]
        expected = next(frame for frame in frames if round(frame["time"] - frames[0]["time"], 6) == 3)
        until(page, "text => document.querySelector('#x').textContent === text",
              ("%.2f" % expected["x"]).replace("-", "\N{MINUS SIGN}"))
        self.assertTrue(page.locator("#position").text_content().startswith("3.0 /"))

    def test_it_plays_to_its_end(self):
        path = os.path.join(RECORDINGS, "small/gap.csv")
        page = self.open()
        page.set_input_files("#file", path)
        self.wait_state(page, "recording")
        page.wait_for_selector("#play:has-text('Play')")
        last = self.replay(path)[1][-1]
        until(page, "text => document.querySelector('#x').textContent === text",
            ("%.2f" % last["x"]).replace("-", "\N{MINUS SIGN}"))

    def test_reduced_motion(self):
        page = self.open(reduced_motion="reduce")
        page.set_input_files("#file", os.path.join(RECORDINGS, "small/gap.csv"))
        page.wait_for_selector("#play:has-text('Play')")
        self.assertRegex(page.locator("#position").text_content(), r"^([\d.]+) / \1 s$")
        self.assertEqual(page.evaluate("new Set([...document.querySelectorAll('#scene img')].map(l => l.style.transform)).size"), 1)

    def test_a_file_that_is_not_a_recording(self):
        page = self.open()
        self.drop(page, self.folder.write("letter.csv", "Dear reader\nthis is not a recording\n"))
        error = page.locator("#replay-error")
        error.wait_for(state="visible")
        self.assertIn("letter.csv", error.text_content())
        self.assertNotRegex(error.text_content(), r"--|/|'parallax")
        self.assertEqual(page.locator(".drop #replay-error").count(), 1)
        self.wait_state(page, "live")
