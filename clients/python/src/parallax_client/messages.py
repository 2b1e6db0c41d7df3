# SPDX-License-Identifier: Apache-2.0
"""The daemon's messages and the reading of a line. Fields that the daemon leaves out are None."""
import json
from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional, Tuple, Union

#: No value of the protocol is near this. A line with a larger one is malformed; sums of smaller ones are finite.
MAX_MAGNITUDE = 1e9


@dataclass(frozen=True)
class Version:
    """VERSION: the daemon's release and the version of its protocol."""

    release: str
    proto_major: int
    proto_minor: int


@dataclass(frozen=True)
class Device:
    """DEVICE: the source of the motion."""

    driver: str
    #: `streaming`, `idle`, `busy`, `denied`, `lost`, `none`, `ended`, or a word of a later daemon.
    state: str
    name: Optional[str] = None
    #: Hz.
    rate: Optional[float] = None
    #: `shutdown` when the daemon ends.
    reason: Optional[str] = None
    #: The limits of the motion in px, left and right.
    range_x: Optional[Tuple[float, float]] = None
    #: The limits of the motion in px, up and down.
    range_y: Optional[Tuple[float, float]] = None


@dataclass(frozen=True)
class Gate:
    """GATE: whether motion is let through, and why not."""

    open: bool
    gain: float
    reasons: Tuple[str, ...] = ()


@dataclass(frozen=True)
class Layer:
    """The position of one layer, in px, and its velocity, in px/s."""

    x: float
    y: float
    vx: Optional[float] = None
    vy: Optional[float] = None
    rotation: Optional[float] = None
    scale: Optional[float] = None
    opacity: Optional[float] = None
    scale_y: Optional[float] = None


@dataclass(frozen=True)
class Offset:
    """OFFSET: one frame of motion, or the offset at an instant."""

    #: px to the right and down.
    x: float
    y: float
    #: Motion as a fraction of its range, -1...1.
    nx: float = 0.0
    ny: float = 0.0
    layers: Dict[str, Layer] = field(default_factory=dict)
    #: px/s; None while an animation drives something, and in the offset at an instant.
    vx: Optional[float] = None
    vy: Optional[float] = None
    #: Degrees clockwise; None unless an animation drives it.
    rotation: Optional[float] = None
    #: 1 is unscaled; None unless an animation drives it.
    scale: Optional[float] = None
    #: The scale downward; None where it equals `scale`.
    scale_y: Optional[float] = None
    #: 0...1; None unless an animation drives it.
    opacity: Optional[float] = None
    #: The daemon's frame number.
    seq: int = 0
    #: The instant on CLOCK_MONOTONIC, in ns.
    time_ns: int = 0
    #: The number of OFFSETs not sent since the last one.
    dropped: Optional[int] = None

    @property
    def time(self) -> float:
        """Seconds of CLOCK_MONOTONIC, as of time.monotonic()."""
        return self.time_ns * 1e-9


@dataclass(frozen=True)
class Animation:
    """ANIMATION: `started`, `step`, `completed` or `cancelled`."""

    id: str
    event: str
    position: Optional[str] = None
    #: When it happened, in seconds of CLOCK_MONOTONIC; it may be between two frames. None: the daemon is older than
    #: protocol 1.7.
    time: Optional[float] = None


@dataclass(frozen=True)
class WatchAnswer:
    """WATCH: the state in effect after an accepted request, as the daemon wrote it."""

    fields: Dict[str, Any]


@dataclass(frozen=True)
class Error:
    """ERROR: what is wrong, where, and what to do."""

    message: str
    code: Optional[str] = None
    details: Tuple[str, ...] = ()


Message = Union[Version, Device, Gate, Offset, Animation, WatchAnswer, Error]


class _Malformed(ValueError):
    pass


class _Fields:
    """An object of a line. A value of a wrong type makes the line malformed; null counts as absent."""

    def __init__(self, values: Any) -> None:
        if not isinstance(values, dict):
            raise _Malformed
        self.values: Dict[str, Any] = values

    def get(self, name: str) -> Any:
        value = self.values.get(name)
        if value is None:
            raise _Malformed
        return value

    def has(self, name: str) -> bool:
        return self.values.get(name) is not None

    def text(self, name: str) -> str:
        value = self.get(name)
        if not isinstance(value, str):
            raise _Malformed
        return value

    def number(self, name: str) -> float:
        return _number(self.get(name))

    def integer(self, name: str) -> int:
        value = self.get(name)
        if isinstance(value, bool) or not isinstance(value, (int, float)) or value != value // 1:
            raise _Malformed
        if not -2 ** 63 <= value < 2 ** 64:
            raise _Malformed
        return int(value)

    def count(self, name: str) -> int:
        value = self.integer(name)
        if value < 0:
            raise _Malformed
        return value

    def flag(self, name: str) -> bool:
        value = self.get(name)
        if not isinstance(value, bool):
            raise _Malformed
        return value

    def texts(self, name: str) -> Tuple[str, ...]:
        values = self.get(name)
        if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
            raise _Malformed
        return tuple(values)

    def optional_text(self, name: str) -> Optional[str]:
        return self.text(name) if self.has(name) else None

    def optional_number(self, name: str) -> Optional[float]:
        return self.number(name) if self.has(name) else None

    def range(self, name: str) -> Optional[Tuple[float, float]]:
        """A range without 0, which no daemon has, counts as absent."""
        if not self.has(name):
            return None
        ends = self.get(name)
        if not isinstance(ends, list):
            raise _Malformed
        numbers = [_number(end) for end in ends]
        if len(numbers) != 2 or numbers[0] > 0 or numbers[1] < 0:
            return None
        return (numbers[0], numbers[1])


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) <= MAX_MAGNITUDE:
        raise _Malformed
    return float(value)


def _offset(fields: _Fields) -> Offset:
    layers: Dict[str, Layer] = {}
    if fields.has("layers"):
        named = _Fields(fields.get("layers")).values
        for name in sorted(named):
            place = _Fields(named[name])
            layers[name] = Layer(
                place.number("x"), place.number("y"), place.optional_number("vx"), place.optional_number("vy"),
                place.optional_number("rotation"), place.optional_number("scale"), place.optional_number("opacity"),
                place.optional_number("scale_y"))
    return Offset(
        x=fields.number("x"), y=fields.number("y"), nx=fields.number("nx"), ny=fields.number("ny"), layers=layers,
        vx=fields.optional_number("vx"), vy=fields.optional_number("vy"),
        rotation=fields.optional_number("rotation"), scale=fields.optional_number("scale"),
        scale_y=fields.optional_number("scale_y"), opacity=fields.optional_number("opacity"), seq=fields.count("seq"),
        time_ns=round(fields.number("time") * 1e9),
        dropped=fields.count("dropped") if fields.has("dropped") else None)


def _watch(fields: _Fields) -> WatchAnswer:
    for name, read in (("enable", fields.flag), ("rate", fields.number), ("version", fields.integer)):
        if fields.has(name):
            read(name)
    if fields.has("layers"):
        depths = _Fields(fields.get("layers"))
        for name in depths.values:
            depths.number(name)
    return WatchAnswer({name: value for name, value in fields.values.items() if name != "class"})


def _refuse(_: str) -> Any:
    raise _Malformed  # NaN and Infinity are not JSON.


def read_fields(line: bytes) -> Optional[Dict[str, Any]]:
    """Returns the object in a line; None for a malformed one."""
    try:
        return _Fields(json.loads(line.decode("utf-8"), parse_constant=_refuse)).values
    except (ValueError, RecursionError):  # UnicodeDecodeError and JSONDecodeError are ValueErrors.
        return None


def parse(line: bytes) -> Optional[Message]:
    """Returns the message in a line without its line feed; None for an unknown class or a malformed line."""
    values = read_fields(line)
    if values is None:
        return None
    fields = _Fields(values)
    try:
        name = fields.text("class")
        if name == "OFFSET":
            return _offset(fields)
        if name == "VERSION":
            return Version(fields.text("release"), fields.integer("proto_major"), fields.integer("proto_minor"))
        if name == "DEVICE":
            return Device(
                fields.text("driver"), fields.text("state"), fields.optional_text("name"),
                fields.optional_number("rate"), fields.optional_text("reason"), fields.range("range_x"),
                fields.range("range_y"))
        if name == "GATE":
            return Gate(fields.flag("open"), fields.number("gain"), fields.texts("reasons"))
        if name == "ANIMATION":
            return Animation(
                fields.text("id"), fields.text("event"), fields.optional_text("position"),
                fields.optional_number("time"))
        if name == "WATCH":
            return _watch(fields)
        if name == "ERROR":
            return Error(
                fields.text("message"), fields.optional_text("code"),
                fields.texts("details") if fields.has("details") else ())
    except ValueError:
        pass
    return None


class LineSplitter:
    """Splits the bytes from a socket into lines. Bytes after the last line feed wait for the rest of their line."""

    #: The longest line of the protocol is a few KiB. A longer one than this does not come from parallaxd.
    MAX_LINE_LENGTH = 1 << 20

    def __init__(self) -> None:
        self._parts: List[bytes] = []
        self._length = 0

    @property
    def is_overlong(self) -> bool:
        """Whether the line that has begun exceeds the maximum length."""
        return self._length > self.MAX_LINE_LENGTH

    def add(self, data: bytes) -> List[bytes]:
        """Returns the lines that these bytes complete, without their line feeds."""
        lines = data.split(b"\n")
        rest = lines.pop()
        if lines:
            self._parts.append(lines[0])
            lines[0] = b"".join(self._parts)
            self._parts, self._length = [], 0
        if rest:
            self._parts.append(rest)
            self._length += len(rest)
        return lines
