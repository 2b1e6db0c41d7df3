# SPDX-License-Identifier: Apache-2.0
"""parallaxd with the provider and servers, good and bad: PLAY by id, without delays in the daemon."""
import json
import signal
import subprocess
import threading
import time
import unittest

from misbehaving import MisbehavingServer
from programs import NUDGE, PARALLAX, Control, Daemon, Folder, Provider, Server, wait

# The way in which the server misbehaves, and the daemon's message.
WAYS = [
    ("missing", "no such animation: missing ("),
    ("failing", "the server answered 500"),
    ("slow", "the server did not answer within 5 s"),
    ("huge", "the limit is 1048576"),
    ("html", "the content type is text/html; expected application/json"),
    ("broken", "invalid document: 1:"),
    ("loop", "redirect loop"),
    ("gone", "the server closed the connection too early"),
]
# Seconds. The daemon answers in less than a millisecond; this limit allows for a busy machine.
AT_ONCE = 0.1


class DaemonTests(unittest.TestCase):
    def setUp(self):
        self.folder = Folder()
        self.addCleanup(self.folder.remove)
        self.provider = Provider(self.folder)
        self.addCleanup(self.provider.kill)

    def daemon(self, base, *settings):
        daemon = Daemon(self.folder, "animations.url=" + base, *settings)
        self.addCleanup(daemon.kill)
        return daemon

    def misbehaving(self):
        server = MisbehavingServer()
        self.addCleanup(server.close)
        return server

    def connect(self, daemon):
        control = daemon.connect()
        self.addCleanup(control.close)
        return control

    def play(self, daemon, name):
        """Plays a document and returns the daemon's lines up to its end."""
        control = self.connect(daemon)
        control.send(**{"class": "PLAY", "id": name})
        lines = []
        while not lines or lines[-1]["class"] not in ["ERROR"] and \
                lines[-1].get("event") not in ["completed", "cancelled"]:
            lines.append(control.receive())
        return lines

    def test_a_document_from_a_server_plays(self):
        self.folder.write("documents/nudge.json", NUDGE)
        server = Server(self.folder, self.folder("documents"))
        self.addCleanup(server.kill)
        daemon = self.daemon(server.base)
        lines = self.play(daemon, "nudge")
        self.assertEqual(lines[0]["class"], "ACK")
        self.assertEqual(
            [(line["event"], line.get("position")) for line in lines[1:]],
            [("started", None), ("completed", "end")])
        self.assertIn("no such animation", self.play(daemon, "none")[0]["message"])
        # The same with the command.
        command = [PARALLAX, "play", "--control", daemon.control]
        done = subprocess.run(command + ["nudge"], capture_output=True, text=True, timeout=20)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        server.end()
        done = subprocess.run(command + ["nudge"], capture_output=True, text=True, timeout=20)
        self.assertEqual(done.returncode, 0)
        self.assertIn("using the copy checked", done.stderr)
        self.assertIn("Connection refused", done.stderr)
        done = subprocess.run(command + ["none"], capture_output=True, text=True, timeout=20)
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def test_the_folder_has_precedence(self):
        self.folder.write("documents/good.json", NUDGE)
        server = self.misbehaving()
        daemon = self.daemon(server.base, "animations.directory=" + self.folder("documents"))
        self.assertEqual(self.play(daemon, "good")[-1]["event"], "completed")
        self.assertEqual(server.requests, [])
        self.assertEqual(self.play(daemon, "untagged")[-1]["event"], "completed")
        self.assertEqual([path for path, _ in server.requests], ["/a/untagged.json"])

    def test_each_way_is_a_clear_error_without_delays(self):
        """All at once, during STATUS requests and a stream of frames."""
        server = self.misbehaving()
        daemon = self.daemon(server.base)
        answers = {}

        def play(way):
            answers[way] = self.play(daemon, way)

        threads = [threading.Thread(target=play, args=[way]) for way, _ in WAYS]
        frames = Frames(daemon.stream)
        self.addCleanup(frames.close)
        wait("frames", lambda: len(frames.gaps) > 10)
        del frames.gaps[:]
        control = self.connect(daemon)
        for thread in threads:
            thread.start()
        times = []
        while any(thread.is_alive() for thread in threads):
            began = time.monotonic()
            self.assertEqual(control.ask(**{"class": "STATUS"})["class"], "STATUS")
            times.append(time.monotonic() - began)
            time.sleep(0.005)
        for way, words in WAYS:
            self.assertEqual([line["class"] for line in answers[way]], ["ERROR"], way)
            self.assertIn(words, answers[way][0]["message"])
        print("STATUS %d times: worst %.1f ms; %d frames: longest gap %.1f ms" % (
            len(times), max(times) * 1000, len(frames.gaps), max(frames.gaps) * 1000))
        self.assertGreater(len(times), 100)
        self.assertLess(max(times), AT_ONCE)
        self.assertGreater(len(frames.gaps), 100)
        self.assertLess(max(frames.gaps), 0.033 + AT_ONCE)

    def test_the_cached_copy_plays_after_a_failure(self):
        server = self.misbehaving()
        daemon = self.daemon(server.base)
        for way, words in WAYS[1:]:
            server.ways["a-" + way] = "good"
            self.assertEqual(self.play(daemon, "a-" + way)[-1]["event"], "completed", way)
            server.ways["a-" + way] = way
            lines = self.play(daemon, "a-" + way)
            self.assertEqual(lines[-1].get("event"), "completed", lines)
            self.assertIn(words, json.dumps(lines[0]), "the answer has the reason")

    def test_a_valid_document_without_a_valid_animation(self):
        """The provider returns it; the daemon reports the error and its position."""
        self.folder.write("documents/odd.json", '{"parallax": 1, "animation": {"mvoe": {}}}')
        server = Server(self.folder, self.folder("documents"))
        self.addCleanup(server.kill)
        lines = self.play(self.daemon(server.base), "odd")
        self.assertEqual([line["class"] for line in lines], ["ERROR"])
        self.assertIn("odd.json: $.animation", lines[0]["message"])

    def test_without_a_provider(self):
        """A provider that hangs, one that is killed during a request, and none."""
        server = self.misbehaving()
        daemon = self.daemon(server.base)
        self.provider.process.send_signal(signal.SIGSTOP)
        began = time.monotonic()
        lines = self.play(daemon, "good")
        self.assertEqual(lines[0]["message"].split("good: ")[-1], "parallax-provider does not answer")
        self.assertTrue(5.9 < time.monotonic() - began < 8)
        control = self.connect(daemon)
        control.send(**{"class": "PLAY", "id": "good"})
        time.sleep(0.1)
        self.provider.end(signal.SIGKILL)
        self.assertIn("ended before answering", control.receive()["message"])
        self.assertIn("which is not running", self.play(daemon, "good")[0]["message"])
        # It works again as soon as a provider runs.
        self.provider = Provider(self.folder)
        self.addCleanup(self.provider.kill)
        self.assertEqual(self.play(daemon, "good")[-1]["event"], "completed")

    def test_clients_may_disconnect(self):
        server = self.misbehaving()
        daemon = self.daemon(server.base)
        for _ in range(3):
            control = daemon.connect()
            control.send(**{"class": "PLAY", "id": "slow"})
            time.sleep(0.05)
            control.close()
        self.assertEqual(self.play(daemon, "good")[-1]["event"], "completed")
        code, seconds = daemon.end()
        self.assertEqual(code, 0)
        self.assertLess(seconds, 2)


class Frames:
    """A subscriber that notes the seconds between frames."""

    def __init__(self, path):
        self.gaps = []
        self.control = Control(path)
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        last = time.monotonic()
        try:
            while True:
                if self.control.receive()["class"] == "OFFSET":
                    now = time.monotonic()
                    self.gaps.append(now - last)
                    last = now
        except (OSError, ValueError):
            pass

    def close(self):
        self.control.socket.close()


if __name__ == "__main__":
    unittest.main()
