# SPDX-License-Identifier: Apache-2.0
"""The base class for tests of gate reasons; each test creates its machine in setUp."""
import time
import unittest

from machine import PROMPT


class GateTestCase(unittest.TestCase):
    machine = None

    def begin(self, *settings):
        """Starts parallaxd and returns a subscriber."""
        self.machine.start_parallaxd(*settings)
        subscriber = self.machine.subscribe()
        self.addCleanup(subscriber.close)
        return subscriber

    def expect(self, subscriber, change, *reasons):
        """Makes a change; the next GATE comes at once and has these reasons."""
        before = time.monotonic()
        change()
        now, found = subscriber.gate()
        self.assertEqual(found, list(reasons))
        self.assertLess(now - before, PROMPT)
