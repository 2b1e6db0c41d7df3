# SPDX-License-Identifier: Apache-2.0
"""Samples of a gyroscope for the daemon, from any program."""
import json
from typing import Any, Callable, Dict, Iterable, List, Optional, Tuple

from .aio import AsyncLink
from .backoff import Backoff, ConnectionState
from .connection import Decoder
from .control import ControlError
from .link import Link
from .messages import Device, Error, Message, read_fields
from .sockets import candidates

#: Seconds, and rad/s about x, y and z.
Sample = Tuple[float, float, float, float]

#: A line has at most this many samples, so that it stays below 64 KiB with any numbers.
SAMPLES_PER_LINE = 256
#: While this many bytes wait for the daemon, samples are dropped, because late ones are useless.
MAX_WAITING = 1 << 16


def _line(fields: Dict[str, Any]) -> bytes:
    return json.dumps(fields, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode() + b"\n"


def request_line(name: str, clock: str, rate: Optional[float], mount_matrix: Optional[str]) -> bytes:
    """Returns the FEED with which each connection begins."""
    fields: Dict[str, Any] = {"class": "FEED", "name": name, "clock": clock}
    if rate is not None:
        fields["rate"] = rate
    if mount_matrix is not None:
        fields["mount_matrix"] = mount_matrix
    return _line(fields)


def sample_line(x: float, y: float, z: float, time: Optional[float]) -> bytes:
    """Returns a SAMPLE; ValueError for a number that is not finite."""
    fields: Dict[str, Any] = {"class": "SAMPLE"}
    if time is not None:
        fields["time"] = float(time)
    return _line({**fields, "x": float(x), "y": float(y), "z": float(z)})


def samples_lines(samples: Iterable[Sample]) -> bytes:
    """Returns SAMPLES lines; ValueError for a number that is not finite."""
    rows: List[List[float]] = [[float(value) for value in (time, x, y, z)] for time, x, y, z in samples]
    parts = (rows[first:first + SAMPLES_PER_LINE] for first in range(0, len(rows), SAMPLES_PER_LINE))
    return b"".join(_line({"class": "SAMPLES", "samples": part}) for part in parts)


class FeedDecoder(Decoder):
    """Waits for the ACK of a FEED and keeps the newest DEVICE."""

    def __init__(self) -> None:
        super().__init__()
        self.is_accepted = False
        self.device: Optional[Device] = None

    def read(self, line: bytes) -> Optional[Message]:
        message = super().read(line)
        if isinstance(message, Device):
            self.device = message
        elif message is None and (read_fields(line) or {}).get("class") == "ACK":
            self.is_accepted = True
        return message

    def check(self, message: Message) -> None:
        # A wrong sample is dropped, and the feed continues. After other errors the daemon ends the connection itself.
        if isinstance(message, Error) and (not self.is_accepted or message.code in ("denied", "unavailable")):
            raise ControlError(message.code or "", message.message, list(message.details))


class _Sender:
    """The common part of `Feed` and `AsyncFeed`."""

    _state: ConnectionState
    _request: bytes
    _lines: Optional[FeedDecoder] = None

    @property
    def device(self) -> Optional[Device]:
        """The newest DEVICE; None while there is no connection."""
        return self._lines.device if self._lines and self._state is ConnectionState.CONNECTED else None

    @property
    def is_wanted(self) -> bool:
        """Whether the daemon needs samples. The daemon discards them while no subscriber needs motion."""
        # Another driver streams until the first sample of the feed.
        return self.device is not None and self.device.state != "idle"

    def send(self, x: float, y: float, z: float, time: Optional[float] = None) -> bool:
        """Sends a sample in rad/s; `time` is in seconds, and without it the time of arrival counts. It does not wait.

        Returns False if the sample is dropped: the daemon has not accepted the feed yet, or does not read. Raises
        the error that has ended the feed."""
        return self._send(sample_line(x, y, z, time))

    def send_samples(self, samples: Iterable[Sample]) -> bool:
        """Sends several samples, each (time, x, y, z), in the order of their times; all or none, otherwise as `send`."""
        return self._send(samples_lines(samples))

    def _send(self, lines: bytes) -> bool:
        raise NotImplementedError

    def _greeting(self) -> bytes:
        return self._request

    def _decoder(self) -> Decoder:
        self._lines = FeedDecoder()
        return self._lines


class Feed(_Sender, Link):
    """A gyroscope whose samples this program sends: the daemon uses them like a sensor's. Only privileged users
    may send samples, and only one program at a time.

        with Feed("Pixel 8", rate=60) as feed:
            feed.send(0.01, -0.2, 0, time=12.345)

    `name` appears in DEVICE, and the daemon stores a bias under it. `clock` is "sender" for timestamps of any clock
    that runs at about the right pace, or "monotonic" for those of time.monotonic() on this machine. `rate` is the
    nominal number of samples per second. `mount_matrix` turns the sender's frame into the device's, as in
    "1,0,0;0,1,0;0,0,1".

    `with`, `start` or the first sample starts a thread that connects, and connects again when the daemon restarts;
    `start` takes a function for each DEVICE and ERROR. If the daemon refuses the feed, or ends it with `denied` or
    `unavailable`, the feed ends with this ControlError: `send` raises it, and `error` has it. The methods may be called
    from any thread."""

    def __init__(
            self, name: str, *, clock: str = "sender", rate: Optional[float] = None,
            mount_matrix: Optional[str] = None, socket_path: Optional[str] = None,
            backoff: Optional[Backoff] = Backoff(),
            on_state: Optional[Callable[[ConnectionState], None]] = None) -> None:
        super().__init__(candidates(control=True, explicit=socket_path), backoff, on_state)
        self._request = request_line(name, clock, rate, mount_matrix)

    def __enter__(self) -> "Feed":
        self.start()
        return self

    def _send(self, lines: bytes) -> bool:
        if self.error is not None:
            raise self.error
        if self._state is ConnectionState.CLOSED:
            return False
        self.start()
        with self._lock:
            if self._state is not ConnectionState.CONNECTED or len(self._outgoing) >= MAX_WAITING:
                return False
            self._outgoing += lines
        self._wake()
        return True


class AsyncFeed(_Sender, AsyncLink):
    """As `Feed`, for asyncio. `async with`, `start` or the first sample starts a task that connects. The iteration yields
    each DEVICE and ERROR, and raises the error that ends the feed.

        async with AsyncFeed("Pixel 8", rate=60) as feed:
            feed.send(0.01, -0.2, 0, time=12.345)"""

    def __init__(
            self, name: str, *, clock: str = "sender", rate: Optional[float] = None,
            mount_matrix: Optional[str] = None, socket_path: Optional[str] = None,
            backoff: Optional[Backoff] = Backoff(),
            on_state: Optional[Callable[[ConnectionState], None]] = None) -> None:
        super().__init__(candidates(control=True, explicit=socket_path), backoff, 1, on_state)
        self._request = request_line(name, clock, rate, mount_matrix)

    def _send(self, lines: bytes) -> bool:
        if self.error is not None:
            raise self.error
        if self._state is ConnectionState.CLOSED:
            return False
        self.start()
        if self._state is not ConnectionState.CONNECTED or self._writer is None:
            return False
        if self._writer.transport.get_write_buffer_size() >= MAX_WAITING:
            return False
        self._write(lines)
        return True
