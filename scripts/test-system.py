#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/test-system.py [NAME...]

Runs parallaxd with the real power-profiles-daemon, upowerd and iio-sensor-proxy and with mock portals,
each test on private buses (Tests/System). NAME is a test such as `test_power` or
`test_power.PowerTests.test_the_kernel_alone`; without names all tests run. Prints the counts. With
CI=true a skipped test is an error unless Tests/allowed-skips lists it.
"""
import os
import subprocess
import sys
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TESTS = os.path.join(ROOT, "Tests/System")
CHECK_SKIPS = os.path.join(ROOT, "scripts/check-skips")
PRELOADED = "libumockdev-preload.so.0"

# The programs under test see the mock devices through this library. It has to be loaded first.
if PRELOADED not in os.environ.get("LD_PRELOAD", ""):
    os.execvp("umockdev-wrapper", ["umockdev-wrapper", sys.executable] + sys.argv)

sys.dont_write_bytecode = True
sys.path.insert(0, TESTS)
loader = unittest.defaultTestLoader
names = sys.argv[1:]
tests = loader.loadTestsFromNames(names) if names else loader.discover(TESTS)
result = unittest.TextTestRunner(stream=sys.stderr, verbosity=2).run(tests)

skips = "".join("%s\t%s\n" % (test.id(), reason) for test, reason in result.skipped)
allowed = subprocess.run([CHECK_SKIPS], input=skips, text=True).returncode == 0
failed = len(result.failures) + len(result.errors)
skipped = len(result.skipped)
counts = "test-system: %d passed, %d failed, %d skipped" % (
    result.testsRun - failed - skipped, failed, skipped)
print(counts)
with open(os.path.join(ROOT, ".build/test-system-counts"), "w") as file:
    file.write(counts + "\n")
sys.exit(failed > 0 or result.testsRun == 0 or not allowed)
