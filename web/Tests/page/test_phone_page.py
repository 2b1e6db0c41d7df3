# SPDX-License-Identifier: Apache-2.0
"""The phone's page, in Chromium as a phone: by the code, a tap, a tilt and what the daemon publishes."""
import json
import math
import os
import re
import socket
import statistics
import subprocess
import threading
import time
import unittest

from browser import FOLDER, BrowserTests, until, wait
from phone import PhoneServer
from test_access import CONTRASTS
from programs import Daemon, connect

AGENT = "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36"
SIZE = {"width": 390, "height": 844}


class Offsets:
    """A subscriber of the daemon."""

    def __init__(self, daemon):
        self.socket = connect(daemon.stream)
        self.socket.sendall(b'{"class":"WATCH"}\n')
        self.lines = []
        self.times = []
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        try:
            for line in self.socket.makefile("rb"):
                self.times.append(time.time())
                self.lines.append(json.loads(line))
        except (OSError, ValueError):
            pass

    def newest(self, name="OFFSET"):
        return next((line for line in reversed(self.lines) if line["class"] == name), None)

    def close(self):
        self.socket.close()


class PhonePageTests(BrowserTests):
    """The daemon and parallax-web for phones. The page of `parallax web` is there, too."""

    source = ("source.kind=feed", "motion.smoothing=none", "motion.bias=off", "sampling.rate=60")

    def setUp(self):
        super().setUp()
        self.phones = self.start()

    def start(self, *options, **named):
        phones = PhoneServer(self.folder, self.daemon, *options, **named)
        self.addCleanup(phones.kill)
        return phones

    def offsets(self):
        offsets = Offsets(self.daemon)
        self.addCleanup(offsets.close)
        return offsets

    def open_phone(self, address=None, script=None, **options):
        """Opens the page on a phone of its own."""
        options = {"viewport": SIZE, "ignore_https_errors": True, "has_touch": True, "is_mobile": True,
                   "device_scale_factor": 2, "user_agent": AGENT, **options}
        context = self.browser.new_context(**options)
        page = context.new_page()
        page.set_default_timeout(15000)
        page.on("console", lambda message: message.type in ("error", "warning") and self.errors.append(message.text))
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.add_init_script("window.seen = { violations: [] }; addEventListener('securitypolicyviolation', event => {"
                             "seen.violations.push(event.violatedDirective + ' ' + event.blockedURI); });")
        if script:
            page.add_init_script(script)
        page.goto(address or self.phones.address)
        self.pages.append(page)
        return page

    def sensor(self, page, x=0, y=0, z=0):
        """Sets Chromium's virtual gyroscope, in rad/s about the axes of the device."""
        session = getattr(page, "sensors", None)
        if session is None:
            session = page.sensors = page.context.new_cdp_session(page)
            for kind in ("gyroscope", "linear-acceleration", "accelerometer"):
                session.send("Emulation.setSensorOverrideEnabled", {
                    "enabled": True, "type": kind, "metadata": {"available": True}})
                session.send("Emulation.setSensorOverrideReadings", {
                    "type": kind, "reading": {"xyz": {"x": 0, "y": 0, "z": 0}}})
        session.send("Emulation.setSensorOverrideReadings", {
            "type": "gyroscope", "reading": {"xyz": {"x": x, "y": y, "z": z}}})

    def begin(self, page):
        self.sensor(page)
        page.tap("#start")
        self.wait_phone(page, "live", "idle")

    def end(self, page):
        """Ends on the phone, and waits until the place is free."""
        ended = self.phones.log_text().count("the phone has disconnected")
        page.tap("#end")
        self.wait_phone(page, "ended")
        wait("the end", lambda: self.phones.log_text().count("the phone has disconnected") > ended)

    def wait_phone(self, page, *states):
        until(page, "states => states.includes(document.body.dataset.state)", list(states))


class MotionTests(PhonePageTests):
    def test_from_the_code_to_offsets(self):
        offsets = self.offsets()
        # The code as the page of parallax web shows it, of a server of its own.
        self.phones.end()
        desk = self.open()
        desk.click("#phone")
        desk.wait_for_selector("#code[open]")
        picture = self.folder("code.png")
        desk.locator("#code .qr").screenshot(path=picture)
        address = subprocess.run(["zbarimg", "--quiet", "--raw", picture], capture_output=True, text=True).stdout.strip()
        self.assertEqual(address, desk.locator("#code-address").text_content())
        self.assertRegex(address, r"^https://[\d.]+:\d+/#[0-9a-f]{32}$")
        page = self.open_phone(address)
        # The token leaves the address bar.
        self.assertNotIn("#", page.url)
        self.begin(page)
        wait("the device", lambda: offsets.newest("DEVICE").get("name") == "Pixel 8")
        self.assertEqual(offsets.newest("DEVICE")["driver"], "feed")
        # A positive rate about y turns the right edge away: x grows. One about x moves y.
        for rates, signs in [((0, 1, 0), (1, 0)), ((0, -1, 0), (-1, 0)), ((1, 0, 0), (0, 1)), ((-1, 0, 0), (0, -1)),
                             ((0, 0, 2), (0, 0))]:
            self.sensor(page, *rates)
            wait("offsets for %s" % (rates,), lambda: tuple(
                (offsets.newest()[axis] > 0.5) - (offsets.newest()[axis] < -0.5) for axis in "xy") == signs)
        page.tap("#end")
        self.wait_phone(page, "ended")
        wait("no feed", lambda: offsets.newest("DEVICE")["state"] != "streaming")
        # Nothing listens any more.
        desk.click("#code-stop")
        port = int(re.search(r":(\d+)/", address).group(1))

        def is_closed():
            try:
                socket.create_connection((re.search(r"//([\d.]+)", address).group(1), port), timeout=5).close()
                return False
            except OSError:
                return True
        wait("the end of the listener", is_closed)

    def test_a_turned_screen(self):
        """The axes follow the screen: what the person sees as a turn to the right stays one."""
        offsets = self.offsets()
        page = self.open_phone()
        self.begin(page)
        session = page.context.new_cdp_session(page)
        # At 90 degrees the right edge of the phone is up.
        for angle, kind, rates, signs in [
                (90, "landscapePrimary", (1, 0, 0), (1, 0)), (90, "landscapePrimary", (0, 1, 0), (0, -1)),
                (270, "landscapeSecondary", (1, 0, 0), (-1, 0)), (270, "landscapeSecondary", (0, 1, 0), (0, 1)),
                (180, "portraitSecondary", (0, 1, 0), (-1, 0)), (0, "portraitPrimary", (0, 1, 0), (1, 0))]:
            self.sensor(page)
            session.send("Emulation.setDeviceMetricsOverride", {
                "width": 844, "height": 390, "deviceScaleFactor": 2, "mobile": True,
                "screenOrientation": {"type": kind, "angle": angle}})
            until(page, "angle => screen.orientation.angle === angle", angle)
            self.sensor(page, *rates)
            wait("offsets at %d for %s" % (angle, rates), lambda: tuple(
                (offsets.newest()[axis] > 0.5) - (offsets.newest()[axis] < -0.5) for axis in "xy") == signs)

    def test_what_is_shown(self):
        self.offsets()
        page = self.open_phone()
        self.begin(page)
        self.wait_phone(page, "live")
        until(page, "document.querySelector('#world').getAttribute('transform')")
        self.sensor(page, 0, 0, 1)
        until(page, "parseFloat(document.querySelector('#world').getAttribute('transform').slice(7)) > 20")
        until(page, "document.querySelector('#rate-z').textContent === '57°/s'")
        self.sensor(page)
        until(page, "document.querySelector('#rate-z').textContent === '0°/s'")
        page.tap("#center")
        until(page, "document.querySelector('#world').getAttribute('transform').startsWith('rotate(0.00) translate(0.00 0.00)')")
        self.assertEqual(page.evaluate("document.documentElement.scrollWidth"), SIZE["width"])

    def test_it_says_whether_anyone_looks(self):
        page = self.open_phone()
        self.begin(page)
        self.wait_phone(page, "idle")
        self.assertIn("parallax watch", page.text_content("#hint"))
        self.offsets()
        self.wait_phone(page, "live")

    def test_from_event_to_offset(self):
        """Figures: from the browser's event to the published OFFSET."""
        offsets = self.offsets()
        page = self.open_phone(script="""
          window.events = [];
          addEventListener('devicemotion', event => events.push(
            [(performance.timeOrigin + event.timeStamp) / 1000, event.rotationRate.beta]));
        """)
        self.begin(page)
        late = []
        for turn in range(101):
            rate = 0.15 + 0.008 * turn
            seen = len(offsets.lines)
            self.sensor(page, 0, rate, 0)

            def arrived():
                return next((at for at, line in zip(offsets.times[seen:], offsets.lines[seen:])
                             if line["class"] == "OFFSET" and abs(line["x"] - 5 * rate) < 0.02), None)
            wait("the offset of %.2f rad/s" % rate, arrived)
            event = page.evaluate("rate => events.find(([, beta]) => Math.abs(beta - rate) < 0.2)[0]", math.degrees(rate))
            late.append(1000 * (arrived() - event))
        # The first one also starts the device.
        late = sorted(late[1:])
        print("event to OFFSET: p50 %.1f ms, p99 %.1f ms" % (statistics.median(late), late[int(len(late) * 0.99)]))
        self.assertGreater(late[0], 0)
        # The daemon shows nothing older, however busy this machine is.
        self.assertLess(statistics.median(late), 250)


class StateTests(PhonePageTests):
    expected = (r"Failed to load resource.*(401|409|503|net::ERR)",)

    def test_a_second_phone_is_refused(self):
        first, second = self.open_phone(), self.open_phone()
        self.begin(first)
        self.sensor(second)
        second.tap("#start")
        self.wait_phone(second, "taken")
        self.assertIn("Another phone", second.text_content("#title"))
        self.end(first)
        second.tap("#start")
        self.wait_phone(second, "live", "idle")

    def test_a_reload_goes_on(self):
        page = self.open_phone()
        self.begin(page)
        page.reload()
        self.begin(page)
        self.assertEqual(self.phones.log_text().count("is connected"), 1)

    def test_a_locked_phone_goes_on(self):
        """While the screen is locked no events come, and the clock of some phones stops."""
        offsets = self.offsets()
        page = self.open_phone(script="""
          window.isLocked = false;
          addEventListener('devicemotion', event => { if (isLocked) event.stopImmediatePropagation(); });
          window.lock = isHidden => {
            isLocked = isHidden;
            Object.defineProperty(document, 'hidden', { value: isHidden, configurable: true });
            document.dispatchEvent(new Event('visibilitychange'));
          };
        """)
        self.begin(page)
        for stops in (False, True):
            self.sensor(page, 0, 1, 0)
            wait("motion", lambda: (offsets.newest() or {"x": 0})["x"] > 0.5)
            page.evaluate("lock(true), began = performance.now()")
            wait("a silent device", lambda: offsets.newest("DEVICE")["state"] == "lost")
            self.sensor(page, 0, -1, 0)
            page.evaluate("""stops => {
              const origin = performance.timeOrigin - (performance.now() - began);
              if (stops) Object.defineProperty(performance, 'timeOrigin', { value: origin });
              lock(false);
            }""", stops)
            wait("motion again", lambda: offsets.newest()["x"] < -0.5)
            self.wait_phone(page, "live")
        self.assertEqual(self.phones.log_text().count("is connected"), 1)

    def test_a_restarted_command_ends_the_code(self):
        page = self.open_phone()
        self.begin(page)
        port = self.phones.port
        self.phones.end()
        self.wait_phone(page, "offline")
        self.phones = self.start(port=port)
        self.wait_phone(page, "expired")
        page.goto(self.phones.address)
        self.begin(page)

    def test_without_a_code(self):
        page = self.open_phone(self.phones.base + "/")
        self.wait_phone(page, "scan")
        self.assertFalse(page.is_visible("#start"))

    def test_a_wrong_code(self):
        page = self.open_phone(self.phones.base + "/#" + "0" * 32)
        self.sensor(page)
        page.tap("#start")
        self.wait_phone(page, "expired")

    def test_a_daemon_that_reads_something_else(self):
        page = self.open_phone()
        self.begin(page)
        self.daemon.end()
        self.wait_phone(page, "refused")
        self.assertIn("No daemon answers", page.text_content("#text"))
        self.daemon = Daemon(self.folder, "source.kind=synthetic")
        self.addCleanup(self.daemon.kill)
        until(page, "document.querySelector('#text').textContent.includes('source.kind')")
        self.daemon.end()
        self.daemon = self.start_daemon()
        self.wait_phone(page, "live", "idle")


class BrowserRefusalTests(PhonePageTests):
    def test_denied(self):
        page = self.open_phone(script="DeviceMotionEvent.requestPermission = async () => 'denied'")
        page.tap("#start")
        self.wait_phone(page, "denied")
        self.assertIn("Sensor Logger", page.text_content("#steps"))

    def test_asked_in_the_tap(self):
        page = self.open_phone(script="""
          window.asked = [];
          DeviceMotionEvent.requestPermission = async () => { asked.push(navigator.userActivation.isActive); return 'granted'; };
        """)
        self.begin(page)
        self.assertEqual(page.evaluate("asked"), [True])

    def test_no_events(self):
        page = self.open_phone()
        page.tap("#start")
        self.wait_phone(page, "none")

    def test_no_gyroscope(self):
        page = self.open_phone(script="""
          setInterval(() => dispatchEvent(new DeviceMotionEvent('devicemotion', { rotationRate: null })), 20);
        """)
        page.tap("#start")
        self.wait_phone(page, "none")

    def test_no_api(self):
        page = self.open_phone(script="delete window.DeviceMotionEvent")
        page.tap("#start")
        self.wait_phone(page, "none")

    def test_the_screen_stays_on(self):
        page = self.open_phone(script="""
          window.locks = [];
          const lock = { request: async kind => { locks.push(kind); return { release: () => locks.push('released') }; } };
          Object.defineProperty(navigator, 'wakeLock', { value: lock });
        """)
        self.begin(page)
        self.assertEqual(page.evaluate("locks"), ["screen"])
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        until(page, "locks.length === 2")
        page.tap("#end")
        until(page, "locks.includes('released')")


class ModuleTests(unittest.TestCase):
    def test_modules(self):
        result = subprocess.run(["node", "--test", os.path.join(FOLDER, "phone.test.mjs")], capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)


class LookTests(PhonePageTests):
    def test_screenshots(self):
        """Writes pictures to PHONE_PICTURES if it is set; always checks that nothing is cut off."""
        folder = os.environ.get("PHONE_PICTURES") or self.folder.path
        self.offsets()
        for scheme in ("light", "dark"):
            page = self.open_phone(color_scheme=scheme)
            def picture(name):
                page.screenshot(path=os.path.join(folder, "%s-%s.png" % (name, scheme)))
                wide = page.evaluate("""() => [...document.querySelectorAll('header, main, footer, main *:not(svg *)')]
                  .filter(element => element.checkVisibility()).filter(element => {
                    const { left, right } = element.getBoundingClientRect();
                    return left < -0.5 || right > innerWidth + 0.5;
                  }).map(element => element.outerHTML.slice(0, 80))""")
                self.assertEqual(wide, [], name)
                self.assertLessEqual(page.evaluate("document.scrollingElement.scrollHeight"), SIZE["height"], name)
                self.assertEqual([found for found in page.evaluate(CONTRASTS) if found[0] < 4.5], [], name)
            picture("start")
            self.begin(page)
            self.wait_phone(page, "live")
            self.sensor(page, 0.3, -0.6, 0.5)
            page.wait_for_timeout(600)
            self.sensor(page, 0.1, -0.2, 1.1)
            page.wait_for_timeout(300)
            picture("live")
            self.end(page)
            picture("ended")
            # Smaller phones, and one that is held sideways.
            page.tap("#start")
            self.wait_phone(page, "live")
            for width, height in [(320, 568), (360, 640), (844, 390), (667, 375)]:
                page.set_viewport_size({"width": width, "height": height})
                self.assertLessEqual(page.evaluate("document.scrollingElement.scrollWidth"), width)
                self.assertLessEqual(page.evaluate("document.scrollingElement.scrollHeight"), height)
                page.screenshot(path=os.path.join(folder, "live-%d-%s.png" % (width, scheme)))
            self.end(page)
            page = self.open_phone(color_scheme=scheme, script="DeviceMotionEvent.requestPermission = async () => 'denied'")
            page.tap("#start")
            self.wait_phone(page, "denied")
            picture("denied")
