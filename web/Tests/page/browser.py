# SPDX-License-Identifier: Apache-2.0
"""A browser and the programs that serve it."""
import os
import re
import sys
import unittest

from playwright.sync_api import sync_playwright

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(FOLDER, "../EndToEnd"), os.path.join(FOLDER, "../../../clients/python/src")]
from programs import PARALLAX, PROGRAMS, ROOT, Daemon, Folder, Program, wait  # noqa: E402

RECORDINGS = os.path.join(ROOT, "Tests/Recordings")
WALK = os.path.join(RECORDINGS, "phyphox-walk/Gyroscope.csv")
TURNS = os.path.join(RECORDINGS, "sensorlogger-iphone12/Gyroscope.csv")
CHROMIUM = os.environ.get("CHROMIUM") or "/usr/bin/chromium"


class PageServer(Program):
    """parallax-web on a free port, with the page."""

    def __init__(self, folder, daemon, *options):
        super().__init__(
            folder, [os.path.join(PROGRAMS, "parallax-web"), "page", "--port", "0", "--socket", daemon.stream,
                     "--files", os.path.join(ROOT, "web/page"), *options],
            PATH=os.path.dirname(PARALLAX) + ":" + os.environ["PATH"])
        self.address = self.process.stdout.readline().decode().strip()
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/#token=[0-9a-f]{32}", self.address), self.address + self.log_text()
        self.base = self.address.split("#")[0]


class BrowserTests(unittest.TestCase):
    """A daemon, parallax-web and pages of it. What a page reports as an error fails the test."""

    # The messages that a test expects in the console, as regular expressions.
    expected = ()
    source = ("source.kind=trace", "source.trace=" + TURNS, "source.loop=true")

    @classmethod
    def setUpClass(cls):
        cls.playwright = sync_playwright().start()
        cls.browser = cls.playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--enable-precise-memory-info"])

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.playwright.stop()

    def setUp(self):
        self.folder = Folder()
        self.addCleanup(self.folder.remove)
        self.errors = []
        self.pages = []
        self.daemon = self.start_daemon()
        self.server = PageServer(self.folder, self.daemon)
        self.addCleanup(self.server.kill)

    def start_daemon(self):
        daemon = Daemon(self.folder, *self.source)
        self.addCleanup(daemon.kill)
        return daemon

    def tearDown(self):
        for page in self.pages:
            violations = page.evaluate("seen.violations")
            page.context.close()
            self.assertEqual(violations, [])
        unexpected = [text for text in self.errors if not any(re.search(one, text) for one in self.expected)]
        self.assertEqual(unexpected, [])

    def open(self, address=None, **options):
        """Opens the page in a window of its own."""
        options.setdefault("viewport", {"width": 1280, "height": 900})
        page = self.browser.new_context(**options).new_page()
        page.set_default_timeout(15000)
        page.add_init_script(path=os.path.join(FOLDER, "recorder.js"))
        page.on("console", lambda message: message.type in ("error", "warning") and self.errors.append(message.text))
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.goto(address or self.server.address)
        self.pages.append(page)
        return page

    def ask(self, **message):
        control = self.daemon.connect()
        try:
            return control.ask(**message)
        finally:
            control.close()

    def status(self):
        return self.ask(**{"class": "STATUS"})

    def setting(self, key):
        return self.status()["settings"][key]

    def wait_setting(self, key, value):
        wait("%s is %s" % (key, value), lambda: self.setting(key) == value)

    def wait_state(self, page, state):
        page.wait_for_selector("#status[data-state=%s]" % state, timeout=20000)

    def assertNothingIsDrawn(self, page):
        # Whatever was under way when the motion ended.
        until(page, """async () => {
          const before = seen.requests;
          await new Promise(resolve => setTimeout(resolve, 300));
          return seen.requests === before;
        }""")
        before = page.evaluate("seen.requests")
        page.wait_for_timeout(1500)
        self.assertEqual(page.evaluate("seen.requests"), before)


def run_alone(case):
    """Runs a test case that is a program of its own, and ends the program with its result."""
    case.setUpClass()
    result = case().run()
    case.tearDownClass()
    for _, text in result.errors + result.failures:
        print(text, file=sys.stderr)
    sys.exit(not result.wasSuccessful())


def until(page, expression, value=None, seconds=20):
    """Polls until an expression, or a function of a value, is true in the page. Playwright's own wait_for_function
    needs eval, which the page forbids, and draws."""
    wait("%s in the page" % expression, lambda: page.evaluate(expression, value), seconds)


# In the page: how far a layer moves at the ends of the range, in px; 2.5 % of the width for the nearest.
TRAVEL = """layer => {
  const depths = [...document.querySelectorAll('#scene [data-depth]')].map(one => Number(one.dataset.depth));
  return 0.025 * document.querySelector('#scene').clientWidth * layer.dataset.depth / Math.max(...depths);
}"""


def is_moving(page):
    """Waits until the picture has moved."""
    nearest = "document.querySelector('#scene img:last-of-type').style.transform"
    until(page, "before => %s !== before" % nearest, page.evaluate(nearest))
