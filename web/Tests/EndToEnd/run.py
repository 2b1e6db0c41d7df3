"""All tests of this folder, or those that are named; the counts on the last line of standard output."""
import os
import sys
import unittest

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, FOLDER)
loader = unittest.defaultTestLoader
tests = loader.loadTestsFromNames(sys.argv[1:]) if sys.argv[1:] else loader.discover(FOLDER)
result = unittest.TextTestRunner(stream=sys.stderr, verbosity=2).run(tests)
for test, reason in result.skipped:
    print("test-web: skipped %s: %s" % (test.id(), reason))
failed = len(result.failures) + len(result.errors)
skipped = len(result.skipped)
print("%d passed, %d failed, %d skipped" % (
    result.testsRun - failed - skipped, failed, skipped))
sys.exit(failed > 0 or result.testsRun == 0 or (skipped > 0 and os.environ.get("CI") == "true"))
