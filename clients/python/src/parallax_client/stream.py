# SPDX-License-Identifier: Apache-2.0
"""The stream for plain programs."""
from typing import Callable, Iterator, Optional

from .backoff import Backoff, ConnectionState
from .connection import Decoder, StreamDecoder
from .link import Link
from .messages import Message, Offset
from .sockets import candidates
from .timeline import Timeline
from .watch import Watch


class Stream(Link):
    """A connection to parallaxd: an iterator over the daemon's messages.

    If no daemon is running, the stream waits for one; when the daemon restarts, it connects again and repeats its
    request. `backoff=None` turns this off: the iteration then raises NoDaemonError or ClosedError. It always raises
    IncompatibleError if the daemon's protocol has another major version.

    A program that draws its own pictures calls `start` and asks for the offset at an instant:

        stream = Stream()
        stream.start()
        offset = stream.offset_at(time.monotonic() + 0.008)

    One thread iterates, or `start` runs one; the other methods may be called from any thread."""

    def __init__(
            self, watch: Optional[Watch] = None, *, socket_path: Optional[str] = None,
            backoff: Optional[Backoff] = Backoff(),
            on_state: Optional[Callable[[ConnectionState], None]] = None) -> None:
        super().__init__(candidates(explicit=socket_path), backoff, on_state)
        self._timeline = Timeline()
        self._watch = watch
        self._timeline.request(watch.depths if watch else None)

    def __iter__(self) -> Iterator[Message]:
        if self._thread is not None:
            raise RuntimeError("the thread of start() reads this stream; create another to iterate")
        return self._messages

    def offset_at(self, instant: float, ahead: float = 0) -> Optional[Offset]:
        """Returns the offset at an instant in seconds of time.monotonic(); None before the first frame."""
        with self._lock:
            return self._timeline.offset_at(instant, ahead)

    def moving_until(self, ahead: float = 0) -> float:
        """Returns the instant from which `offset_at` stays the same until the next frame."""
        with self._lock:
            return self._timeline.moving_until(ahead)

    def send(self, watch: Watch) -> None:
        """Changes the request. The daemon answers with WatchAnswer or Error; each new connection repeats it."""
        with self._lock:
            self._watch = self._watch.merged(watch) if self._watch else watch
            self._timeline.request(self._watch.depths)
            if self._state is ConnectionState.CONNECTED:
                self._outgoing += watch.line()
        self._wake()

    def poll(self) -> None:
        """Requests DEVICE, GATE and OFFSET once. A new connection begins with them anyway."""
        with self._lock:
            if self._state is ConnectionState.CONNECTED:
                self._outgoing += b'{"class":"POLL"}\n'
        self._wake()

    def _greeting(self) -> bytes:
        return self._watch.line() if self._watch else b""

    def _decoder(self) -> Decoder:
        return StreamDecoder(self._timeline)
