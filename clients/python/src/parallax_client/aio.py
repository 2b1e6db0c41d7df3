# SPDX-License-Identifier: Apache-2.0
"""A connection that is made again whenever it ends, and the stream, for asyncio."""
import asyncio
import os
import time
from types import TracebackType
from typing import AsyncIterator, Callable, List, Optional, Type, TypeVar

from .backoff import Backoff, ConnectionState, RetryTimer
from .connection import Decoder, MessageQueue, StreamDecoder, connect
from .errors import ClosedError, ParallaxError
from .messages import Message, Offset
from .sockets import candidates
from .timeline import Timeline
from .watch import Watch

Self = TypeVar("Self", bound="AsyncLink")


class AsyncLink:
    """A connection to one of the daemon's sockets. A subclass has its requests and reads its lines."""

    def __init__(
            self, paths: List[str], backoff: Optional[Backoff], buffered_offsets: int,
            on_state: Optional[Callable[[ConnectionState], None]]) -> None:
        self._paths = paths
        self._backoff = backoff
        self._on_state = on_state
        self._queue = MessageQueue(buffered_offsets)
        self._state = ConnectionState.CONNECTING
        self._writer: Optional[asyncio.StreamWriter] = None
        self._task: Optional["asyncio.Task[None]"] = None
        self._arrived: Optional[asyncio.Event] = None
        #: Why it has ended by itself.
        self.error: Optional[ParallaxError] = None

    def _greeting(self) -> bytes:
        """Returns the request with which each connection begins."""
        raise NotImplementedError

    def _decoder(self) -> Decoder:
        """Returns what reads the lines of a new connection."""
        raise NotImplementedError

    def _handed(self, message: Message) -> Message:
        """Returns the message that the program gets for this one."""
        return message

    async def __aenter__(self: Self) -> Self:
        self.start()
        return self

    async def __aexit__(
            self, kind: Optional[Type[BaseException]], error: Optional[BaseException],
            trace: Optional[TracebackType]) -> None:
        await self.close()

    @property
    def state(self) -> ConnectionState:
        """The state of the connection."""
        return self._state

    def start(self) -> None:
        """Starts to read, in a task of the running loop."""
        if self._task is None:
            # In 3.9 an event belongs to the loop that runs when it is created.
            self._arrived = asyncio.Event()
            self._task = asyncio.get_running_loop().create_task(self._run())

    async def __aiter__(self) -> AsyncIterator[Message]:
        self.start()
        arrived = self._arrived
        assert arrived is not None
        while True:
            while self._queue:
                yield self._handed(self._queue.pop())
            if self._state is ConnectionState.CLOSED:
                if self.error is not None:
                    raise self.error
                return
            arrived.clear()
            await arrived.wait()

    async def close(self) -> None:
        """Ends the connection for good. Messages received before can still be read."""
        if self._task is not None:
            self._task.cancel()
            try:
                await self._task
            except asyncio.CancelledError:
                pass
        self._set_state(ConnectionState.CLOSED)

    def _write(self, line: bytes) -> None:
        if self._writer is not None and not self._writer.is_closing():
            self._writer.write(line)

    def _set_state(self, state: ConnectionState) -> None:
        if self._state is not state:
            self._state = state
            if self._on_state is not None:
                self._on_state(state)
        if self._arrived is not None:
            self._arrived.set()

    async def _run(self) -> None:
        timer = RetryTimer(self._backoff) if self._backoff else None
        try:
            while True:
                connected_seconds = 0.0
                try:
                    self._set_state(ConnectionState.CONNECTING)
                    reader, self._writer = await asyncio.open_unix_connection(sock=connect(self._paths))
                except ParallaxError as error:
                    failure: ParallaxError = error
                else:
                    begin = time.monotonic()
                    try:
                        failure = await self._serve(reader)
                    finally:
                        self._writer.close()
                        self._writer = None
                    connected_seconds = time.monotonic() - begin
                if timer is None:
                    raise failure
                self._set_state(ConnectionState.WAITING)
                await asyncio.sleep(timer.wait_after(connected_seconds))
        except ParallaxError as error:
            self.error = error
        finally:
            self._set_state(ConnectionState.CLOSED)

    async def _serve(self, reader: asyncio.StreamReader) -> ParallaxError:
        """Reads until the connection ends; returns why."""
        decoder = self._decoder()
        if decoder.is_accepted:
            self._set_state(ConnectionState.CONNECTED)
        self._write(self._greeting())
        while True:
            try:
                data = await reader.read(16384)
            except OSError as error:
                return ClosedError("the connection to the daemon failed: %s" % os.strerror(error.errno or 0))
            if not data:
                return ClosedError()
            messages = decoder.messages(data)
            if decoder.is_accepted:
                self._set_state(ConnectionState.CONNECTED)
            for message in messages:
                self._queue.append(message)
                if self._arrived is not None:
                    self._arrived.set()
                decoder.check(message)
            if decoder.is_overlong:
                return ClosedError("the program on the socket is not parallaxd")


class AsyncStream(AsyncLink):
    """As `Stream`, for asyncio. A task reads from `start` or `async with` on; the iteration may lag.

        async with AsyncStream() as stream:
            async for message in stream:
                print(message)

    For a slow reader it keeps the newest OFFSETs (`buffered_offsets`) and adds the number of lost ones to the next
    one's `dropped`."""

    def __init__(
            self, watch: Optional[Watch] = None, *, socket_path: Optional[str] = None,
            backoff: Optional[Backoff] = Backoff(), buffered_offsets: int = 16,
            on_state: Optional[Callable[[ConnectionState], None]] = None) -> None:
        super().__init__(candidates(explicit=socket_path), backoff, buffered_offsets, on_state)
        self._timeline = Timeline()
        self._watch = watch
        self._timeline.request(watch.depths if watch else None)

    def offset_at(self, instant: float, ahead: float = 0) -> Optional[Offset]:
        """Returns the offset at an instant in seconds of time.monotonic(); None before the first frame."""
        return self._timeline.offset_at(instant, ahead)

    def moving_until(self, ahead: float = 0) -> float:
        """Returns the instant from which `offset_at` stays the same until the next frame."""
        return self._timeline.moving_until(ahead)

    def send(self, watch: Watch) -> None:
        """Changes the request. The daemon answers with WatchAnswer or Error; each new connection repeats it."""
        self._watch = self._watch.merged(watch) if self._watch else watch
        self._timeline.request(self._watch.depths)
        self._write(watch.line())

    def _handed(self, message: Message) -> Message:
        # The program may have requested other layers since it was read.
        return self._timeline.completed(message)

    def poll(self) -> None:
        """Requests DEVICE, GATE and OFFSET once. A new connection begins with them anyway."""
        self._write(b'{"class":"POLL"}\n')

    def _greeting(self) -> bytes:
        return self._watch.line() if self._watch else b""

    def _decoder(self) -> Decoder:
        return StreamDecoder(self._timeline)
