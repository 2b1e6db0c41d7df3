"""Reduce motion: mock portals of both versions, on a private session bus."""
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
        # The person's wish is known: the shell's animations say nothing more.
        self.assertEqual(subscriber.gate()[1], [])
        self.expect(subscriber, lambda: self.reduce(1), "reduce-motion:portal")
        self.expect(subscriber, lambda: self.reduce(0))
        count = len(subscriber.offsets)
        wait("motion", lambda: len(subscriber.offsets) > count + 30)
        self.reduce(1)
        subscriber.wait_gate("reduce-motion:portal")
        # Behind the fade of 0.3 s there is the zero, and nothing after it.
        time.sleep(1)
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

    def test_animations_where_version_2_has_no_wish(self):
        self.follow_animations(2)

    def test_animations_where_version_1_has_no_wish(self):
        self.follow_animations(1)

    def test_a_portal_that_comes_later_is_found(self):
        subscriber = self.begin()
        self.assertEqual(subscriber.gate()[1], [])
        self.machine.start_portal(2, APPEARANCE, "reduced-motion", "u", "1")
        subscriber.wait_gate("reduce-motion:portal")

    def test_what_a_crashed_portal_said_holds(self):
        portal = self.machine.start_portal(2, APPEARANCE, "reduced-motion", "u", "1")
        subscriber = self.begin()
        subscriber.wait_gate("reduce-motion:portal")
        self.machine.stop(portal)
        self.machine.start_portal(2, APPEARANCE, "reduced-motion", "u", "1")
        # The next word is this one's: it held meanwhile.
        self.expect(subscriber, lambda: self.reduce(0))

    def test_configuration_stands_above_the_portal(self):
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
