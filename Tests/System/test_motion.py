# SPDX-License-Identifier: Apache-2.0
"""Reduced motion: mock portals of both versions, on a private session bus."""
import time

import dbus

from gates import GateTestCase
from machine import Machine, wait

APPEARANCE = "org.freedesktop.appearance"
GNOME = "org.gnome.desktop.interface"


class MotionTests(GateTestCase):
    def setUp(self):
        self.machine = Machine()
        self.addCleanup(self.machine.close)

    def reduce(self, number):
        self.machine.set_portal(APPEARANCE, "reduced-motion", dbus.UInt32(number))

    def animate(self, is_on):
        self.machine.set_portal(GNOME, "enable-animations", dbus.Boolean(is_on))

    def follow_portal(self, version):
        self.machine.start_portal(
            version, APPEARANCE, "reduced-motion", "u", "0", GNOME, "enable-animations", "b",
            "false")
        subscriber = self.begin()
        # The portal's reduced motion has precedence over the shell's animations.
        self.assertEqual(subscriber.gate()[1], [])
        self.expect(subscriber, lambda: self.reduce(1), "reduce-motion:portal")
        # A number without a meaning counts as none, and other settings change nothing.
        self.expect(subscriber, lambda: self.reduce(7))
        self.machine.set_portal(APPEARANCE, "color-scheme", dbus.UInt32(1))
        self.expect(subscriber, lambda: self.reduce(1), "reduce-motion:portal")
        self.expect(subscriber, lambda: self.reduce(0))
        count = len(subscriber.offsets)
        wait("motion", lambda: len(subscriber.offsets) > count + 30)
        self.reduce(1)
        subscriber.wait_gate("reduce-motion:portal")
        # After the fade of 0.3 s comes one (0, 0), then nothing.
        wait("rest", lambda: time.monotonic() - subscriber.offsets[-1][0] > 1)
        self.assertEqual(subscriber.offsets[-1][1:], (0, 0))
        count = len(subscriber.offsets)
        time.sleep(0.5)
        self.assertEqual(len(subscriber.offsets), count)

    def test_portal_of_version_2(self):
        self.follow_portal(2)

    def test_portal_of_version_1(self):
        self.follow_portal(1)

    def follow_animations(self, version):
        self.machine.start_portal(version, GNOME, "enable-animations", "b", "true")
        subscriber = self.begin()
        self.assertEqual(subscriber.gate()[1], [])
        self.expect(subscriber, lambda: self.animate(False), "reduce-motion:gnome")
        self.expect(subscriber, lambda: self.animate(True))

    def test_animations_if_version_2_lacks_reduced_motion(self):
        self.follow_animations(2)

    def test_animations_if_version_1_lacks_reduced_motion(self):
        self.follow_animations(1)

    def test_a_portal_that_starts_late_is_found(self):
        subscriber = self.begin()
        self.assertEqual(subscriber.gate()[1], [])
        self.machine.start_portal(2, APPEARANCE, "reduced-motion", "u", "1")
        subscriber.wait_gate("reduce-motion:portal")

    def test_the_value_of_a_crashed_portal_holds(self):
        portal = self.machine.start_portal(2, APPEARANCE, "reduced-motion", "u", "1")
        subscriber = self.begin()
        subscriber.wait_gate("reduce-motion:portal")
        self.machine.stop(portal)
        self.machine.start_portal(2, APPEARANCE, "reduced-motion", "u", "1")
        # No GATE came in between, so the value held.
        self.expect(subscriber, lambda: self.reduce(0))

    def test_the_configuration_has_precedence_over_the_portal(self):
        self.machine.start_portal(2, APPEARANCE, "reduced-motion", "u", "1")
        subscriber = self.begin("gates.reduce-motion=off")
        self.assertEqual(subscriber.gate()[1], [])
        wait("motion", lambda: len(subscriber.offsets) > 30)
        self.assertTrue(subscriber.gates.empty())

    def test_subtle_lets_a_quarter_through(self):
        self.machine.start_portal(2, APPEARANCE, "reduced-motion", "u", "1")
        subscriber = self.begin("gates.reduced=subtle")
        subscriber.wait_gate("reduce-motion:portal")
        count = len(subscriber.offsets)
        wait("motion", lambda: len(subscriber.offsets) > count + 60)
        last = subscriber.offsets[-30:]
        self.assertTrue(any(x or y for _, x, y in last))
        # The clamp is 5 px, the gain 0.25.
        self.assertTrue(all(abs(x) <= 1.25 and abs(y) <= 1.25 for _, x, y in last))
