#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests/VirtualMachine/run.py [NAME...]

Boots the virtual machine of Tests/VirtualMachine/Harness with the release programs. In it the
kernel's own driver has a gyroscope that can be moved, unplugged and muted. Prints one line per check and
the counts. NAME is a scenario, Tests/VirtualMachine/NAME.sh and NAME.py; without names all scenarios
run. The output of a scenario stays in .build-vm/out/NAME.
"""
import glob
import hashlib
import importlib
import os
import platform
import shutil
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SCENARIOS = os.path.join(ROOT, "Tests/VirtualMachine")
HARNESS = os.path.join(SCENARIOS, "Harness")
BUILD = os.path.join(ROOT, ".build-vm")
MACHINE = os.path.join(BUILD, "machine")
FILES = os.path.join(BUILD, "files")
ORDER = ["turns", "life", "polled", "kinds", "pads", "service", "motion", "single", "sessions", "package"]
# Scenarios with systemd as the first process. In "package", the script installs parallax itself.
WITH_SYSTEMD = ["service", "motion", "single", "sessions", "package"]
MAX_SECONDS = 240
MAX_SECONDS_WITH_SYSTEMD = 480
# Most of it is dpkg's: its scripts start many programs, each of which takes up to 0.3 s here.
MAX_SECONDS_WITH_DPKG = 900

sys.dont_write_bytecode = True
from checks import Checks  # noqa: E402


def note(text):
    print("test-vm: " + text, file=sys.stderr, flush=True)


def refuse(text):
    note(text)
    sys.exit(69)


def run(command, **options):
    if subprocess.run(command, **options).returncode != 0:
        refuse("failed: " + " ".join(command))


def prepare_machine():
    """Prepares the machine on the first run, and again when its sources have changed."""
    digest = hashlib.sha256()
    for folder, folders, names in os.walk(HARNESS):
        folders.sort()
        for name in sorted(names):
            with open(os.path.join(folder, name), "rb") as file:
                digest.update(name.encode() + b"\0" + file.read())
    stamp = os.path.join(MACHINE, "made-of")
    if os.path.exists(stamp):
        with open(stamp) as file:
            if file.read() == digest.hexdigest():
                return
    note("preparing the machine in .build-vm (downloads a kernel)")
    shutil.rmtree(MACHINE, ignore_errors=True)
    os.makedirs(MACHINE)
    done = subprocess.run(
        ["bash", os.path.join(HARNESS, "setup.sh"), MACHINE], text=True, errors="replace",
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        refuse("preparing the machine failed (it may need apt-get update first):\n" + done.stdout)
    with open(stamp, "w") as file:
        file.write(digest.hexdigest())


def prepare_programs():
    run([os.path.join(ROOT, "scripts/release")])
    shutil.rmtree(FILES, ignore_errors=True)
    os.makedirs(FILES)
    for name in "parallax", "parallaxd":
        shutil.copy(os.path.join(ROOT, ".build/release", name), FILES)
    shutil.copy(os.path.join(SCENARIOS, "guest.sh"), FILES)
    run(["make", "--no-print-directory", "-C", ROOT, "install", "PREFIX=/usr",
         "DESTDIR=" + os.path.join(FILES, "installed")], stdout=subprocess.DEVNULL)
    for name, libraries in ("client", ["-lm"]), ("probe", []), ("reader", ["-liio"]):
        run(["cc", "-O2", "-Wall", "-Wextra", "-Werror", "-o", os.path.join(FILES, name),
             os.path.join(SCENARIOS, name + ".c")] + libraries)


def prepare_packages():
    """The package parallax in two versions, old.deb and new.deb."""
    environment = dict(os.environ, WEB_PROGRAMS="", DESKTOP_PROGRAMS="", DEB_BUILD_OPTIONS="noautodbgsym")
    for name, arguments in ("old", []), ("new", ["9.0"]):
        run([os.path.join(ROOT, "scripts/deb")] + arguments, env=environment, stdout=subprocess.DEVNULL)
        package, = glob.glob(os.path.join(ROOT, ".build/deb/parallax_*.deb"))
        shutil.copy(package, os.path.join(FILES, name + ".deb"))


def run_scenario(name, checks):
    started = time.monotonic()
    out = os.path.join(BUILD, "out", name)
    shutil.rmtree(out, ignore_errors=True)
    os.makedirs(out)
    seconds, options = MAX_SECONDS, []
    if name in WITH_SYSTEMD:
        seconds, options = MAX_SECONDS_WITH_SYSTEMD, ["--systemd"]
    if name == "package":
        seconds = MAX_SECONDS_WITH_DPKG
    with open(os.path.join(out, "guest.txt"), "w") as log:
        code = subprocess.run(
            [os.path.join(MACHINE, "run-vm.sh")] + options
            + ["--timeout", str(seconds), "--out", out, os.path.join(SCENARIOS, name + ".sh"), FILES],
            stdout=log, stderr=log).returncode
    checks.equal("%s: exit code of the guest's script" % name, code, 0)
    try:
        importlib.import_module(name).check(out, os.path.join(FILES, "parallax"), checks)
    except Exception as error:  # The output of the scenario is incomplete.
        checks.that(False, name, "the check ended with %s: %s" % (type(error).__name__, error))
    note("%s took %.0f s; see .build-vm/out/%s" % (name, time.monotonic() - started, name))


def main():
    names = sys.argv[1:] or ORDER
    for name in names:
        if name not in ORDER:
            note("unknown scenario '%s'; the scenarios are %s" % (name, ", ".join(ORDER)))
            sys.exit(64)
    if platform.machine() != "x86_64":
        refuse("the virtual machine needs x86-64, and this machine is " + platform.machine())
    prepare_machine()
    prepare_programs()
    if "package" in names:
        prepare_packages()
    passed = failed = 0
    for name in names:
        checks = Checks()
        run_scenario(name, checks)
        passed, failed = passed + checks.passed, failed + checks.failed
    print("test-vm: %d passed, %d failed" % (passed, failed))
    sys.exit(1 if failed else 0)


main()
