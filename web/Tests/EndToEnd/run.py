# SPDX-License-Identifier: Apache-2.0
"""run.py [--folder FOLDER] [--counts FILE] [NAME...]: runs these tests, or all in a folder (default: this one), and
prints the counts."""
import argparse
import os
import subprocess
import sys
import unittest

FOLDER = os.path.dirname(os.path.abspath(__file__))
CHECK_SKIPS = os.path.join(FOLDER, "../../../scripts/check-skips")

loader = unittest.defaultTestLoader
options = argparse.ArgumentParser()
options.add_argument("--folder", default=FOLDER, help="folder of the tests")
options.add_argument("--counts", metavar="FILE", help="file to write the counts to")
options.add_argument("names", metavar="NAME", nargs="*", help="such as test_server.ServerTests")
given = options.parse_args()
names = given.names
folder = os.path.abspath(given.folder)
sys.path.insert(0, folder)
tests = loader.loadTestsFromNames(names) if names else loader.discover(folder)
result = unittest.TextTestRunner(stream=sys.stderr, verbosity=2).run(tests)

skips = "".join("%s\t%s\n" % (test.id(), reason) for test, reason in result.skipped)
allowed = subprocess.run([CHECK_SKIPS], input=skips, text=True).returncode == 0
failed = len(result.failures) + len(result.errors)
skipped = len(result.skipped)
counts = "test-%s: %d passed, %d failed, %d skipped" % (
    "web-end-to-end" if folder == FOLDER else os.path.basename(folder), result.testsRun - failed - skipped, failed,
    skipped)
print(counts)
if given.counts:
    with open(given.counts, "w") as file:
        file.write(counts + "\n")
sys.exit(failed > 0 or result.testsRun == 0 or not allowed)
