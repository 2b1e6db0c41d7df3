# SPDX-License-Identifier: Apache-2.0
"""The tools on a terminal: the progress of a recording, and the calibration. And in a locale whose
decimal separator is a comma."""
import json
import math
import os
import pty
import select
import signal
import subprocess
import threading
import time
import unittest

from machine import PARALLAXD, Machine, wait

PARALLAX = os.environ.get("PARALLAX") or os.path.join(os.path.dirname(PARALLAXD), "parallax")


class Terminal:
    """A program on a terminal of its own."""

    def __init__(self, command, environment):
        self.process, self.descriptor = pty.fork()
        if self.process == 0:
            os.execvpe(command[0], command, environment)
        self.text = ""

    def read(self, seconds):
        """Reads until the program has ended; returns its exit code."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if not select.select([self.descriptor], [], [], 0.1)[0]:
                continue
            try:
                data = os.read(self.descriptor, 4096)
            except OSError:  # EIO: the other end is closed
                data = b""
            if not data:
                return os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])
            self.text += data.decode()
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)
        raise AssertionError("not within %d s; it printed:\n%s" % (seconds, self.text))

    def close(self):
        os.close(self.descriptor)


def turns(*moves):
    """A recording at 100 Hz: rests of 1.6 s and between them quarter turns, each about an axis (0 to 2)."""
    lines = ["# rate: 100", "t,x,y,z"]
    for move in [None] + [part for move in moves for part in (move, None)]:
        for step in range(160 if move is None else 100):
            rate = [0.0, 0.0, 0.0]
            if move is not None:
                axis, sign = move
                # A quarter turn in a second, with a smooth start and end.
                rate[axis] = sign * math.pi / 2 * (1 - math.cos(2 * math.pi * step / 100))
            lines.append("%.2f,%.5f,%.5f,%.5f" % (len(lines) * 0.01, *rate))
    return "\n".join(lines) + "\n"


class TerminalTests(unittest.TestCase):
    def setUp(self):
        self.machine = Machine()
        self.addCleanup(self.machine.close)
        self.control = os.path.join(self.machine.folder, "control.sock")

    def on_terminal(self, *arguments, seconds=60):
        terminal = Terminal([PARALLAX] + list(arguments), self.machine.environment(TERM="xterm"))
        self.addCleanup(terminal.close)
        return terminal.read(seconds), terminal.text

    def test_the_progress_of_a_recording_is_one_line_that_is_cleared(self):
        self.machine.start_parallaxd()
        path = os.path.join(self.machine.folder, "r.csv")
        code, text = self.on_terminal(
            "record", "--control", self.control, "--duration", "1.5", "-o", path)
        self.assertEqual(code, 0, text)
        progress = [part for part in text.split("\r\x1b[K") if part.startswith("record: ")]
        self.assertGreaterEqual(len(progress), 2, text)
        self.assertRegex(progress[-1], r"^record: [0-9.]+ of 1\.5 s, [0-9]+ samples(, [0-9.]+ Hz)?$")
        # Cleared at the end; what follows is the closing note, or nothing.
        self.assertNotIn("record: ", text[text.rindex("\r\x1b[K"):])
        with open(path) as file:
            self.assertGreater(len(file.readlines()), 40)

    def test_the_progress_of_a_long_replay_is_one_line_that_is_cleared(self):
        pipe = os.path.join(self.machine.folder, "pipe")
        output = os.path.join(self.machine.folder, "offsets.csv")
        os.mkfifo(pipe)

        def write():
            with open(pipe, "w") as file:
                file.write("t,x,y,z\n")
                for block in range(20):
                    for row in range(20_000):
                        file.write("%.3f,0.1,0.2,0.3\n" % ((block * 20_000 + row) / 1000))
                    time.sleep(0.1)

        writer = threading.Thread(target=write)
        writer.start()
        self.addCleanup(writer.join)
        code, text = self.on_terminal("replay", pipe, "-o", output)
        self.assertEqual(code, 0, text)
        progress = [part for part in text.split("\r\x1b[K") if part.startswith("replay: ")]
        self.assertGreaterEqual(len(progress), 2, text)
        self.assertRegex(progress[-1], r"^replay: [0-9]+ MB, [0-9]+ MB/s$")
        self.assertTrue(text.endswith("\r\x1b[K"), text)
        with open(output) as file:
            # 400 s at 30 Hz
            self.assertAlmostEqual(len(file.readlines()), 12_000, delta=50)

    def test_the_calibration_finds_a_turned_gyroscope(self):
        # The device stands up about x, rises at its left edge about y and turns left about z. This
        # sensor is mounted a quarter turn about z: its y is the device's x, its -x the device's y.
        path = os.path.join(self.machine.folder, "turns.csv")
        with open(path, "w") as file:
            file.write(turns((1, 1), (1, -1), (0, -1), (0, 1), (2, 1)))
        self.machine.start_parallaxd("source.kind=trace", "source.trace=" + path)
        code, text = self.on_terminal("doctor", "--calibrate", "--control", self.control)
        self.assertEqual(code, 0, text)
        self.assertIn("1 of 3: ", text)
        self.assertIn("3 of 3: ", text)
        self.assertEqual(text.count("   90 degrees"), 3, text)
        self.assertIn('mount-matrix = "0,1,0;-1,0,0;0,0,1"', text)

    def test_the_calibration_refuses_a_pipe(self):
        result = subprocess.run([PARALLAX, "doctor", "--calibrate"], capture_output=True, text=True,
                                stdin=subprocess.DEVNULL)
        self.assertEqual(result.returncode, 64)
        self.assertIn("interactive", result.stderr)


class LocaleTests(unittest.TestCase):
    """de_DE writes 1,5 for 1.5. All numbers here have points, whatever the locale."""

    def setUp(self):
        self.machine = Machine()
        self.addCleanup(self.machine.close)
        locales = os.path.join(self.machine.folder, "locales")
        os.mkdir(locales)
        subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", os.path.join(locales, "de_DE.UTF-8")],
                       check=True, stderr=subprocess.DEVNULL)
        self.german = dict(LC_ALL="de_DE.UTF-8", LANG="de_DE.UTF-8", LOCPATH=locales)
        # The locale works: printf's own decimal separator is a comma.
        printed = subprocess.run(["/usr/bin/printf", "%.1f", "1,5"], env=self.german, capture_output=True,
                                 text=True)
        self.assertEqual(printed.stdout, "1,5")
        self.trace = os.path.join(self.machine.folder, "turns.csv")
        with open(self.trace, "w") as file:
            file.write(turns((1, 1), (0, -1)))

    def run_both(self, *command):
        """Returns what a program prints in C's and in the German locale, both on standard output."""
        outputs = []
        for variables in ({"LC_ALL": "C"}, self.german):
            result = subprocess.run([PARALLAX] + list(command), capture_output=True, text=True,
                                    env=self.machine.environment(**variables))
            self.assertEqual(result.returncode, 0, result.stderr)
            outputs.append(result.stdout)
        return outputs

    def test_the_tool_reads_and_writes_points(self):
        for command in (
                ["replay", self.trace, "--scale", "7.5", "--smoothing", "one-euro:1.5,0.2"],
                ["replay", self.trace, "--format", "ndjson", "--layers", "near=0.5"],
                ["config", "show", "--set", "motion.scale=2.5"],
                ["preview", "--duration", "0.5", os.path.join(
                    os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))),
                    "examples/animations/nudge.json")]):
            plain, german = self.run_both(*command)
            self.assertTrue(plain)
            self.assertEqual(plain, german, command)

    def test_the_daemon_reads_and_writes_points(self):
        os.mkdir(os.path.join(self.machine.folder, "parallax"))
        with open(os.path.join(self.machine.folder, "parallax/parallax.toml"), "w") as file:
            file.write("[motion]\nscale = 1.5\nsmoothing = \"none\"\n")
        self.machine.start_parallaxd(
            "source.kind=trace", "source.trace=" + self.trace, "source.loop=true", **self.german)
        subscriber = self.machine.subscribe()
        self.addCleanup(subscriber.close)
        # Up to pi rad/s times 1.5 px per rad/s, not times 1 or 15.
        wait("motion", lambda: max([abs(x) for _, x, _ in subscriber.offsets], default=0) > 4.3)
        self.assertLess(max(abs(x) for _, x, _ in subscriber.offsets), 4.72)
        command = [PARALLAX, "status", "--json", "--control",
                   os.path.join(self.machine.folder, "control.sock")]
        result = subprocess.run(command, capture_output=True, text=True,
                                env=self.machine.environment(**self.german))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertGreater(json.loads(result.stdout)["uptime"], 0)
        code = subprocess.run([PARALLAX, "set", "scale", "2.5", "--control", command[-1]],
                              env=self.machine.environment(**self.german)).returncode
        self.assertEqual(code, 0)
