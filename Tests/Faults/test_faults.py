# SPDX-License-Identifier: Apache-2.0
"""A fault, its place, and what becomes visible: a message, an exit code, the recovery. Each test adds its
rows to the table that is printed at the end."""
import errno
import os
import signal
import subprocess
import unittest

from faults import FOREVER, LIBRARY, SHORT, Lines, Machine, name

TABLE = []


def setUpModule():  # pylint: disable=invalid-name (unittest's)
    source = os.path.join(os.path.dirname(LIBRARY), "../Tests/Faults/faults.c")
    subprocess.run(["cc", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-O1", "-o", LIBRARY, source], check=True)


def tearDownModule():  # pylint: disable=invalid-name (unittest's)
    widths = [max([len(row[i]) for row in TABLE] + [0]) for i in range(2)]
    for row in sorted(TABLE, key=lambda row: row[1]):
        print("%-*s  %-*s  %s" % (widths[0], row[0], widths[1], row[1], row[2]))


CONFIG = '[source]\nkind = "synthetic:3"\n[motion]\nscale = "7,-7"\n'
TRACE = "# rate: 100\nt,x,y,z\n" + "".join("%d.%02d,0.%d,0,-0.%d\n" % (i // 100, i % 100, i % 10, i % 7) for i in range(400))


class FaultTestCase(unittest.TestCase):
    def setUp(self):
        self.machine = Machine()
        self.addCleanup(self.machine.close)
        self.schedule = self.machine.schedule

    def row(self, fault, place, result):
        TABLE.append((fault, place, result))

    def expect_service(self):
        """A new client gets its greeting, an offset and a status."""
        stream = Lines(self.machine.stream)
        self.addCleanup(stream.close)
        self.assertEqual(stream.next()["class"], "VERSION")
        self.assertIsNotNone(stream.offset())
        control = Lines(self.machine.control)
        self.addCleanup(control.close)
        self.assertEqual(control.ask(**{"class": "STATUS", "tag": 1})["class"], "STATUS")


class StartTests(FaultTestCase):
    """parallaxd with a fault at its start: one line, an exit code, no socket left."""

    def expect_refusal(self, function, result, code, message, path=""):
        count = self.schedule.set(function, result, path=path)
        config = self.machine.file("parallax.toml", CONFIG)
        self.machine.launch("--config", config)
        self.assertEqual(self.machine.daemon.wait(20), code, self.machine.log())
        self.assertGreater(count(), 0, "the fault did not take place")
        lines = self.machine.log().splitlines()
        self.assertEqual(len(lines), 1, lines)
        self.assertIn(message, lines[0])
        self.assertFalse(os.path.exists(self.machine.control))
        self.row(name(result), function + (" of " + path if path else "") + ", at the start",
                 "exit %d: %s" % (code, lines[0].replace(self.machine.folder.name, "...")))
        # The next start succeeds.
        self.schedule.clear()
        os.remove(self.machine.log_path)
        self.machine.start("--config", config)
        self.expect_service()

    def test_configuration_cannot_be_opened(self):
        for result, code in ((errno.EMFILE, 78), (errno.ENOMEM, 78)):
            with self.subTest(name(result)):
                self.setUp()
                self.expect_refusal("open", result, 74, os.strerror(result), path="parallax.toml")

    def test_configuration_cannot_be_read(self):
        self.expect_refusal("read", errno.EIO, 74, "Input/output error", path="parallax.toml")

    def test_no_event_loop(self):
        self.expect_refusal("epoll_create1", errno.EMFILE, 71, "Too many open files")

    def test_no_timer(self):
        self.expect_refusal("timerfd_create", errno.ENOMEM, 71, "Cannot allocate memory")

    def test_no_socket(self):
        self.expect_refusal("socket", errno.EMFILE, 73, "Too many open files")

    def test_interrupted_and_short_reads_of_the_configuration(self):
        self.schedule.set("read", errno.EINTR, first=1, count=3, path="parallax.toml")
        short = self.schedule.set("read", SHORT, path="parallax.toml")
        self.machine.start("--config", self.machine.file("parallax.toml", CONFIG))
        self.assertGreater(short(), 50)
        self.expect_service()
        self.row("EINTR, one byte", "read of the configuration", "read as a whole; starts")


class ClientTests(FaultTestCase):
    """parallaxd while it serves."""

    def test_short_and_interrupted_transfers(self):
        self.machine.start()
        for function in ("send", "recv"):
            with self.subTest(function):
                interrupted = self.schedule.set(function, errno.EINTR, first=2, count=2)
                short = self.schedule.set(function, SHORT, count=4000)
                self.expect_service()
                self.assertEqual(interrupted(), 2)
                self.assertGreater(short(), 20)
                self.schedule.clear()
                self.expect_service()
                self.row("EINTR, one byte", function, "every line is whole")

    def test_a_failed_transfer_ends_only_its_connection(self):
        self.machine.start()
        other = Lines(self.machine.stream)
        self.addCleanup(other.close)
        self.assertIsNotNone(other.offset())
        for function, result in (
                ("recv", errno.ENOMEM), ("recv", errno.ECONNRESET), ("send", errno.ENOMEM),
                ("send", errno.ENOBUFS), ("send", errno.EPIPE)):
            with self.subTest(function + " " + name(result)):
                client = Lines(self.machine.control)
                self.assertEqual(client.ask(**{"class": "STATUS", "tag": 1})["class"], "STATUS")
                # The other subscriber's lines are sent, too, so only one call fails.
                count = self.schedule.set(function, result, count=1)
                for _ in range(200):
                    client.send(**{"class": "STATUS"})
                    if client.next() is None or count():
                        break
                self.assertEqual(count(), 1)
                client.close()
                self.schedule.clear()
                self.expect_service()
                self.row(name(result), function, "one connection ends; the others are served")

    def test_connections_that_cannot_be_accepted(self):
        self.machine.start()
        for result in (errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ECONNABORTED, errno.EINTR):
            with self.subTest(name(result)):
                size = len(self.machine.log())
                count = self.schedule.set("accept4", result, count=40)
                clients = [Lines(self.machine.stream) for _ in range(3)]
                # Those that were accepted before it failed are served; the daemon does not spin.
                self.schedule_ends(count)
                self.expect_service()
                for client in clients:
                    client.close()
                lines = self.machine.log()[size:].count("\n")
                self.assertLess(lines, 100, "one line per connection")
                self.schedule.clear()
                self.row(name(result), "accept4, 40 times", "serves again; %s" % (
                    "logged" if lines else "nothing to log"))

    def schedule_ends(self, count):
        """Connects until the fault has taken place."""
        for _ in range(200):
            if count():
                return
            Lines(self.machine.stream).close()
        self.fail("the fault did not take place")

    def test_reload_of_a_configuration_that_cannot_be_read(self):
        config = self.machine.file("parallax.toml", CONFIG)
        self.machine.start("--config", config)
        control = Lines(self.machine.control)
        self.addCleanup(control.close)
        for function, result in (("open", errno.EMFILE), ("read", errno.EIO)):
            with self.subTest(function):
                self.schedule.set(function, result, path="parallax.toml")
                answer = control.ask(**{"class": "RELOAD"})
                self.assertEqual(answer["class"], "ERROR")
                self.assertEqual(answer["code"], "bad-configuration")
                self.assertIn(os.strerror(result), answer["message"])
                self.schedule.clear()
                self.assertEqual(control.ask(**{"class": "RELOAD"})["class"], "ACK")
                self.row(name(result), function + " of the configuration, RELOAD",
                         "ERROR bad-configuration; nothing changes; the next RELOAD succeeds")

    def test_log_that_cannot_be_written(self):
        self.machine.start()
        for result in (errno.ENOSPC, errno.EIO, errno.EINTR, SHORT):
            with self.subTest(name(result)):
                self.schedule.set("write", result, path="log", count=FOREVER if result != errno.EINTR else 5)
                self.machine.daemon.send_signal(signal.SIGHUP)
                self.expect_service()
                self.schedule.clear()
                self.row(name(result), "write of the log", "the daemon goes on")

    def test_trace_that_cannot_be_read(self):
        path = self.machine.file("walk.csv", TRACE)
        count = self.schedule.set("read", errno.EIO, first=2, path="walk.csv")
        self.machine.start("--set", "source.trace=" + path, source="trace")
        stream = Lines(self.machine.stream)
        self.addCleanup(stream.close)
        device = stream.next(
            lambda line: line["class"] == "DEVICE" and line["state"] in ("ended", "lost", "none"))
        self.assertGreater(count(), 0)
        self.assertIn("Input/output error", device.get("reason", "") + self.machine.log())
        self.row("EIO", "read of a trace", "DEVICE %s: %s" % (
            device["state"], device.get("reason", "").replace(self.machine.folder.name, "...")))

    def test_no_memory(self):
        """Swift ends a program without memory, with SIGSEGV if its message fails, too."""
        self.machine.start()
        self.expect_service()
        self.schedule.set("malloc", errno.ENOMEM)
        client = Lines(self.machine.control)
        self.addCleanup(client.close)
        client.send(**{"class": "STATUS"})
        code = self.machine.daemon.wait(20)
        self.assertLess(code, 0, "ends by a signal")
        self.schedule.clear()
        self.machine.start()
        self.expect_service()
        self.row("ENOMEM", "malloc, while it serves",
                 "ends by %s; the next start replaces the sockets" % signal.Signals(-code).name)


class ToolTests(FaultTestCase):
    """The tools' files and output."""

    def replay(self):
        return self.machine.run("parallax", "replay", self.path)

    def setUp(self):
        super().setUp()
        self.path = self.machine.file("walk.csv", TRACE)

    def test_replay_of_short_and_interrupted_reads(self):
        whole = self.replay()
        self.assertEqual(whole.returncode, 0, whole.stderr)
        for function, path in (("read", "walk.csv"), ("write", "pipe:")):
            with self.subTest(function):
                self.schedule.set(function, errno.EINTR, first=1, count=2, path=path)
                short = self.schedule.set(function, SHORT, count=2000, path=path)
                again = self.replay()
                self.assertGreater(short(), 100)
                self.assertEqual(again.stdout, whole.stdout)
                self.assertEqual(again.returncode, 0, again.stderr)
                self.schedule.clear()
                self.row("EINTR, one byte", function + ", parallax replay", "the same bytes")

    def test_replay_that_cannot_read(self):
        for function, result in (("read", errno.EIO), ("open", errno.EMFILE)):
            with self.subTest(function):
                count = self.schedule.set(function, result, path="walk.csv")
                found = self.replay()
                self.assertGreater(count(), 0)
                self.expect_failure(found, 74, os.strerror(result), name(result), function)

    def test_replay_that_cannot_write(self):
        for result, code, text in (
                (errno.ENOSPC, 74, "the disk is full"), (errno.EIO, 74, "Input/output error")):
            with self.subTest(name(result)):
                path = os.path.join(self.machine.folder.name, "offsets.csv")
                count = self.schedule.set("write", result, path=self.machine.folder.name)
                found = self.machine.run("parallax", "replay", self.path, "-o", path)
                self.assertGreater(count(), 0, found.stderr)
                self.expect_failure(found, code, text, name(result), "write")

    def expect_failure(self, found, code, message, fault, function):
        text = found.stderr.decode()
        self.assertEqual(found.returncode, code, text)
        self.assertIn(message, text)
        self.assertEqual(text.count("\n"), 1, text)
        self.schedule.clear()
        self.row(fault, function + ", parallax replay", "exit %d: %s" % (
            code, text.strip().replace(self.machine.folder.name, "...")))

    def test_recording_on_a_full_disk(self):
        self.machine.start()
        target = os.path.join(self.machine.folder.name, "new.csv")
        count = self.schedule.set("write", errno.ENOSPC, path="new.csv")
        self.machine.environment["PARALLAX_CONTROL"] = self.machine.control
        found = self.machine.run("parallax", "record", "--output", target, "--duration", "1")
        text = found.stderr.decode()
        self.assertGreater(count(), 0, text)
        self.assertEqual(found.returncode, 74, text)
        self.assertIn("the disk is full", text)
        self.schedule.clear()
        self.expect_service()
        self.row("ENOSPC", "write, parallax record", "exit 74: %s" % (
            text.strip().splitlines()[-1].replace(self.machine.folder.name, "...")))
