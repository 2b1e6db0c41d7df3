# SPDX-License-Identifier: Apache-2.0
"""Client of parallaxd: the stream of offsets, the offset at any instant, control, and samples for the daemon.

    from parallax_client import Stream

    with Stream() as stream:
        for message in stream:
            print(message)

`Stream` is for plain programs, `AsyncStream` for asyncio; both connect again by themselves. `Timeline` has no
connection and no clock. `Feed` and `AsyncFeed` send the samples of a gyroscope to the daemon."""
from .aio import AsyncStream
from .backoff import Backoff, ConnectionState
from .control import Control, ControlError
from .errors import ClosedError, IncompatibleError, NoDaemonError, ParallaxError
from .feed import AsyncFeed, Feed, Sample
from .messages import (
    Animation, Device, Error, Gate, Layer, Message, Offset, Version, WatchAnswer, parse)
from .sockets import candidates
from .stream import Stream
from .timeline import Timeline
from .watch import Watch

__all__ = [
    "Animation", "AsyncFeed", "AsyncStream", "Backoff", "ClosedError", "ConnectionState", "Control", "ControlError",
    "Device", "Error", "Feed", "Gate", "IncompatibleError", "Layer", "Message", "NoDaemonError", "Offset",
    "ParallaxError", "Sample", "Stream", "Timeline", "Version", "Watch", "WatchAnswer", "candidates", "parse"]
