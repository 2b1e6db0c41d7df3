#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs every client against the table of offsets, a misbehaving server and the real daemon; prints a table.

    Tests/Conformance/run.py [--case NAME]... [CLIENT]...

Without names it runs all clients; those whose programs are missing are skipped, which CI refuses.
$PARALLAX_PROGRAMS is the folder of the programs (.build/debug). Exit code 1 if a case fails."""
import argparse
import os
import subprocess
import sys
import tempfile
import time
import traceback

import feed_cases  # noqa: F401 pylint: disable=unused-import
from cases import CASES
from clients import CLIENTS, ROOT


def run(client, function):
    """Returns None, or what failed."""
    with tempfile.TemporaryDirectory(prefix="plx") as folder:
        try:
            function(client, folder)
        except Exception as error:  # pylint: disable=broad-except
            place = traceback.extract_tb(error.__traceback__)
            line = next((entry for entry in reversed(place) if entry.filename.endswith("cases.py")), place[-1])
            return "%s:%d: %s" % (
                os.path.basename(line.filename), line.lineno, str(error) or type(error).__name__)
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--case", action="append", metavar="NAME", help="run only this case; repeatable")
    parser.add_argument("clients", nargs="*", metavar="CLIENT", help=", ".join(client.name for client in CLIENTS))
    options = parser.parse_args()
    unknown = set(options.clients) - {client.name for client in CLIENTS}
    if unknown:
        parser.error("unknown client: %s" % ", ".join(sorted(unknown)))
    chosen = [client for client in CLIENTS if not options.clients or client.name in options.clients]
    passed = failed = skipped = 0
    failures, rows = [], {}
    for client in chosen:
        reason = client.missing()
        if reason is None and client.build is not None:
            result = subprocess.run(client.build, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                    universal_newlines=True, check=False)
            if result.returncode != 0:
                failed += 1
                failures.append("%s: %s\n%s" % (client.name, " ".join(client.build), result.stdout[-2000:]))
                continue
        if reason is not None:
            print("%s: SKIPPED: %s" % (client.name, reason))
            skipped += 1
            continue
        start = time.monotonic()
        for name, function, needs in CASES:
            if options.case and name not in options.case:
                continue
            if needs and not client.has(needs):
                rows.setdefault(name, {})[client.name] = "-"
                continue
            error = run(client, function)
            rows.setdefault(name, {})[client.name] = "ok" if error is None else "FAIL"
            if error is None:
                passed += 1
            else:
                failed += 1
                failures.append("%s: %s: FAIL: %s" % (client.name, name, error))
                print(failures[-1][:1500], flush=True)
        print("%s: %.0f s" % (client.name, time.monotonic() - start), flush=True)
    names = [client.name for client in chosen if any(client.name in row for row in rows.values())]
    width = max(10, *[len(name) + 2 for name in names]) if names else 10
    print("\n" + "%-12s" % "case" + "".join(name.rjust(width) for name in names))
    for name, row in rows.items():
        print("%-12s" % name + "".join(row.get(client, "").rjust(width) for client in names))
    if failures:
        print("\n" + "\n".join(failure[:3000] for failure in failures))
    print("\ntest-clients: %d passed, %d failed, %d skipped" % (passed, failed, skipped))
    return 1 if failed or (skipped and os.environ.get("CI") == "true") else 0


if __name__ == "__main__":
    sys.exit(main())
