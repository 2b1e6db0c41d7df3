# SPDX-License-Identifier: Apache-2.0
"""A connection that is made again whenever it ends, for plain programs."""
import os
import select
import socket
import threading
import time
from types import TracebackType
from typing import Callable, Generator, Iterator, List, Optional, Type, TypeVar

from .backoff import Backoff, ConnectionState, RetryTimer
from .connection import Decoder, connect
from .errors import ClosedError, ParallaxError
from .messages import Message

Self = TypeVar("Self", bound="Link")


class Messages(Iterator[Message]):
    """The messages of a generator. One thread iterates, and any thread may close it: a generator that runs already
    raises an error instead."""

    def __init__(self, generator: Generator[Message, None, None]) -> None:
        self._generator = generator
        self._lock = threading.Lock()
        self._is_running = False
        self._is_closed = False

    def __next__(self) -> Message:
        with self._lock:
            if self._is_closed:
                raise StopIteration
            self._is_running = True
        try:
            return next(self._generator)
        finally:
            with self._lock:
                self._is_running = False

    def close(self) -> bool:
        """Ends the generator. Returns whether it has: one that is running ends with its next step."""
        with self._lock:
            if self._is_running:
                return False
            self._is_closed = True
        self._generator.close()
        return True


class Link:
    """A connection to one of the daemon's sockets. A subclass has its requests and reads its lines.

    One thread reads: that of `start`, or another one that iterates over `_messages`."""

    def __init__(
            self, paths: List[str], backoff: Optional[Backoff],
            on_state: Optional[Callable[[ConnectionState], None]]) -> None:
        self._paths = paths
        self._backoff = backoff
        self._on_state = on_state
        self._lock = threading.Lock()
        self._outgoing = b""
        self._state = ConnectionState.CONNECTING
        self._is_closed = False
        self._wake_reader, self._wake_writer = socket.socketpair()
        self._wake_reader.setblocking(False)
        self._wake_writer.setblocking(False)
        self._thread: Optional[threading.Thread] = None
        self._messages = Messages(self._run())
        #: Why it has ended by itself.
        self.error: Optional[ParallaxError] = None

    def _greeting(self) -> bytes:
        """Returns the request with which each connection begins."""
        raise NotImplementedError

    def _decoder(self) -> Decoder:
        """Returns what reads the lines of a new connection."""
        raise NotImplementedError

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(
            self, kind: Optional[Type[BaseException]], error: Optional[BaseException],
            trace: Optional[TracebackType]) -> None:
        self.close()

    @property
    def state(self) -> ConnectionState:
        """The state of the connection."""
        return self._state

    def start(self, on_message: Optional[Callable[[Message], None]] = None) -> None:
        """Reads in a background thread, which calls `on_message` with each message."""
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._read_all, args=(on_message,), name="parallax", daemon=True)
                self._thread.start()

    def close(self) -> None:
        """Ends the connection for good."""
        self._is_closed = True
        self._wake()
        if self._thread is None:
            if self._messages.close():
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
        except ParallaxError:
            pass  # `error` has it.

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
        except ParallaxError as error:
            self.error = error
            raise
        finally:
            self._end()

    def _end(self) -> None:
        self._is_closed = True
        self._set_state(ConnectionState.CLOSED)
        self._wake_reader.close()
        self._wake_writer.close()

    def _serve(self, connection: socket.socket) -> Generator[Message, None, ParallaxError]:
        """Reads and writes until the connection or the stream ends; returns why."""
        decoder = self._decoder()
        with self._lock:
            self._outgoing = self._greeting()
        if decoder.is_accepted:
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
            if decoder.is_accepted:
                self._set_state(ConnectionState.CONNECTED)
            for message in messages:
                yield decoder.handed(message)
                decoder.check(message)
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
