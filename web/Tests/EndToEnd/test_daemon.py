"""parallaxd, the provider and servers, good and bad: PLAY by id, and the daemon never delayed."""
import json
import signal
import subprocess
import threading
import time
import unittest

from misbehaving import MisbehavingServer
from programs import NUDGE, PARALLAX, Control, Daemon, Folder, Provider, Server, wait

# What the server does, and what the daemon says of it.
WAYS = [
    ("missing", "no such animation: missing ("),
    ("failing", "the server says 500"),
    ("slow", "the server did not answer within 5 s"),
    ("huge", "at most 1048576 are allowed"),
    ("html", "it is text/html, and a document is application/json"),
    ("broken", "it is no document: 1:"),
    ("loop", "it redirects in a circle"),
    ("gone", "the server hung up in the middle"),
]
# Seconds. A question to the daemon takes well below a millisecond; this is for a busy machine.
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
        """What the daemon says of it, up to its end."""
        control = self.connect(daemon)
        control.say(**{"class": "PLAY", "id": name})
        lines = []
        while not lines or lines[-1]["class"] not in ["ERROR"] and \
                lines[-1].get("event") not in ["completed", "cancelled"]:
            lines.append(control.hear())
        return lines

    def test_a_document_of_a_server_plays(self):
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
        # And by the command.
        command = [PARALLAX, "play", "--control", daemon.control]
        done = subprocess.run(command + ["nudge"], capture_output=True, text=True, timeout=20)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        server.end()
        done = subprocess.run(command + ["nudge"], capture_output=True, text=True, timeout=20)
        self.assertEqual(done.returncode, 0)
        self.assertIn("this is the copy of", done.stderr)
        self.assertIn("Connection refused", done.stderr)
        done = subprocess.run(command + ["none"], capture_output=True, text=True, timeout=20)
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def test_the_folder_comes_first(self):
        self.folder.write("documents/good.json", NUDGE)
        server = self.misbehaving()
        daemon = self.daemon(server.base, "animations.directory=" + self.folder("documents"))
        self.assertEqual(self.play(daemon, "good")[-1]["event"], "completed")
        self.assertEqual(server.asked, [])
        self.assertEqual(self.play(daemon, "untagged")[-1]["event"], "completed")
        self.assertEqual([path for path, _ in server.asked], ["/a/untagged.json"])

    def test_each_way_is_a_clear_error_and_delays_nobody(self):
        """All at once, while STATUS is asked and frames are read."""
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

    def test_the_copy_plays_where_there_is_one(self):
        server = self.misbehaving()
        daemon = self.daemon(server.base)
        for way, words in WAYS[1:]:
            server.ways["a-" + way] = "good"
            self.assertEqual(self.play(daemon, "a-" + way)[-1]["event"], "completed", way)
            server.ways["a-" + way] = way
            lines = self.play(daemon, "a-" + way)
            self.assertEqual(lines[-1].get("event"), "completed", lines)
            self.assertIn(words, json.dumps(lines[0]), "and the answer says so")

    def test_a_good_document_that_is_no_animation(self):
        """The provider gives it; the daemon says what is wrong, and where."""
        self.folder.write("documents/odd.json", '{"parallax": 1, "animation": {"mvoe": {}}}')
        server = Server(self.folder, self.folder("documents"))
        self.addCleanup(server.kill)
        lines = self.play(self.daemon(server.base), "odd")
        self.assertEqual([line["class"] for line in lines], ["ERROR"])
        self.assertIn("odd.json: $.animation", lines[0]["message"])

    def test_without_a_provider(self):
        """Nobody listens; one that hangs; one that dies while it is asked."""
        server = self.misbehaving()
        daemon = self.daemon(server.base)
        self.provider.process.send_signal(signal.SIGSTOP)
        began = time.monotonic()
        lines = self.play(daemon, "good")
        self.assertEqual(lines[0]["message"].split("good: ")[-1], "parallax-provider does not answer")
        self.assertTrue(5.9 < time.monotonic() - began < 8)
        control = self.connect(daemon)
        control.say(**{"class": "PLAY", "id": "good"})
        time.sleep(0.1)
        self.provider.end(signal.SIGKILL)
        self.assertIn("ended before it had answered", control.hear()["message"])
        self.assertIn("which does not run", self.play(daemon, "good")[0]["message"])
        # And again, as soon as there is one.
        self.provider = Provider(self.folder)
        self.addCleanup(self.provider.kill)
        self.assertEqual(self.play(daemon, "good")[-1]["event"], "completed")

    def test_whoever_asked_may_go(self):
        server = self.misbehaving()
        daemon = self.daemon(server.base)
        for _ in range(3):
            control = daemon.connect()
            control.say(**{"class": "PLAY", "id": "slow"})
            time.sleep(0.05)
            control.close()
        self.assertEqual(self.play(daemon, "good")[-1]["event"], "completed")
        code, seconds = daemon.end()
        self.assertEqual(code, 0)
        self.assertLess(seconds, 2)


class Frames:
    """A subscriber that notes how long each frame was in coming, s."""

    def __init__(self, path):
        self.gaps = []
        self.control = Control(path)
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        last = time.monotonic()
        try:
            while True:
                if self.control.hear()["class"] == "OFFSET":
                    now = time.monotonic()
                    self.gaps.append(now - last)
                    last = now
        except (OSError, ValueError):
            pass

    def close(self):
        self.control.socket.close()


if __name__ == "__main__":
    unittest.main()
