# SPDX-License-Identifier: Apache-2.0
"""A mock gyroscope that streams from a pipe: formats of scans, offsets, oversampling, the stored bias,
and iiod."""
import os
import socket
import unittest

import gi
gi.require_version("UMockdev", "1.0")
from gi.repository import UMockdev  # noqa: E402 (after the version is set)

from gyroscope import Gyroscope  # noqa: E402
from machine import Machine, wait  # noqa: E402

PLAIN = ["source.kind=iio", "motion.bias=off", "motion.smoothing=none", "motion.scale=5"]


class GyroscopeTests(unittest.TestCase):
    def setUp(self):
        self.testbed = UMockdev.Testbed.new()
        self.machine = Machine(devices=self.testbed)
        self.addCleanup(self.machine.close)

    def add(self, *arguments, **options):
        gyroscope = Gyroscope(self.testbed, *arguments, **options)
        self.addCleanup(gyroscope.close)
        return gyroscope

    def subscribe(self, *settings, **more):
        """Starts parallaxd, waits for motion and returns the subscriber."""
        self.machine.start_parallaxd(*settings, **more)
        subscriber = self.machine.subscribe()
        self.addCleanup(subscriber.close)
        wait("motion: " + self.machine.log(), lambda: len(subscriber.offsets) > 20)
        return subscriber

    def expect(self, subscriber, x, y):
        # The motion fades in.
        wait("%g, %g, not %s" % (x, y, subscriber.offsets[-1:]),
             lambda: subscriber.offsets[-1][1:] == (x, y))

    # x follows the rate about y, and y the rate about x.

    def test_a_big_endian_scan(self):
        self.add((500, -800, 100), kind="be:s16/16>>0", layout=">3h")
        self.expect(self.subscribe(*PLAIN), -4, 2.5)

    def test_a_big_endian_scan_of_shifted_values(self):
        self.add((500, -800, 100), kind="be:s12/16>>4", layout=">3h")
        self.expect(self.subscribe(*PLAIN), -4, 2.5)

    def test_a_scan_of_32_bits(self):
        self.add((50_000, -80_000, 10_000), kind="le:s32/32>>0", layout="<3i", scale="0.00001")
        self.expect(self.subscribe(*PLAIN), -4, 2.5)

    def test_an_offset_counts_before_the_scale(self):
        self.add((480, -820, 80), attributes=[("in_anglvel_offset", "20")])
        self.expect(self.subscribe(*PLAIN), -4, 2.5)

    def test_an_offset_counts_when_polling_too(self):
        self.add((480, -820, 80), attributes=[("in_anglvel_offset", "20")], has_node=False)
        self.expect(self.subscribe(*PLAIN), -4, 2.5)

    def test_tilt_is_oversampled(self):
        gyroscope = self.add((0, 500, 0), attributes=[
            ("sampling_frequency", "30"), ("sampling_frequency_available", "30 60 120 240")])
        subscriber = self.subscribe(
            "source.kind=iio", "motion.bias=off", "motion.smoothing=none", "motion.mode=tilt",
            "motion.scale=10", "motion.recenter=3600", "motion.range-x=-1000:1000")
        # Four samples per frame of 30 Hz.
        self.assertEqual(float(gyroscope.file("sampling_frequency")), 120)
        wait("frames", lambda: len(subscriber.offsets) > 100)
        last = subscriber.offsets[-60:]
        # 0.5 rad/s times 10 px/rad are 5 px/s, and each of the four samples counts once.
        speed = (last[-1][1] - last[0][1]) / (last[-1][0] - last[0][0])
        self.assertAlmostEqual(speed, 5, delta=1)
        self.assertEqual(last[-1][2], 0)

    def test_the_bias_is_kept_with_a_matrix(self):
        self.add((50, 10, -20), attributes=[("in_mount_matrix", "0, 1, 0; -1, 0, 0; 0, 0, 1")])
        state = os.path.join(self.machine.folder, "state")
        os.mkdir(state)
        settings = ["source.kind=iio", "motion.smoothing=none", "motion.scale=100"]
        daemon = self.machine.start_parallaxd(*settings, STATE_DIRECTORY=state)
        subscriber = self.machine.subscribe()
        # At rest the whole rate is bias, which takes a second or two to be known.
        wait("motion", lambda: any(x or y for _, x, y in subscriber.offsets))
        wait("rest", lambda: subscriber.offsets[-1][1:] == (0, 0), 20)
        subscriber.close()
        daemon.terminate()
        self.assertEqual(daemon.wait(10), 0)
        self.machine.processes.remove(daemon)
        with open(os.path.join(state, "bias")) as file:
            row = [line for line in file if not line.startswith("#")][0]
        # In the sensor's frame: what a new matrix turns is the motion, not the bias.
        for value, expected in zip(row.split("\t")[0].split(), (0.05, 0.01, -0.02)):
            self.assertAlmostEqual(float(value), expected, delta=1e-4)
        subscriber = self.subscribe(*settings, "motion.mount-matrix=1,0,0;0,0,-1;0,1,0",
                                    STATE_DIRECTORY=state)
        self.assertTrue(all(abs(x) < 0.05 and abs(y) < 0.05 for _, x, y in subscriber.offsets),
                        subscriber.offsets[:5])

    def test_iiod_on_the_loopback(self):
        self.add((500, -800, 100))
        iiod = self.machine.start(["/usr/sbin/iiod"])

        def answers():
            with socket.socket() as probe:
                return probe.connect_ex(("127.0.0.1", 30431)) == 0
        wait("iiod", answers)
        # Without the testbed's devices: they come from iiod.
        self.machine.devices = {"UMOCKDEV_DIR": "/nonexistent"}
        subscriber = self.subscribe(*PLAIN, "source.uri=ip:127.0.0.1")
        self.expect(subscriber, -4, 2.5)
        self.machine.stop(iiod)
        wait("the loss", lambda: subscriber.offsets[-1][1:] == (0, 0), 20)
