# SPDX-License-Identifier: Apache-2.0
"""The offset at any instant, from the last frames of a stream. docs/protocol.md, "Drawing between frames", has the
rule, and Tests/Conformance/offset-at.jsonl a table for it."""
from dataclasses import dataclass, replace
from typing import Callable, Dict, List, Mapping, Optional, Tuple, Union

from .messages import Device, Gate, Layer, Message, Offset, Version, WatchAnswer

#: The number of frames kept: a quarter of a second at 30 Hz.
_CAPACITY = 8
#: How long a velocity is followed, in ns, and as much longer as the drawing is ahead.
_REACH = 50_000_000
_MAX_AHEAD = 1_000_000_000
#: Fractions of the range have 4 decimals.
_LARGEST_ROUNDING = 0.00005

_Range = Optional[Tuple[float, float]]


@dataclass(frozen=True)
class _Frame:
    offset: Offset
    #: Whether the gate was open and the device streamed when it came.
    is_live: bool

    @property
    def time(self) -> int:
        return self.offset.time_ns

    @property
    def has_velocity(self) -> bool:
        return self.offset.vx is not None and self.offset.vy is not None

    @property
    def is_zero(self) -> bool:
        """Whether nothing is displaced, as when a gate has closed."""
        layers = self.offset.layers.values()
        return self.offset.x == 0 and self.offset.y == 0 and all(layer.x == 0 and layer.y == 0 for layer in layers)

    def velocity(self) -> Tuple[float, float]:
        vx, vy = self.offset.vx, self.offset.vy
        return (0.0, 0.0) if vx is None or vy is None else (vx, vy)

    def layer_velocity(self, name: str) -> Tuple[float, float]:
        layer = self.offset.layers.get(name)
        if not self.has_velocity or layer is None or layer.vx is None or layer.vy is None:
            return (0.0, 0.0)
        return (layer.vx, layer.vy)


class _Bounds:
    """The range on one axis, as DEVICE gave it, or else as far as the frames of an older daemon show it."""

    def __init__(self, given: _Range) -> None:
        self._is_given = given is not None
        self._low = -given[0] if given else 0.0
        self._high = given[1] if given else 0.0

    def add(self, offset: float, fraction: float) -> None:
        if self._is_given or not offset * fraction > 0:
            return
        distance = abs(offset)
        end = max(distance, distance / (abs(fraction) + _LARGEST_ROUNDING))
        if offset > 0:
            self._high = max(self._high, end)
        else:
            self._low = max(self._low, end)

    def _ends(self) -> Optional[Tuple[float, float]]:
        if self._is_given:
            return (self._low, self._high)
        if self._low > 0 or self._high > 0:
            return (self._low or self._high, self._high or self._low)
        return None

    def clamp(self, offset: float) -> float:
        ends = self._ends()
        return offset if ends is None else min(max(offset, -ends[0]), ends[1])

    def fraction(self, offset: float, unknown: float) -> float:
        ends = self._ends()
        if ends is None:
            return unknown
        end = ends[0] if offset < 0 else ends[1]
        return min(max(offset / end, -1.0), 1.0) if end > 0 else 0.0


@dataclass(frozen=True)
class _Step:
    """The way from a frame to an instant after it."""

    #: How long the frame's velocity has been followed.
    seconds: float
    #: How long the velocity of the frame before had been followed when this frame arrived.
    missed_seconds: float = 0.0
    #: How far ahead the frame was drawn then.
    ahead_seconds: float = 0.0
    #: The share of the miss that is left, 0...1.
    missed_share: float = 0.0

    def position(self, offset: float, velocity: float, before: Optional[Tuple[float, float]]) -> float:
        drawn = offset + velocity * self.ahead_seconds
        miss = 0.0 if before is None else before[0] + before[1] * self.missed_seconds - drawn
        return offset + velocity * self.seconds + miss * self.missed_share


class Timeline:
    """The last frames of a stream. It has no clock: the instant is always an argument."""

    def __init__(self) -> None:
        self._frames: List[_Frame] = []
        self._is_live = True
        self._range_x: _Range = None
        self._range_y: _Range = None
        self._depths: Optional[Mapping[str, float]] = None
        #: Whether the daemon has answered a request of this connection.
        self._is_answered = False

    def request(self, depths: Optional[Mapping[str, float]]) -> None:
        """Every frame then has these layers; None: those of the daemon."""
        self._depths = depths
        self._frames = [replace(frame, offset=self._completed(frame.offset)) for frame in self._frames]

    def completed(self, message: Message) -> Message:
        """Returns the message; an OFFSET without the requested layers gets them.

        Until the daemon has answered the request, its frames have other layers, maybe with the same names."""
        return self._completed(message) if isinstance(message, Offset) else message

    def _completed(self, offset: Offset) -> Offset:
        depths = self._depths
        if depths is None or self._is_answered and all(name in offset.layers for name in depths):
            return offset
        motion_x = _motion(offset, offset.x, offset.nx, self._range_x)
        motion_y = _motion(offset, offset.y, offset.ny, self._range_y)
        # A layer moves by its depth, and an animation adds as much to each.
        layers = {
            name: Layer(
                offset.x + (depth - 1) * motion_x, offset.y + (depth - 1) * motion_y,
                None if offset.vx is None else depth * offset.vx, None if offset.vy is None else depth * offset.vy)
            for name, depth in sorted(depths.items())}
        return replace(offset, layers=layers)

    def add(self, message: Message) -> None:
        """Adds a message of the stream, in order. VERSION starts a new stream."""
        if isinstance(message, Offset):
            self._add(self._completed(message))
        elif isinstance(message, Gate):
            self._is_live = message.open
        elif isinstance(message, Device):
            self._is_live = message.state == "streaming"
            self._range_x, self._range_y = message.range_x, message.range_y
        elif isinstance(message, WatchAnswer):
            self._is_answered = True
        elif isinstance(message, Version):
            depths = self._depths
            self.__init__()  # type: ignore[misc]
            self._depths = depths

    def _add(self, offset: Offset) -> None:
        if offset.time_ns < 0:
            return
        if self._frames:
            last = self._frames[-1].offset
            if offset.time_ns <= last.time_ns or offset.seq <= last.seq:
                self._frames.clear()
        self._frames.append(_Frame(offset, self._is_live))
        del self._frames[:-_CAPACITY]

    def offset_at(self, time: float, ahead: float = 0) -> Optional[Offset]:
        """Returns the offset at an instant, in seconds of CLOCK_MONOTONIC; None before the first frame.

        `time` is when the picture becomes visible, and `ahead` how long before that it is drawn, 0 to 1 s: a display
        of 60 Hz that shows a picture at its next refresh draws 1/60 s ahead. A frame that arrives meanwhile is too late
        for that picture, so each line is followed for as much longer."""
        return self.offset_at_ns(round(time * 1e9), round(ahead * 1e9))

    def offset_at_ns(self, instant: int, ahead: int = 0) -> Optional[Offset]:
        """As `offset_at`, in nanoseconds."""
        if not self._frames:
            return None
        first, last = self._frames[0], self._frames[-1]
        if instant <= first.time:
            return _drawn(first.offset, instant)
        if instant >= last.time:
            return _drawn(self._extrapolated(instant, min(max(ahead, 0), _MAX_AHEAD)), instant)
        index = next(k for k, frame in enumerate(self._frames) if frame.time >= instant)
        before, after = self._frames[index - 1], self._frames[index]
        interval = after.time - before.time
        period = self._period() or interval
        # Frames that are far apart: at rest, or lost. The earlier offset holds until a period before the later.
        ramp = period if interval > 2 * period else interval
        fraction = 1 - (after.time - instant) / ramp
        if fraction <= 0:
            return _drawn(before.offset, instant)
        return _drawn(_interpolated(before.offset, after.offset, fraction, fraction), instant)

    def moving_until(self, ahead: float = 0) -> float:
        """Returns the instant, in seconds, from which `offset_at` stays the same until the next frame."""
        if not self._frames:
            return 0.0
        last, period = self._frames[-1], self._period()
        after = 0
        if last.has_velocity and (last.is_live or not last.is_zero):
            ahead_ns = min(max(round(ahead * 1e9), 0), _MAX_AHEAD)
            after = max(_reach(last, ahead_ns), 0 if period is None else round(0.75 * period) + ahead_ns)
        elif not last.has_velocity and period is not None:
            after = period
        return (last.time + after) * 1e-9

    def _period(self) -> Optional[int]:
        """The shortest interval between the kept frames, in ns."""
        return min((b.time - a.time for a, b in zip(self._frames, self._frames[1:])), default=None)

    def _extrapolated(self, instant: int, ahead: int) -> Offset:
        last, period = self._frames[-1], self._period()
        if last.has_velocity:
            return self._followed(instant, ahead)
        if not self._is_live or last.is_zero or period is None:
            return last.offset
        before = self._frames[-2]
        interval = last.time - before.time
        if interval > 2 * period:
            return last.offset
        beyond = min(instant - last.time, period) / interval
        return _interpolated(
            before.offset, last.offset, 1 + _limited(beyond, before.offset.nx, last.offset.nx),
            1 + _limited(beyond, before.offset.ny, last.offset.ny))

    def _followed(self, instant: int, ahead: int) -> Offset:
        last, period = self._frames[-1], self._period()
        if not last.is_live and last.is_zero:
            return last.offset
        elapsed, reach = instant - last.time, _reach(last, ahead)
        seconds = min(elapsed, reach) * 1e-9
        if period is None:
            return self._stepped(last, None, _Step(seconds))
        before = self._frames[-2]
        step = _Step(
            seconds, min(last.time - before.time + ahead, _reach(before, ahead)) * 1e-9, min(ahead, reach) * 1e-9,
            min(max(0.0, 1 - (elapsed - ahead) / (0.75 * period)), 1.0))
        return self._stepped(last, before, step)

    def _bounds(self, given: _Range, values: Callable[[Offset], Tuple[float, float]]) -> _Bounds:
        bounds = _Bounds(given)
        for frame in self._frames:
            if frame.has_velocity:
                bounds.add(*values(frame.offset))
        return bounds

    def _stepped(self, last: _Frame, before: Optional[_Frame], step: _Step) -> Offset:
        now = last.offset
        bounds_x = self._bounds(self._range_x, lambda offset: (offset.x, offset.nx))
        bounds_y = self._bounds(self._range_y, lambda offset: (offset.y, offset.ny))
        (vx, vy), (old_vx, old_vy) = last.velocity(), before.velocity() if before else (0.0, 0.0)
        free_x = step.position(now.x, vx, (before.offset.x, old_vx) if before else None)
        free_y = step.position(now.y, vy, (before.offset.y, old_vy) if before else None)
        x, y = bounds_x.clamp(free_x), bounds_y.clamp(free_y)
        layers: Dict[str, Layer] = {}
        for name, layer in now.layers.items():
            own = last.layer_velocity(name)
            place = before.offset.layers.get(name) if before else None
            old = before.layer_velocity(name) if before else (0.0, 0.0)
            layer_x = step.position(layer.x, own[0], (place.x, old[0]) if place else None)
            layer_y = step.position(layer.y, own[1], (place.y, old[1]) if place else None)
            # What the range takes from the motion, it takes from the layers.
            layers[name] = replace(
                layer, x=_shortened(layer_x, layer.x, free_x, x, now.x),
                y=_shortened(layer_y, layer.y, free_y, y, now.y))
        return replace(
            now, x=x, y=y, nx=bounds_x.fraction(x, now.nx), ny=bounds_y.fraction(y, now.ny), layers=layers)


def _reach(frame: _Frame, ahead: int) -> int:
    """How long a frame's velocity is followed, in ns."""
    return _REACH + ahead if frame.is_live else 0


def _motion(offset: Offset, place: float, fraction: float, given: _Range) -> float:
    """Returns the motion without what an animation adds; a frame without a velocity may be of one."""
    if offset.vx is not None or given is None:
        return place
    return fraction * (-given[0] if fraction < 0 else given[1])


def _drawn(offset: Offset, instant: int) -> Offset:
    """An offset at an instant has no velocity of its own."""
    layers = {name: replace(layer, vx=None, vy=None) for name, layer in offset.layers.items()}
    return replace(offset, layers=layers, vx=None, vy=None, time_ns=instant, dropped=None)


def _shortened(value: float, start: float, free: float, limited: float, origin: float) -> float:
    """Returns the same share of the way from `start` as is left of the way of the motion."""
    if limited == free or free == origin:
        return value
    return start + (value - start) * (limited - origin) / (free - origin)


def _limited(steps: float, start: float, end: float) -> float:
    """Returns how far a step from one fraction of the range to another can continue, in steps."""
    step = end - start
    if step == 0:
        return steps
    distance = 1 - end if step > 0 else 1 + end
    return min(steps, max(0.0, distance / abs(step)))


def _mix(start: float, end: float, fraction: float) -> float:
    return start + (end - start) * fraction


def _mix_pose(start: Optional[float], end: Optional[float], fraction: float, rest: float) -> Optional[float]:
    if start is None and end is None:
        return None
    return _mix(rest if start is None else start, rest if end is None else end, fraction)


def _mix_scale_y(a: Union[Layer, Offset], b: Union[Layer, Offset], fraction: float) -> Optional[float]:
    """Without a scale downward, the one to the right holds."""
    if a.scale_y is None and b.scale_y is None:
        return None
    start = a.scale if a.scale_y is None else a.scale_y
    end = b.scale if b.scale_y is None else b.scale_y
    return _mix_pose(start, end, fraction, 1.0)


def _unit(value: Optional[float]) -> Optional[float]:
    return None if value is None else min(max(value, 0.0), 1.0)


def _interpolated(a: Offset, b: Offset, fraction_x: float, fraction_y: float) -> Offset:
    """Returns the offset on the line through two; a pose that only one of them has is at rest in the other."""
    both = min(fraction_x, fraction_y)
    layers: Dict[str, Layer] = {}
    for name, place in b.layers.items():
        before = a.layers.get(name)
        if before is None:
            layers[name] = place
            continue
        layers[name] = Layer(
            _mix(before.x, place.x, fraction_x), _mix(before.y, place.y, fraction_y),
            rotation=_mix_pose(before.rotation, place.rotation, both, 0.0),
            scale=_mix_pose(before.scale, place.scale, both, 1.0), scale_y=_mix_scale_y(before, place, both),
            opacity=_unit(_mix_pose(before.opacity, place.opacity, both, 1.0)))
    return replace(
        b, x=_mix(a.x, b.x, fraction_x), y=_mix(a.y, b.y, fraction_y), nx=_mix(a.nx, b.nx, fraction_x),
        ny=_mix(a.ny, b.ny, fraction_y), layers=layers,
        rotation=_mix_pose(a.rotation, b.rotation, both, 0.0), scale=_mix_pose(a.scale, b.scale, both, 1.0),
        scale_y=_mix_scale_y(a, b, both), opacity=_unit(_mix_pose(a.opacity, b.opacity, both, 1.0)))
