# SPDX-License-Identifier: Apache-2.0
"""draw.py FILE.webp: writes a picture of the page, 1280 px wide, while a recording moves it."""
import base64
import sys

from browser import BrowserTests, run_alone, until


class Drawing(BrowserTests):
    def runTest(self):
        page = self.open(viewport={"width": 1280, "height": 890}, device_scale_factor=1.5)
        page.locator("#presets button", has_text="Floating").click()
        self.wait_setting("scale", 8)
        # Ten seconds in which something happens.
        until(page, "seen.draws.length > 0 && seen.draws.at(-1)[0] - seen.draws[0][0] > 11")
        page.mouse.move(0, 0)
        page.evaluate("document.activeElement.blur()")
        picture = page.context.new_cdp_session(page).send("Page.captureScreenshot", {"format": "webp", "quality": 82})
        with open(sys.argv[1], "wb") as file:
            file.write(base64.b64decode(picture["data"]))


run_alone(Drawing)
