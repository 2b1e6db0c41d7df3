# SPDX-License-Identifier: Apache-2.0
"""The stream for plain programs."""
import os
import select
import socket
import threading
import time
from types import TracebackType
from typing import Callable, Generator, Iterator, Optional, Type

from .backoff import Backoff, ConnectionState, RetryTimer
from .connection import Decoder, check, connect
from .errors import ClosedError, ParallaxError
from .messages import Message, Offset
from .sockets import candidates
from .timeline import Timeline
from .watch import Watch


class Stream:
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
        self._paths = candidates(explicit=socket_path)
        self._backoff = backoff
        self._on_state = on_state
        self._lock = threading.Lock()
        self._timeline = Timeline()
        self._watch = watch
        self._outgoing = b""
        self._state = ConnectionState.CONNECTING
        self._is_closed = False
        self._wake_reader, self._wake_writer = socket.socketpair()
        self._wake_reader.setblocking(False)
        self._wake_writer.setblocking(False)
        self._thread: Optional[threading.Thread] = None
        self._messages = self._run()
        #: Why the thread of `start` has ended by itself.
        self.error: Optional[ParallaxError] = None

    def __enter__(self) -> "Stream":
        return self

    def __exit__(
            self, kind: Optional[Type[BaseException]], error: Optional[BaseException],
            trace: Optional[TracebackType]) -> None:
        self.close()

    def __iter__(self) -> Iterator[Message]:
        if self._thread is not None:
            raise RuntimeError("the thread of start() reads this stream; create another to iterate")
        return self._messages

    @property
    def state(self) -> ConnectionState:
        """The state of the connection."""
        return self._state

    def start(self, on_message: Optional[Callable[[Message], None]] = None) -> None:
        """Reads in a background thread, which calls `on_message` with each message."""
        if self._thread is None:
            self._thread = threading.Thread(
                target=self._read_all, args=(on_message,), name="parallax", daemon=True)
            self._thread.start()

    def offset_at(self, instant: float) -> Optional[Offset]:
        """Returns the offset at an instant in seconds of time.monotonic(); None before the first frame."""
        with self._lock:
            return self._timeline.offset_at(instant)

    def moving_until(self) -> float:
        """Returns the instant from which `offset_at` stays the same until the next frame."""
        with self._lock:
            return self._timeline.moving_until()

    def send(self, watch: Watch) -> None:
        """Changes the request. The daemon answers with WatchAnswer or Error; each new connection repeats it."""
        with self._lock:
            self._watch = self._watch.merged(watch) if self._watch else watch
            if self._state is ConnectionState.CONNECTED:
                self._outgoing += watch.line()
        self._wake()

    def poll(self) -> None:
        """Requests DEVICE, GATE and OFFSET once. A new connection begins with them anyway."""
        with self._lock:
            if self._state is ConnectionState.CONNECTED:
                self._outgoing += b'{"class":"POLL"}\n'
        self._wake()

    def close(self) -> None:
        """Ends the stream."""
        self._is_closed = True
        self._wake()
        if self._thread is None:
            try:
                self._messages.close()
            except ValueError:
                return  # Another thread iterates: it ends at its next step.
            self._end()
        elif self._thread is not threading.current_thread():
            self._thread.join()

    def _wake(self) -> None:
        try:
            self._wake_writer.send(b"\0")
        except OSError:
            pass  # Full, and so awake already, or closed.

    def _set_state(self, state: ConnectionState) -> None:
        if self._state is not state:
            self._state = state
            if self._on_state is not None:
                self._on_state(state)

    def _read_all(self, on_message: Optional[Callable[[Message], None]]) -> None:
        try:
            for message in self._messages:
                if on_message is not None:
                    on_message(message)
        except ParallaxError as error:
            self.error = error

    def _run(self) -> Generator[Message, None, None]:
        timer = RetryTimer(self._backoff) if self._backoff else None
        try:
            while not self._is_closed:
                connected_seconds = 0.0
                try:
                    self._set_state(ConnectionState.CONNECTING)
                    connection = connect(self._paths)
                except ParallaxError as error:
                    failure: ParallaxError = error
                else:
                    begin = time.monotonic()
                    with connection:
                        failure = yield from self._serve(connection)
                    connected_seconds = time.monotonic() - begin
                if self._is_closed:
                    return
                if timer is None:
                    raise failure
                self._set_state(ConnectionState.WAITING)
                self._sleep(timer.wait_after(connected_seconds))
        finally:
            self._end()

    def _end(self) -> None:
        self._is_closed = True
        self._set_state(ConnectionState.CLOSED)
        self._wake_reader.close()
        self._wake_writer.close()

    def _serve(self, connection: socket.socket) -> Generator[Message, None, ParallaxError]:
        """Reads and writes until the connection or the stream ends; returns why."""
        decoder = Decoder(self._timeline)
        with self._lock:
            self._outgoing = self._watch.line() if self._watch else b""
        self._set_state(ConnectionState.CONNECTED)
        poll = select.poll()
        poll.register(self._wake_reader, select.POLLIN)
        while not self._is_closed:
            try:
                poll.register(connection, select.POLLIN | (select.POLLOUT if self._write(connection) else 0))
                poll.poll()
                self._clear()
                data = connection.recv(16384)
            except BlockingIOError:
                continue
            except OSError as error:
                return ClosedError("the connection to the daemon failed: %s" % os.strerror(error.errno or 0))
            if not data:
                return ClosedError()
            with self._lock:
                messages = decoder.messages(data)
            for message in messages:
                yield message
                check(message)
                if self._is_closed:
                    return ClosedError()
            if decoder.is_overlong:
                return ClosedError("the program on the socket is not parallaxd")
        return ClosedError()

    def _write(self, connection: socket.socket) -> bool:
        """Sends the waiting bytes; returns whether some remain. Reading reports a connection that has ended."""
        with self._lock:
            try:
                while self._outgoing:
                    self._outgoing = self._outgoing[connection.send(self._outgoing):]
            except BlockingIOError:
                return True
            except OSError:
                self._outgoing = b""
        return False

    def _clear(self) -> None:
        try:
            while self._wake_reader.recv(64):
                pass
        except BlockingIOError:
            pass

    def _sleep(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while not self._is_closed:
            remaining = end - time.monotonic()
            if remaining <= 0:
                return
            select.select([self._wake_reader], [], [], remaining)
            self._clear()
