# SPDX-License-Identifier: Apache-2.0
"""The orientation: the real iio-sensor-proxy with a mock accelerometer, and a mock chip with both an
accelerometer and a gyroscope that streams from a pipe."""
import json
import os
import re
import socket
import struct
import threading
import time
import unittest

import gi
gi.require_version("UMockdev", "1.0")
from gi.repository import UMockdev  # noqa: E402 (after the version is set)

import machine  # noqa: E402
from machine import Machine, wait  # noqa: E402

PROXY = "/usr/libexec/iio-sensor-proxy"
if not os.path.exists(PROXY):
    PROXY = "/usr/sbin/iio-sensor-proxy"

# The accelerometer points down with 1 g, at a scale of 0.01.
HELD = {"normal": (0, -981, 0), "left-up": (981, 0, 0), "bottom-up": (0, 981, 0),
        "right-up": (-981, 0, 0), "flat": (0, 0, -981)}
# The remap of (a, b) for each orientation.
REMAP = {"normal": lambda a, b: (a, b), "left-up": lambda a, b: (-b, a),
         "bottom-up": lambda a, b: (-a, -b), "right-up": lambda a, b: (b, -a)}


class NarrowBus(machine.Bus):
    """A bus that denies claims, as polkit does for users without an active session."""

    def __init__(self, folder, name):
        plain = machine.BUS
        machine.BUS = plain.replace(
            "</policy>",
            '<deny send_interface="net.hadess.SensorProxy" send_member="ClaimAccelerometer"/>'
            '</policy>')
        try:
            super().__init__(folder, name)
        finally:
            machine.BUS = plain


class Control:
    """A connection to the control socket."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(machine.PATIENCE)
        self.socket.connect(path)
        self.lines = self.socket.makefile()

    def ask(self, **request):
        self.socket.sendall((json.dumps(request) + "\n").encode())
        return self.next()

    def next(self):
        return json.loads(self.lines.readline())

    def close(self):
        self.lines.close()
        self.socket.close()


class Watcher:
    """Reads offsets by sequence number, for the daemon's orientation or for `orientation`."""

    def __init__(self, path, orientation=None):
        self.offsets = {}
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        if orientation:
            self.socket.sendall(
                b'{"class":"WATCH","orientation":"%s"}\n' % orientation.encode())
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        with self.socket.makefile() as lines:
            for line in lines:
                message = json.loads(line)
                if message["class"] == "OFFSET":
                    self.offsets[message["seq"]] = (message["x"], message["y"], message["time"])

    def close(self):
        self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()


class OrientationTests(unittest.TestCase):
    def setUp(self):
        self.testbed = UMockdev.Testbed.new()

    def begin(self, held="normal", *settings, system=machine.Bus):
        self.machine = Machine(system=system, devices=self.testbed)
        self.addCleanup(self.machine.close)
        self.sensor = self.testbed.add_device(
            "iio", "iio:device7", None,
            ["name", "accel\n", "in_accel_scale", "0.01\n"] + self.readings(held),
            ["IIO_SENSOR_PROXY_TYPE", "iio-poll-accel", "DEVNAME", "/dev/iio:device7"])
        self.machine.start_parallaxd("motion.smoothing=none", *settings)
        self.socket = os.path.join(self.machine.folder, "parallax.sock")
        control = os.path.join(self.machine.folder, "control.sock")
        wait("the control socket", lambda: os.path.exists(control))
        self.control = Control(control)
        self.addCleanup(self.control.close)

    @staticmethod
    def readings(held):
        pairs = zip("xyz", HELD[held])
        return [
            text for axis, value in pairs
            for text in ("in_accel_%s_raw" % axis, "%d\n" % value)]

    def hold(self, held):
        for axis, value in zip("xyz", HELD[held]):
            self.testbed.set_attribute(
                self.sensor, "in_accel_%s_raw" % axis, "%d\n" % value)

    def start_proxy(self):
        """Its debug log goes to the file `proxy`."""
        self.proxy_log = os.path.join(self.machine.folder, "proxy")
        command = ["/bin/sh", "-c", 'exec "$0" >>"$1" 2>&1', PROXY, self.proxy_log]
        return self.machine.start(
            command, self.machine.system, "net.hadess.SensorProxy", G_MESSAGES_DEBUG="all")

    def calls(self):
        """Returns the claims and releases that the proxy received, in order."""
        with open(self.proxy_log) as file:
            return re.findall(r"method '(Claim|Release)Accelerometer'", file.read())

    def count_readings(self):
        with open(self.proxy_log) as file:
            return file.read().count("Accel read")

    def watch(self, orientation=None):
        watcher = Watcher(self.socket, orientation)
        self.addCleanup(watcher.close)
        return watcher

    def orientation(self):
        status = self.control.ask(**{"class": "STATUS"})["orientation"]
        return status["value"], status["source"]

    def wait_orientation(self, value, source="sensor-proxy"):
        wait("%s by %s" % (value, source), lambda: self.orientation() == (value, source))

    def test_it_follows_and_blends(self):
        self.begin()
        self.start_proxy()
        plain = self.watch("normal")
        turned = self.watch()
        self.wait_orientation("normal")
        for before, after in [("normal", "left-up"), ("left-up", "bottom-up"),
                              ("bottom-up", "right-up"), ("right-up", "normal")]:
            first = max(plain.offsets)
            start = time.monotonic()
            self.hold(after)
            # The proxy polls every 0.7 s.
            self.wait_orientation(after)
            self.assertLess(time.monotonic() - start, 0.7 + machine.PROMPT)
            turns_at = max(plain.offsets)
            wait("frames", lambda: min(max(plain.offsets), max(turned.offsets)) > turns_at + 30)
            self.check_blend(plain, turned, first, before, after)
        # Flat on the table it does not change.
        self.hold("flat")
        count = self.count_readings()
        wait("another reading", lambda: self.count_readings() > count + 1)
        self.assertEqual(self.orientation(), ("normal", "sensor-proxy"))

    def check_blend(self, plain, turned, first, before, after):
        """The share of the new orientation rises from 0 to 1 in 9 frames and never falls."""
        shares, times = [], []
        for seq in sorted(set(plain.offsets) & set(turned.offsets)):
            a, b, time_of = plain.offsets[seq]
            if seq <= first or abs(a) + abs(b) < 1:
                continue
            (x0, y0), (x1, y1) = REMAP[before](a, b), REMAP[after](a, b)
            x, y, _ = turned.offsets[seq]
            dx, dy = x1 - x0, y1 - y0
            share = ((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy)
            self.assertAlmostEqual(x, x0 + share * dx, delta=0.02)
            self.assertAlmostEqual(y, y0 + share * dy, delta=0.02)
            shares.append(share)
            times.append(time_of)
        self.assertAlmostEqual(shares[0], 0, delta=0.02)
        self.assertAlmostEqual(shares[-1], 1, delta=0.02)
        self.assertTrue(all(q >= p - 0.02 for p, q in zip(shares, shares[1:])), shares)
        # A busy machine may skip frames.
        self.assertTrue(all(q - p < 9 * (u - t) for p, q, t, u in zip(shares, shares[1:], times, times[1:])), shares)
        self.assertLess(len([share for share in shares if 0.02 < share < 0.98]), 12)

    def test_a_restarted_proxy_is_claimed_again(self):
        self.begin("left-up")
        proxy = self.start_proxy()
        self.watch()
        self.wait_orientation("left-up")
        self.machine.stop(proxy)
        self.hold("right-up")
        # It may restart: until then the orientation stays.
        self.assertEqual(self.orientation(), ("left-up", "sensor-proxy"))
        self.start_proxy()
        self.wait_orientation("right-up")
        self.assertEqual(self.calls(), ["Claim", "Claim"])
        # If it does not restart, its value no longer counts.
        self.machine.stop(self.machine.processes[-1])
        self.wait_orientation("normal", "default")

    def test_a_restarted_bus_is_followed_again(self):
        self.begin("left-up")
        self.start_proxy()
        self.watch()
        self.wait_orientation("left-up")
        self.machine.system.kill()
        self.machine.system.start()
        self.hold("bottom-up")
        self.start_proxy()
        self.wait_orientation("bottom-up")

    def test_it_is_released_when_idle_and_for_a_stronger_source(self):
        self.begin("left-up")
        self.start_proxy()
        time.sleep(1)
        self.assertEqual(self.calls(), [])
        watcher = Watcher(self.socket)
        self.wait_orientation("left-up")
        self.control.ask(**{"class": "SET", "key": "orientation", "value": "bottom-up"})
        wait("the release", lambda: self.calls() == ["Claim", "Release"])
        self.control.ask(**{"class": "SET", "key": "orientation", "value": "auto"})
        self.wait_orientation("left-up")
        watcher.close()
        before = time.monotonic()
        wait("the release", lambda: self.calls() == ["Claim", "Release"] * 2)
        self.assertLess(time.monotonic() - before, 5 + machine.PROMPT)
        # The sensor is no longer read.
        count = self.count_readings()
        time.sleep(1.5)
        self.assertEqual(self.count_readings(), count)

    def test_a_configured_orientation_claims_nothing(self):
        self.begin("left-up", "orientation.source=bottom-up")
        self.start_proxy()
        watcher = self.watch()
        wait("motion", lambda: len(watcher.offsets) > 60)
        self.assertEqual(self.orientation(), ("bottom-up", "configuration"))
        self.assertEqual(self.calls(), [])

    def test_a_denied_claim_is_logged_once_and_agents_are_asked(self):
        self.begin("left-up", system=NarrowBus)
        self.start_proxy()
        agent = Control(os.path.join(self.machine.folder, "control.sock"))
        self.addCleanup(agent.close)
        self.assertEqual(agent.ask(**{"class": "AGENT", "wanted": True})["class"], "ACK")
        self.assertEqual(agent.next(), {"class": "WANTED", "orientation": False})
        watcher = Watcher(self.socket)
        self.assertEqual(agent.next(), {"class": "WANTED", "orientation": True})
        self.assertEqual(self.orientation(), ("normal", "default"))
        watcher.close()
        self.assertEqual(agent.next(), {"class": "WANTED", "orientation": False})
        self.watch()
        self.assertEqual(agent.next(), {"class": "WANTED", "orientation": True})
        self.assertEqual(self.machine.log().count("iio-sensor-proxy"), 1, self.machine.log())

    def add_chip(self):
        """Adds a device with a gyroscope and an accelerometer whose x is mirrored."""
        attributes = [
            ("name", "mpu6050"), ("in_anglvel_scale", "0.001"), ("in_accel_scale", "0.01"),
            ("sampling_frequency", "50"), ("buffer/enable", "0"), ("buffer/length", "2"),
            ("trigger/current_trigger", "mpu6050-dev0")]
        for index, axis in enumerate(
                "anglvel_x anglvel_y anglvel_z accel_x accel_y accel_z".split()):
            attributes += [
                ("in_%s_raw" % axis, "0"), ("scan_elements/in_%s_en" % axis, "0"),
                ("scan_elements/in_%s_index" % axis, str(index)),
                ("scan_elements/in_%s_type" % axis, "le:s16/16>>0")]
        self.chip = self.testbed.add_device(
            "iio", "iio:device0", None,
            [text for name, value in attributes for text in (name, value + "\n")],
            ["DEVNAME", "/dev/iio:device0", "ACCEL_MOUNT_MATRIX", "-1, 0, 0; 0, 1, 0; 0, 0, 1"])
        self.testbed.add_device("iio", "trigger0", None, ["name", "mpu6050-dev0\n"], [])

    def test_a_chip_with_both_is_read_directly_and_never_claimed(self):
        self.add_chip()
        node = os.path.join(self.testbed.get_root_dir(), "dev/iio:device0")
        os.makedirs(os.path.dirname(node), exist_ok=True)
        if os.path.exists(node):
            os.unlink(node)
        os.mkfifo(node)
        held = [HELD["left-up"]]
        ended = threading.Event()

        def measure():
            pipe = os.open(node, os.O_RDWR | os.O_NONBLOCK)
            while not ended.wait(0.02):
                try:
                    os.write(pipe, struct.pack("<6h", 500, -800, 100, *held[0]))
                except BlockingIOError:
                    pass
            os.close(pipe)

        chip = threading.Thread(target=measure)
        chip.start()
        self.addCleanup(chip.join)
        self.addCleanup(ended.set)
        self.begin("normal", "source.kind=iio", "motion.bias=off")
        self.start_proxy()
        watcher = self.watch()
        self.wait_orientation("right-up", "accelerometer")
        wait("motion", lambda: len(watcher.offsets) > 30)
        self.assertEqual(watcher.offsets[max(watcher.offsets)][:2], (2.5, 4))
        held[0] = HELD["bottom-up"]
        self.wait_orientation("bottom-up", "accelerometer")
        held[0] = HELD["flat"]
        wait("motion", lambda: len(watcher.offsets) > 150)
        self.assertEqual(self.orientation(), ("bottom-up", "accelerometer"))
        self.assertEqual(self.calls(), [])

    def test_a_chip_with_both_and_no_buffer_access_is_polled(self):
        self.add_chip()

        def hold(held):
            for axis, value in zip("xyz", HELD[held]):
                self.testbed.set_attribute(self.chip, "in_accel_%s_raw" % axis, "%d\n" % value)

        hold("left-up")
        # There is no device node.
        self.begin("normal", "source.kind=iio", "motion.bias=off")
        self.start_proxy()
        self.watch()
        self.wait_orientation("right-up", "accelerometer")
        device = self.control.ask(**{"class": "STATUS"})["device"]
        self.assertIn("polled", device["reason"])
        hold("bottom-up")
        self.wait_orientation("bottom-up", "accelerometer")
        self.assertEqual(self.calls(), [])
