#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Tests/unittests.py FOLDER [NAME...]

Runs the tests in test_*.py of a folder with unittest and prints the counts. NAME is a module, a class or a
test, such as `test_power.PowerTests.test_the_kernel_alone`; without names all tests run. With CI=true, a skip
is a failure.
"""
import os
import sys
import unittest

sys.dont_write_bytecode = True
folder, names = os.path.abspath(sys.argv[1]), sys.argv[2:]
sys.path.insert(0, folder)
loader = unittest.defaultTestLoader
tests = loader.loadTestsFromNames(names) if names else loader.discover(folder)
result = unittest.TextTestRunner(stream=sys.stderr, verbosity=2).run(tests)
failed = len(result.failures) + len(result.errors)
skipped = len(result.skipped)
print("test-%s: %d passed, %d failed, %d skipped" % (
    os.path.basename(folder).lower(), result.testsRun - failed - skipped, failed, skipped))
sys.exit(failed > 0 or result.testsRun == 0 or (skipped > 0 and os.environ.get("CI") == "true"))
