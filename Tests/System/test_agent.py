# SPDX-License-Identifier: Apache-2.0
"""parallax agent: a session's settings reach a daemon that cannot see the session's bus."""
import json
import os
import shutil
import socket
import time
import unittest

import dbus

from machine import PARALLAXD, PROMPT, Bus, Machine, MuteBus, wait

PARALLAX = os.environ.get("PARALLAX") or os.path.join(os.path.dirname(PARALLAXD), "parallax")
APPEARANCE = "org.freedesktop.appearance"
REDUCED = (APPEARANCE, "reduced-motion", "u", "1")
NOT_REDUCED = (APPEARANCE, "reduced-motion", "u", "0")


class AgentTests(unittest.TestCase):
    def begin(self, *settings, **buses):
        """Starts a machine whose daemon sees no session bus."""
        self.machine = Machine(**buses)
        self.addCleanup(self.machine.close)
        self.control = os.path.join(self.machine.folder, "control.sock")
        self.daemon = self.start_parallaxd(*settings)

    def start_parallaxd(self, *settings):
        return self.machine.start_parallaxd(
            *settings, DBUS_SESSION_BUS_ADDRESS="unix:path=/nowhere")

    def subscribe(self, user=None):
        subscriber = self.machine.subscribe(user)
        self.addCleanup(subscriber.close)
        return subscriber

    def start_agent(self, session=None, user=None):
        session = session or self.machine.session
        command = [PARALLAX, "agent", "--control", self.control]
        if user is not None:
            # The user may not have access to the build folder.
            command[0] = os.path.join(self.machine.folder, "parallax")
            if not os.path.exists(command[0]):
                shutil.copy(PARALLAX, command[0])
            identity = ["--reuid=%d" % user, "--regid=%d" % user, "--clear-groups"]
            command = ["setpriv"] + identity + command
        return self.machine.start(command, DBUS_SESSION_BUS_ADDRESS=session.address)

    def agents(self):
        with socket.socket(socket.AF_UNIX) as control:
            control.connect(self.control)
            control.sendall(b'{"class":"STATUS"}\n')
            with control.makefile() as lines:
                return json.loads(lines.readline()).get("agents", [])

    def expect(self, subscriber, change, *reasons):
        before = time.monotonic()
        change()
        now, found = subscriber.gate()
        self.assertEqual(found, list(reasons))
        self.assertLess(now - before, PROMPT)

    def set_reduced_motion(self, number, session=None):
        self.machine.set_portal(APPEARANCE, "reduced-motion", dbus.UInt32(number), session)

    def follow(self, version):
        self.begin()
        self.machine.start_portal(version, *NOT_REDUCED)
        subscriber = self.subscribe()
        self.assertEqual(subscriber.gate()[1], [])
        agent = self.start_agent()
        wait("the agent", self.agents)
        self.expect(subscriber, lambda: self.set_reduced_motion(1), "reduce-motion:agent")
        self.expect(subscriber, lambda: self.set_reduced_motion(0))
        self.expect(subscriber, lambda: self.set_reduced_motion(1), "reduce-motion:agent")
        # Its end clears its report, and the log has a line.
        self.expect(subscriber, lambda: self.machine.stop(agent))
        self.assertEqual(self.machine.log().count("the agent of user"), 1)
        self.assertEqual(self.agents(), [])

    def test_portal_of_version_2(self):
        self.follow(2)

    def test_portal_of_version_1(self):
        self.follow(1)

    def test_a_restarted_daemon_gets_every_report_again(self):
        self.begin()
        self.machine.start_portal(2, *REDUCED)
        self.start_agent()
        self.subscribe().wait_gate("reduce-motion:agent")
        self.machine.stop(self.daemon)
        # Its socket is still there, as after a crash.
        self.start_parallaxd()
        wait("the daemon", lambda: self.machine.log().count("listening") > 0)
        self.subscribe().wait_gate("reduce-motion:agent")

    def test_a_killed_session_bus_holds_until_it_answers_again(self):
        self.begin()
        self.machine.start_portal(2, *REDUCED)
        self.start_agent()
        subscriber = self.subscribe()
        subscriber.wait_gate("reduce-motion:agent")
        self.machine.session.kill()
        time.sleep(0.5)
        self.assertTrue(subscriber.gates.empty())
        self.machine.session.start()
        self.assertEqual(subscriber.gate()[1], [])
        self.machine.start_portal(2, *REDUCED)
        subscriber.wait_gate("reduce-motion:agent")

    def test_a_bus_that_never_answers_delays_nothing(self):
        self.begin(session=MuteBus)
        self.start_agent()
        subscriber = self.subscribe()
        no_reports = [{"uid": os.getuid(), "reduce_motion": False}]
        wait("the agent", lambda: self.agents() == no_reports)
        wait("motion", lambda: len(subscriber.offsets) > 30)

    @unittest.skipUnless(os.getuid() == 0, "acts as two users, so it needs root")
    def test_two_users_get_different_gains(self):
        self.begin("socket.access=all")
        os.chmod(self.machine.folder, 0o755)
        # daemon and bin: a bus admits only users with an account.
        users = [1, 2]
        sessions = []
        for user, setting in zip(users, (REDUCED, NOT_REDUCED)):
            session = Bus(self.machine.folder, "session-%d" % user)
            self.addCleanup(session.kill)
            self.machine.start_portal(2, *setting, session=session)
            self.start_agent(session, user)
            sessions.append(session)
        wait("both agents", lambda: len(self.agents()) == 2)
        reduced, moving = [self.subscribe(user) for user in users]
        self.assertEqual(reduced.gate()[1], ["reduce-motion:agent"])
        self.assertEqual(moving.gate()[1], [])
        wait("motion for the second user", lambda: len(moving.offsets) > 30)
        self.assertTrue(all(x == y == 0 for _, x, y in reduced.offsets))
        self.expect(reduced, lambda: self.set_reduced_motion(0, sessions[0]))
        self.expect(moving, lambda: self.set_reduced_motion(1, sessions[1]), "reduce-motion:agent")
        count = len(reduced.offsets)
        wait("motion for the first user", lambda: len(reduced.offsets) > count + 30)
        self.assertTrue(reduced.gates.empty() and moving.gates.empty())
