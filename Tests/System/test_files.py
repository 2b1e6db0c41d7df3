# SPDX-License-Identifier: Apache-2.0
"""The files that parallaxd creates, writes, changes or removes, as strace sees them. Prints a table for each
source; no other file may appear in it."""
import os
import re
import signal
import subprocess
import unittest

import gi
gi.require_version("UMockdev", "1.0")
from gi.repository import UMockdev  # noqa: E402 (after the version is set)

from gyroscope import Gyroscope  # noqa: E402
from machine import PARALLAXD, Machine, wait  # noqa: E402

CALLS = ("open,openat,openat2,creat,truncate,ftruncate,mkdir,mkdirat,mknod,mknodat,rename,renameat,"
         "renameat2,link,linkat,symlink,symlinkat,unlink,unlinkat,rmdir,chmod,fchmod,fchmodat,chown,fchown,"
         "fchownat,utimensat,setxattr,fsetxattr,bind,kill,execve,connect,socket")

# What may be written, by its place: RUN is the folder of the sockets, STATE the state folder, DEVICE the
# gyroscope's folder in sysfs. Those of DEVICE are libiio's and the daemon's set-up of the buffer.
SOCKETS = {"RUN/parallax.sock", "RUN/control.sock", "RUN/parallax.sock.lock", "RUN/control.sock.lock", "RUN"}
STATE = {"STATE/bias", "STATE/bias.new"}
DEVICE = {"DEVICE/buffer/enable", "DEVICE/buffer/length", "DEVICE/buffer/watermark",
          "DEVICE/trigger/current_trigger", "DEVICE/sampling_frequency", "DEVICE/current_timestamp_clock",
          "DEVICE/scan_elements/in_anglvel_x_en", "DEVICE/scan_elements/in_anglvel_y_en",
          "DEVICE/scan_elements/in_anglvel_z_en", "/dev/iio:device0"}


class FileTests(unittest.TestCase):
    def setUp(self):
        self.testbed = UMockdev.Testbed.new()
        self.machine = Machine(devices=self.testbed)
        self.addCleanup(self.machine.close)
        self.runtime = os.path.join(self.machine.folder, "run")
        self.state = os.path.join(self.machine.folder, "state")
        os.mkdir(self.runtime)
        os.mkdir(self.state)
        self.socket = os.path.join(self.runtime, "parallax.sock")

    def trace(self, *settings, until):
        """Runs parallaxd under strace until a condition holds; returns what was written, and the calls."""
        output = os.path.join(self.machine.folder, "strace")
        command = ["strace", "-f", "-qq", "-y", "-s", "300", "-e", "trace=" + CALLS, "-o", output, PARALLAXD]
        for setting in ("socket.path=" + self.socket,) + settings:
            command += ["--set", setting]
        with open(os.path.join(self.machine.folder, "log"), "w") as log:
            process = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True,
                                       env=self.machine.environment(STATE_DIRECTORY=self.state))
        self.machine.processes.append(process)
        wait("parallaxd listens", lambda: "listening on" in self.machine.log(), 30)
        self.machine.folder, folder = self.runtime, self.machine.folder
        try:
            subscriber = self.machine.subscribe()
        finally:
            self.machine.folder = folder
        self.addCleanup(subscriber.close)
        wait("the end of the scenario: " + self.machine.log(), lambda: until(subscriber), 30)
        # strace would keep the signal for itself, so parallaxd gets it directly.
        children = "/proc/%d/task/%d/children" % (process.pid, process.pid)
        with open(children) as file:
            os.kill(int(file.read().split()[0]), signal.SIGTERM)
        self.assertEqual(process.wait(30), 0)
        self.machine.processes.remove(process)
        with open(output) as file:
            return self.written(file.read().split("\n"))

    def written(self, lines):
        found = {}
        for line in lines:
            call = re.match(r"\d+ +(\w+)\((.*)\) += (-?\d+)", line)
            if not call or int(call.group(3)) < 0:
                continue
            name, arguments = call.group(1), call.group(2)
            if name in ("open", "openat", "openat2"):
                if not re.search(r"O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|O_APPEND", arguments):
                    continue
            elif name in ("connect", "socket", "execve", "kill"):
                continue
            for path in re.findall(r'"((?:[^"\\]|\\.)*)"', arguments) or re.findall(r"<([^>]*)>", arguments):
                path = self.place(path)
                # Modes of sockets before they are bound; and udev's socket, which is umockdev's here.
                if not path.startswith("socket:") and not re.fullmatch(r"/event\d+", path):
                    found.setdefault(path, set()).add(name)
        return found

    def place(self, path):
        """The path with its temporary folders named."""
        root = self.testbed.get_root_dir()
        if path.startswith(root):
            path = path[len(root):]
        path = re.sub(r"^/sys/(bus/iio/devices|devices.*)/iio:device0", "DEVICE", path)
        path = re.sub(r"(STATE|state)/bias\.[A-Za-z0-9]+$", r"\1/bias.new", path)
        return path.replace(self.runtime, "RUN").replace(self.state, "STATE")

    def check(self, found, *allowed):
        allowed = set().union(*allowed, {"/dev/null"})
        surprising = {path: sorted(calls) for path, calls in found.items() if path not in allowed}
        self.assertEqual(surprising, {})
        print("\n%s" % self.id().split(".")[-1])
        for path in sorted(found):
            print("  %-44s %s" % (path, " ".join(sorted(found[path]))))

    def test_synthetic_motion_writes_only_the_sockets(self):
        found = self.trace("source.kind=synthetic", until=lambda one: len(one.offsets) > 20)
        self.assertIn("RUN/parallax.sock", found)
        self.check(found, SOCKETS)

    def test_a_trace_writes_only_the_sockets(self):
        path = os.path.join(self.machine.folder, "trace.csv")
        with open(path, "w") as file:
            file.write("t,x,y,z\n" + "".join("%.2f,0.1,0.2,0\n" % (row / 50) for row in range(100)))
        self.check(self.trace("source.kind=trace", "source.trace=" + path,
                              until=lambda one: len(one.offsets) > 20), SOCKETS)

    def test_a_gyroscope_writes_its_set_up_and_its_bias(self):
        gyroscope = Gyroscope(self.testbed, (50, 10, -20))
        self.addCleanup(gyroscope.close)

        def is_at_rest(subscriber):
            return any(x or y for _, x, y in subscriber.offsets) and subscriber.offsets[-1][1:] == (0, 0)

        found = self.trace("source.kind=iio", "motion.smoothing=none", "motion.scale=100", until=is_at_rest)
        self.assertIn("DEVICE/buffer/enable", found)
        self.assertIn("STATE/bias", found)
        self.check(found, SOCKETS, STATE, DEVICE)
