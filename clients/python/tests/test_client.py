# SPDX-License-Identifier: Apache-2.0
"""What needs no daemon. Tests/Conformance/run.py has the rest."""
import asyncio
import json
import os
import socket
import tempfile
import threading
import unittest
import unittest.mock
from typing import Any, List

from parallax_client import (
    AsyncFeed, Backoff, ConnectionState, Error, Feed, Gate, Message, NoDaemonError, Offset, Sample, Stream, Timeline,
    Version, Watch, candidates, parse)
from parallax_client.backoff import RetryTimer
from parallax_client.connection import MessageQueue
from parallax_client.feed import samples_lines
from parallax_client.messages import LineSplitter


def offset(seq: int) -> Offset:
    return Offset(x=seq, y=0.0, seq=seq, time_ns=seq)


class ClientTests(unittest.TestCase):
    def test_sockets(self) -> None:
        self.assertEqual(
            candidates(environment={"XDG_RUNTIME_DIR": "/x"}),
            ["/x/parallax/parallax.sock", "/run/parallax/parallax.sock"])
        self.assertEqual(candidates(environment={"PARALLAX_SOCKET": ""}, uid=7)[0], "/run/user/7/parallax/parallax.sock")
        self.assertEqual(candidates(environment={"PARALLAX_SOCKET": "/a/b"}), ["/a/b"])
        self.assertEqual(candidates(True, environment={"PARALLAX_SOCKET": "/a/b"}), ["/a/control.sock"])
        self.assertEqual(candidates(True, environment={"PARALLAX_SOCKET": "/a/b", "PARALLAX_CONTROL": "c"}), ["c"])
        self.assertEqual(candidates(explicit="e", environment={"PARALLAX_SOCKET": "/a/b"}), ["e"])

    def test_waits_double_up_to_a_bound_and_a_long_connection_resets_them(self) -> None:
        timer = RetryTimer(Backoff(0.1, 5), lambda: 1.0)
        waits = [timer.wait_after(0) for _ in range(8)]
        self.assertEqual(waits, [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5, 5])
        self.assertEqual(timer.wait_after(4), 5)
        self.assertEqual([timer.wait_after(6), timer.wait_after(0)], [0.1, 0.2])
        self.assertEqual(RetryTimer(Backoff(1, 5), lambda: 0.0).wait_after(0), 0.5)

    def test_watch(self) -> None:
        request = Watch(rate=10, layers={"bg": 0.2}).merged(Watch(rate=20, orientation="auto"))
        self.assertEqual(
            json.loads(request.line()), {"class": "WATCH", "rate": 20, "layers": {"bg": 0.2}, "orientation": "auto"})
        self.assertEqual(json.loads(Watch(layers="configured").line()), {"class": "WATCH", "layers": None})

    def test_lines_in_any_pieces(self) -> None:
        splitter = LineSplitter()
        lines = [line for byte in b"one\n\nthree\nfo" for line in splitter.add(bytes([byte]))]
        self.assertEqual(lines, [b"one", b"", b"three"])
        self.assertEqual(splitter.add(b"ur\nfive\n"), [b"four", b"five"])
        self.assertFalse(splitter.is_overlong)
        splitter.add(b"x" * ((1 << 20) + 1))
        self.assertTrue(splitter.is_overlong)

    def test_what_a_slow_reader_gets(self) -> None:
        queue = MessageQueue(2)
        arrivals: List[Message] = [
            Gate(True, 1), offset(1), offset(2), Gate(False, 0), offset(3), offset(4)]
        for message in arrivals:
            queue.append(message)
        messages = []
        while queue:
            messages.append(queue.pop())
        self.assertEqual([type(message) for message in messages], [Gate, Offset, Offset])
        third = messages[1]
        assert isinstance(third, Offset)
        self.assertEqual((third.seq, third.dropped), (3, 2))
        for number in range(100):
            queue.append(Error(str(number)))
        self.assertEqual(queue.pop(), Error("36"))

    def test_lines_of_samples_are_shorter_than_64_kib(self) -> None:
        longest = -2.2250738585072014e-308
        samples: List[Sample] = [(number, longest, longest, longest) for number in range(1000)]
        lines = samples_lines(samples).splitlines()
        self.assertLess(max(len(line) for line in lines), 65536)
        self.assertEqual([tuple(row) for line in lines for row in json.loads(line)["samples"]], samples)
        self.assertEqual(samples_lines([]), b"")
        for wrong in (float("nan"), float("inf")):
            self.assertRaises(ValueError, samples_lines, [(0, 0, 0, 0), (1, 0, wrong, 0)])

    def test_sending_raises_the_error_by_which_a_feed_has_ended(self) -> None:
        ended = threading.Event()
        with Feed("a", socket_path="/nonexistent/control.sock", backoff=None,
                  on_state=lambda state: ended.set() if state is ConnectionState.CLOSED else None) as feed:
            ended.wait(30)
            self.assertRaises(NoDaemonError, feed.send, 0, 0, 0)
        closed = Feed("a", socket_path="/nonexistent/control.sock")
        closed.close()
        self.assertFalse(closed.send(0, 0, 0))

    def test_first_samples_of_several_threads_start_one_thread(self) -> None:
        senders, made = threading.Barrier(2), threading.Barrier(2)
        count: List[int] = []

        class Made(threading.Thread):
            def __init__(self, *arguments: Any, **named: Any) -> None:
                count.append(1)
                try:
                    # The other sender comes here meanwhile, unless it has to wait.
                    made.wait(0.2)
                except threading.BrokenBarrierError:
                    pass
                super().__init__(*arguments, **named)

        feed = Feed("a", socket_path="/nonexistent/control.sock")

        def send() -> None:
            senders.wait(30)
            feed.send(0, 0, 0)

        threads = [threading.Thread(target=send) for _ in range(2)]
        with unittest.mock.patch("parallax_client.link.threading.Thread", Made):
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join(30)
        feed.close()
        self.assertEqual(count, [1])

    def test_sending_raises_the_error_by_which_a_feed_of_asyncio_has_ended(self) -> None:
        async def run() -> None:
            async with AsyncFeed("a", socket_path="/nonexistent/control.sock", backoff=None) as feed:
                with self.assertRaises(NoDaemonError):
                    async for _ in feed:
                        pass
                self.assertRaises(NoDaemonError, feed.send, 0, 0, 0)
                await feed.close()
            closed = AsyncFeed("a", socket_path="/nonexistent/control.sock")
            await closed.close()
            self.assertFalse(closed.send(0, 0, 0))
            self.assertIs(closed.state, ConnectionState.CLOSED)
        asyncio.run(run())

    def test_an_iteration_ends_while_another_thread_closes_the_stream(self) -> None:
        closing, ended = threading.Event(), threading.Event()

        def on_state(state: ConnectionState) -> None:
            if state is ConnectionState.CLOSED:
                closing.set()
                ended.wait(30)

        with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as server:
            path = os.path.join(folder, "parallax.sock")
            server.bind(path)
            server.listen()
            stream = Stream(socket_path=path, on_state=on_state)
            messages = iter(stream)
            served = threading.Thread(
                target=lambda: server.accept()[0].sendall(b'{"class":"GATE","open":true,"gain":1,"reasons":[]}\n'))
            served.start()
            self.assertEqual(next(messages), Gate(True, 1))
            served.join()
            closer = threading.Thread(target=stream.close)
            closer.start()
            self.assertTrue(closing.wait(30))
            self.assertIsNone(next(messages, None))
            ended.set()
            closer.join()

    def test_malformed_lines_are_ignored(self) -> None:
        good = b'{"class":"OFFSET","seq":1,"time":1,"x":0,"y":0,"nx":0,"ny":0,"vx":null}'
        self.assertEqual(parse(good), Offset(0, 0, seq=1, time_ns=1_000_000_000))
        for old, new in ((b'"x":0', b'"x":NaN'), (b'"x":0', b'"x":true'), (b'"x":0', b'"x":1e400'), (b'"x":0,', b""),
                         (b'"seq":1', b'"seq":-1'), (b'"seq":1', b'"seq":1.5'), (b"OFFSET", b"OFF\xff"),
                         (b"OFFSET", b"OTHER"), (b"}", b"}}"), (b'"x":0', b'"x":01'), (b'"vx":null', b'"layers":[]')):
            self.assertIn(old, good)
            self.assertIsNone(parse(good.replace(old, new)), new)
        self.assertIsNone(parse(b"[" * 100_000))

    def test_a_timeline_rests_after_its_last_frame(self) -> None:
        timeline = Timeline()
        self.assertIsNone(timeline.offset_at(1))
        for k in range(3):
            timeline.add(Offset(x=k, y=0, vx=25, vy=0, seq=k, time_ns=10 ** 10 + k * 40_000_000))
        end = timeline.moving_until()
        self.assertAlmostEqual(end, 10.08 + 0.05)
        at_end, later = timeline.offset_at(end), timeline.offset_at(end + 9)
        assert at_end is not None and later is not None
        self.assertEqual(at_end.x, later.x)
        restart: Message = Version("0.1.0", 1, 3)
        timeline.add(restart)
        self.assertIsNone(timeline.offset_at(end))


if __name__ == "__main__":
    unittest.main()
