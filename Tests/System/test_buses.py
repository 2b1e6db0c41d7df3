# SPDX-License-Identifier: Apache-2.0
"""Buses that are killed, that start late, and that never answer."""
import time
import unittest

import dbus

from machine import PATIENCE, PROMPT, Machine, MuteBus, wait

APPEARANCE = "org.freedesktop.appearance"


class BusTests(unittest.TestCase):
    def start(self, **buses):
        machine = Machine(**buses)
        self.addCleanup(machine.close)
        return machine

    def subscribe(self, machine):
        subscriber = machine.subscribe()
        self.addCleanup(subscriber.close)
        return subscriber

    def test_a_restarted_system_bus_is_followed_again(self):
        machine = self.start()
        machine.start_polkit()
        machine.start_profiles()
        machine.set_profile("power-saver")
        machine.start_parallaxd()
        subscriber = self.subscribe(machine)
        subscriber.wait_gate("low-power:profile")
        machine.system.kill()
        # The profile is unknown now.
        self.assertEqual(subscriber.gate()[1], [])
        machine.system.start()
        machine.start_polkit()
        machine.start_profiles()
        machine.set_profile("power-saver")
        subscriber.wait_gate("low-power:profile")
        log = machine.log()
        self.assertEqual(log.count("system bus: connection lost"), 1, log)
        self.assertEqual(log.count("system bus: connected"), 1, log)

    def test_a_killed_session_bus_keeps_its_value_until_it_answers_again(self):
        machine = self.start()
        machine.start_portal(2, APPEARANCE, "reduced-motion", "u", "1")
        machine.start_parallaxd()
        subscriber = self.subscribe(machine)
        subscriber.wait_gate("reduce-motion:portal")
        machine.session.kill()
        wait("the loss", lambda: "session bus: connection lost" in machine.log())
        self.assertTrue(subscriber.gates.empty())
        machine.session.start()
        # A bus without a portal answers: reduced motion is off.
        self.assertEqual(subscriber.gate()[1], [])
        machine.start_portal(2, APPEARANCE, "reduced-motion", "u", "1")
        subscriber.wait_gate("reduce-motion:portal")

    def test_buses_that_start_late_are_found(self):
        machine = self.start()
        machine.system.kill()
        machine.session.kill()
        machine.start_parallaxd()
        subscriber = self.subscribe(machine)
        self.assertEqual(subscriber.gate()[1], [])
        wait("motion", lambda: len(subscriber.offsets) > 10)
        machine.session.start()
        machine.start_portal(2, APPEARANCE, "reduced-motion", "u", "1")
        subscriber.wait_gate("reduce-motion:portal")

    def test_a_bus_that_accepts_and_never_answers_delays_nothing(self):
        machine = self.start(system=MuteBus, session=MuteBus)
        process = machine.start_parallaxd()
        before = time.monotonic()
        subscriber = self.subscribe(machine)
        self.assertEqual(subscriber.gate()[1], [])
        wait("the first offset", lambda: subscriber.offsets)
        self.assertLess(time.monotonic() - before, PROMPT)
        # The stream continues while attempts to connect end and others start.
        wait("seven seconds of motion", lambda: len(subscriber.offsets) > 7 * 30)
        times = [offset[0] for offset in subscriber.offsets]
        self.assertLess(max(b - a for a, b in zip(times, times[1:])), PROMPT)
        before = time.monotonic()
        process.terminate()
        process.wait(timeout=PATIENCE)
        self.assertLess(time.monotonic() - before, PROMPT)

    def test_a_silent_portal_delays_nothing_and_reduces_motion_until_it_answers(self):
        machine = self.start()
        # It owns its name, and SIGSTOP stops it.
        portal = machine.start_portal(2, APPEARANCE, "reduced-motion", "u", "0")
        portal.send_signal(19)
        machine.start_parallaxd()
        subscriber = self.subscribe(machine)
        self.assertEqual(subscriber.gate()[1], [])
        wait("the first offset", lambda: subscriber.offsets)
        # Nothing is known of this user's settings.
        subscriber.wait_gate("reduce-motion:portal")
        self.assertIn("the portal does not answer; motion is reduced", machine.log())
        portal.send_signal(18)
        self.assertEqual(subscriber.gate()[1], [])

    def test_bus_traffic_does_not_wake_it_after_the_last_subscriber(self):
        machine = self.start()
        machine.start_polkit()
        machine.start_profiles()
        machine.start_portal(2, APPEARANCE, "reduced-motion", "u", "0")
        process = machine.start_parallaxd()
        subscriber = machine.subscribe()
        wait("motion", lambda: len(subscriber.offsets) > 10)
        subscriber.close()

        connection = machine.system.connect()

        def others():
            return [name for name in connection.list_names() if name[0] == ":"]

        # Its source keeps running for 5 s, then it disconnects from the bus.
        before = len(others())
        wait("the disconnection", lambda: len(others()) < before)

        def status(name):
            with open("/proc/%d/status" % process.pid) as file:
                return [line.split()[1] for line in file if name in line]

        def switches():
            return sum(map(int, status("ctxt_switches")))

        # It has left the bus, but may not sleep yet.
        wait("sleep", lambda: status("State:") == ["S"])
        before = switches()
        for profile in ["power-saver", "balanced"] * 20:
            machine.set_profile(profile)
        for number in [1, 0] * 20:
            machine.set_portal(APPEARANCE, "reduced-motion", dbus.UInt32(number))
        self.assertEqual(switches(), before)

    def test_suspend_closes_and_resume_opens(self):
        machine = self.start()
        machine.start(
            ["/usr/bin/python3", "-m", "dbusmock", "--system", "--template", "logind"],
            machine.system, "org.freedesktop.login1")
        machine.start_parallaxd()
        subscriber = self.subscribe(machine)
        self.assertEqual(subscriber.gate()[1], [])
        logind = machine.system.connect().get_object(
            "org.freedesktop.login1", "/org/freedesktop/login1")

        def prepare(is_asleep):
            logind.EmitSignal(
                "org.freedesktop.login1.Manager", "PrepareForSleep", "b",
                dbus.Array([is_asleep], signature="v"),
                dbus_interface="org.freedesktop.DBus.Mock")

        # Nothing reports when parallaxd has started to listen, so the signal is repeated.
        def is_received():
            prepare(True)
            return not subscriber.gates.empty()

        wait("sleep", is_received)
        subscriber.wait_gate("sleep")
        for is_asleep, reasons in [(False, []), (True, ["sleep"]), (False, [])]:
            before = time.monotonic()
            prepare(is_asleep)
            now, found = subscriber.gate()
            self.assertEqual(found, reasons)
            self.assertLess(now - before, PROMPT)
