# SPDX-License-Identifier: Apache-2.0
"""Low power: the real power-profiles-daemon and upowerd, on a private bus under umockdev."""
import gi
gi.require_version("UMockdev", "1.0")
from gi.repository import UMockdev  # noqa: E402 (after the version is set)

from gates import GateTestCase  # noqa: E402
from machine import Machine  # noqa: E402


class PowerTests(GateTestCase):
    def setUp(self):
        self.testbed = UMockdev.Testbed.new()
        self.machine = Machine(devices=self.testbed)
        self.addCleanup(self.machine.close)
        self.battery = None

    def add_battery(self, percent, status="Discharging"):
        self.battery = self.testbed.add_device(
            "power_supply", "BAT0", None,
            ["type", "Battery", "present", "1", "status", status, "scope", "System",
             "energy_full", "60000000", "energy_full_design", "60000000",
             "energy_now", str(percent * 600000), "capacity", str(percent),
             "voltage_now", "12000000", "power_now", "10000000"], [])

    def set_battery(self, percent):
        self.testbed.set_attribute(self.battery, "energy_now", str(percent * 600000))
        self.testbed.set_attribute(self.battery, "capacity", str(percent))
        self.testbed.uevent(self.battery, "change")

    def test_profiles_close_and_open_and_the_daemons_end_opens(self):
        self.machine.start_polkit()
        profiles = self.machine.start_profiles()
        subscriber = self.begin()
        self.assertEqual(subscriber.gate()[1], [])
        set_profile = self.machine.set_profile
        self.expect(subscriber, lambda: set_profile("power-saver"), "low-power:profile")
        self.expect(subscriber, lambda: set_profile("balanced"))
        self.expect(subscriber, lambda: set_profile("power-saver"), "low-power:profile")
        self.expect(subscriber, lambda: self.machine.stop(profiles))

    def follow_newer_daemon(self, *names):
        profiles = self.machine.start_mock_profiles(*names)
        subscriber = self.begin()
        self.assertEqual(subscriber.gate()[1], [])

        def set_profile(profile):
            self.machine.set_mock_profile(names[0], profile)

        self.expect(subscriber, lambda: set_profile("power-saver"), "low-power:profile")
        self.expect(subscriber, lambda: set_profile("performance"))
        self.expect(subscriber, lambda: set_profile("power-saver"), "low-power:profile")
        self.expect(subscriber, lambda: self.machine.stop(profiles))
        self.machine.start_mock_profiles(*names)
        self.expect(subscriber, lambda: set_profile("power-saver"), "low-power:profile")
        self.assertTrue(subscriber.gates.empty())

    def test_the_newer_name_of_the_profile_daemon(self):
        self.follow_newer_daemon("org.freedesktop.UPower.PowerProfiles")

    def test_a_profile_daemon_with_both_names(self):
        self.follow_newer_daemon(
            "net.hadess.PowerProfiles", "org.freedesktop.UPower.PowerProfiles")

    def test_the_current_profile_is_read_at_the_start(self):
        self.machine.start_polkit()
        self.machine.start_profiles()
        self.machine.set_profile("power-saver")
        subscriber = self.begin()
        subscriber.wait_gate("low-power:profile")

    def test_a_low_battery_does_not_count_with_a_profile_daemon(self):
        self.add_battery(2)
        self.machine.start_polkit()
        self.machine.start_upower()
        profiles = self.machine.start_profiles()
        subscriber = self.begin()
        self.assertEqual(subscriber.gate()[1], [])
        # The next reason is the profile's, so there was none before it.
        self.expect(
            subscriber, lambda: self.machine.set_profile("power-saver"), "low-power:profile")
        # Without its daemon the battery counts.
        self.expect(subscriber, lambda: self.machine.stop(profiles), "low-power:upower")

    def test_upower_warns_and_after_its_end_the_kernel_counts(self):
        self.add_battery(60)
        upower = self.machine.start_upower()
        subscriber = self.begin()
        self.assertEqual(subscriber.gate()[1], [])
        self.expect(subscriber, lambda: self.set_battery(7), "low-power:upower")
        self.expect(subscriber, lambda: self.set_battery(60))
        self.set_battery(7)
        subscriber.wait_gate("low-power:upower")
        self.expect(subscriber, lambda: self.machine.stop(upower), "low-power:sysfs")

    def test_the_kernel_alone(self):
        self.add_battery(60)
        subscriber = self.begin()
        self.assertEqual(subscriber.gate()[1], [])
        self.expect(subscriber, lambda: self.set_battery(20), "low-power:sysfs")
        self.expect(subscriber, lambda: self.set_battery(21))

    def test_no_battery_is_not_low(self):
        self.machine.start_upower()
        subscriber = self.begin()
        self.assertEqual(subscriber.gate()[1], [])
        self.machine.start_polkit()
        self.machine.start_profiles()
        self.expect(
            subscriber, lambda: self.machine.set_profile("power-saver"), "low-power:profile")
