"""Buses that are killed, that come later, and that say nothing."""
import time
import unittest

import dbus

from machine import Machine, MuteBus, wait

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

    def test_a_system_bus_killed_and_started_again_is_followed_again(self):
        machine = self.start()
        machine.start_polkit()
        machine.start_profiles()
        machine.set_profile("power-saver")
        machine.start_parallaxd()
        subscriber = self.subscribe(machine)
        subscriber.wait_gate("low-power:profile")
        machine.system.kill()
        # Nobody knows any more.
        self.assertEqual(subscriber.gate()[1], [])
        machine.system.start()
        machine.start_polkit()
        machine.start_profiles()
        machine.set_profile("power-saver")
        subscriber.wait_gate("low-power:profile")
        log = machine.log()
        self.assertEqual(log.count("system bus: the connection ended"), 1, log)
        self.assertEqual(log.count("system bus: connected"), 1, log)

    def test_a_session_bus_killed_holds_what_was_said_until_it_answers_again(self):
        machine = self.start()
        machine.start_portal(2, APPEARANCE, "reduced-motion", "u", "1")
        machine.start_parallaxd()
        subscriber = self.subscribe(machine)
        subscriber.wait_gate("reduce-motion:portal")
        machine.session.kill()
        wait("the loss", lambda: "session bus: the connection ended" in machine.log())
        self.assertTrue(subscriber.gates.empty())
        machine.session.start()
        # A bus without a portal answers: nobody says reduce any more.
        self.assertEqual(subscriber.gate()[1], [])
        machine.start_portal(2, APPEARANCE, "reduced-motion", "u", "1")
        subscriber.wait_gate("reduce-motion:portal")

    def test_buses_that_come_later_are_found(self):
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
        self.assertLess(time.monotonic() - before, 1)
        # Through the attempts' ends and the next ones the stream goes on.
        wait("seven seconds of motion", lambda: len(subscriber.offsets) > 7 * 30, seconds=20)
        times = [offset[0] for offset in subscriber.offsets]
        self.assertLess(max(b - a for a, b in zip(times, times[1:])), 0.5)
        before = time.monotonic()
        process.terminate()
        process.wait(timeout=10)
        self.assertLess(time.monotonic() - before, 1)

    def test_a_silent_portal_delays_nothing_and_leaves_it_open(self):
        machine = self.start()
        # It owns the name and is stopped.
        portal = machine.start_portal(2, APPEARANCE, "reduced-motion", "u", "1")
        portal.send_signal(19)
        machine.start_parallaxd()
        subscriber = self.subscribe(machine)
        self.assertEqual(subscriber.gate()[1], [])
        wait("motion", lambda: len(subscriber.offsets) > 30)
        self.assertTrue(subscriber.gates.empty())
        portal.send_signal(18)
        subscriber.wait_gate("reduce-motion:portal")

    def test_behind_the_last_subscriber_nothing_on_the_buses_wakes_it(self):
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

        # Its source goes on for 5 s, then it leaves the bus.
        before = len(others())
        wait("it leaves", lambda: len(others()) < before, seconds=20)

        def switches():
            with open("/proc/%d/status" % process.pid) as file:
                return sum(int(line.split()[1]) for line in file if "ctxt_switches" in line)

        before = switches()
        for profile in ["power-saver", "balanced"] * 20:
            machine.set_profile(profile)
        for number in [1, 0] * 20:
            machine.set_portal(APPEARANCE, "reduced-motion", dbus.UInt32(number))
        self.assertEqual(switches(), before)

    def test_sleep_closes_and_waking_opens(self):
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

        # When parallaxd has begun to listen nobody tells: said until it is heard.
        def is_heard():
            prepare(True)
            return not subscriber.gates.empty()

        wait("sleep", is_heard)
        subscriber.wait_gate("sleep")
        for is_asleep, reasons in [(False, []), (True, ["sleep"]), (False, [])]:
            before = time.monotonic()
            prepare(is_asleep)
            now, found = subscriber.gate()
            self.assertEqual(found, reasons)
            self.assertLess(now - before, 1)
