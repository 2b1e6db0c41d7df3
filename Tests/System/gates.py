"""What the tests of the gate's sources have in common; each makes its machine in setUp."""
import time
import unittest


class GateTestCase(unittest.TestCase):
    machine = None

    def begin(self, *settings):
        """Starts parallaxd; gives a subscriber."""
        self.machine.start_parallaxd(*settings)
        subscriber = self.machine.subscribe()
        self.addCleanup(subscriber.close)
        return subscriber

    def expect(self, subscriber, change, *reasons):
        """The change shows in GATE within a second, and in nothing else before."""
        before = time.monotonic()
        change()
        now, found = subscriber.gate()
        self.assertEqual(found, list(reasons))
        self.assertLess(now - before, 1)
