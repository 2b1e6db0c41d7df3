# SPDX-License-Identifier: Apache-2.0
"""The program by which Tests/Conformance/run.py drives this client: `driver.py table`, `stream`, `aio`, `feed` or
`aio-feed`."""
import asyncio
import json
import os
import sys
import threading
import time
from dataclasses import asdict
from typing import Any, Callable, Dict, Optional, Union

from parallax_client import (
    AsyncFeed, AsyncStream, Backoff, ConnectionState, ControlError, Feed, IncompatibleError, Message, NoDaemonError,
    Offset, ParallaxError, Stream, Timeline, Watch, WatchAnswer, parse)


def show(value: Any) -> None:
    # One call a line: print() writes the line's end by itself, and the other thread's line can come between.
    os.write(sys.stdout.fileno(), (json.dumps(value) + "\n").encode())


def fields(message: Optional[Message]) -> Optional[Dict[str, Any]]:
    """The common form: the fields that are not left out."""
    if message is None:
        return None
    if isinstance(message, WatchAnswer):
        return {"class": "WATCH"}
    values = {name: value for name, value in asdict(message).items() if value is not None}
    values["class"] = type(message).__name__.upper()
    if isinstance(message, Offset):
        values["time"] = values.pop("time_ns") / 1e9
        values["layers"] = {
            name: {key: number for key, number in layer.items() if number is not None}
            for name, layer in values["layers"].items()}
    return values


def table() -> None:
    timeline = Timeline()
    for line in sys.stdin.buffer:
        command, _, text = line.rstrip(b"\n").partition(b" ")
        if command == b"reset":
            timeline = Timeline()
        elif command == b"line":
            message = parse(text)
            if message is not None:
                timeline.add(message)
        else:
            show(fields(timeline.offset_at(*(float(number) for number in text.split()))))


def watch_of(text: str) -> Watch:
    return Watch(**json.loads(text))


def backoff() -> Optional[Backoff]:
    first, _, longest = os.environ.get("DRIVER_BACKOFF", "0.1:5").partition(":")
    return None if first == "never" else Backoff(float(first), float(longest))


def show_state(state: ConnectionState) -> None:
    show({"state": state.value})


def options() -> Dict[str, Any]:
    return {
        "watch": watch_of(os.environ["DRIVER_WATCH"]) if "DRIVER_WATCH" in os.environ else None,
        "backoff": backoff(), "on_state": show_state}


def feed_options() -> Dict[str, Any]:
    values = {name: os.environ.get("DRIVER_" + name.upper()) for name in ("clock", "rate", "matrix")}
    return {
        "name": os.environ["DRIVER_FEED"], "clock": values["clock"] or "sender",
        "rate": float(values["rate"]) if values["rate"] else None, "mount_matrix": values["matrix"],
        "backoff": backoff()}


def error_name(error: ParallaxError) -> str:
    if isinstance(error, ControlError):
        return error.code
    kinds = {IncompatibleError: "incompatible", NoDaemonError: "no-daemon"}
    return kinds.get(type(error), "closed")


def obey(stream: Union[Stream, AsyncStream], line: str) -> bool:
    """Returns False for `close`."""
    command, _, text = line.strip().partition(" ")
    if command == "watch":
        stream.send(watch_of(text))
    elif command == "poll":
        stream.poll()
    elif command == "at":
        show({"at": fields(stream.offset_at(float(text) if text else time.monotonic()))})
    return command != "close"


def obey_feed(feed: Union[Feed, AsyncFeed], line: str) -> None:
    command, *words = line.split()
    numbers = [float(word) for word in words]
    if command == "sample":
        *stamp, x, y, z = numbers
        show({"sent": int(feed.send(x, y, z, *stamp))})
    elif command == "samples":
        rows = [(numbers[k], numbers[k + 1], numbers[k + 2], numbers[k + 3]) for k in range(0, len(numbers), 4)]
        show({"sent": len(rows) if feed.send_samples(rows) else 0})
    elif command == "flood":
        count = 0
        while count < numbers[0] and feed.send(count, 0, 0):
            count += 1
        show({"sent": count})
    elif command == "wanted":
        show({"wanted": feed.is_wanted})


def plain() -> None:
    stream = Stream(**options())

    def commands() -> None:
        for line in sys.stdin:
            if not obey(stream, line):
                break
        stream.close()

    threading.Thread(target=commands, daemon=True).start()
    try:
        for message in stream:
            show({"message": fields(message)})
    except ParallaxError as error:
        show({"error": error_name(error)})


async def aio() -> None:
    async with AsyncStream(**options()) as stream:
        loop = asyncio.get_running_loop()

        def commands() -> None:
            for line in sys.stdin:
                if line.strip() == "close":
                    break
                loop.call_soon_threadsafe(obey, stream, line)
            asyncio.run_coroutine_threadsafe(stream.close(), loop)

        threading.Thread(target=commands, daemon=True).start()
        try:
            async for message in stream:
                show({"message": fields(message)})
        except ParallaxError as error:
            show({"error": error_name(error)})


def plain_feed() -> None:
    ended = threading.Event()

    def on_state(state: ConnectionState) -> None:
        show_state(state)
        if state is ConnectionState.CLOSED:
            ended.set()

    feed = Feed(**feed_options(), on_state=on_state)

    def commands() -> None:
        for line in sys.stdin:
            if line.strip() == "close":
                break
            obey_feed(feed, line)
        feed.close()

    feed.start(lambda message: show({"message": fields(message)}))
    threading.Thread(target=commands, daemon=True).start()
    ended.wait()
    if feed.error is not None:
        show({"error": error_name(feed.error), "text": str(feed.error)})


async def aio_feed() -> None:
    async with AsyncFeed(**feed_options(), on_state=show_state) as feed:
        loop = asyncio.get_running_loop()

        def commands() -> None:
            for line in sys.stdin:
                if line.strip() == "close":
                    break
                loop.call_soon_threadsafe(obey_feed, feed, line)
            asyncio.run_coroutine_threadsafe(feed.close(), loop)

        threading.Thread(target=commands, daemon=True).start()
        try:
            async for message in feed:
                show({"message": fields(message)})
        except ParallaxError as error:
            show({"error": error_name(error), "text": str(error)})


MODES: Dict[str, Callable[[], Any]] = {
    "table": table, "stream": plain, "aio": lambda: asyncio.run(aio()), "feed": plain_feed,
    "aio-feed": lambda: asyncio.run(aio_feed())}
MODES[sys.argv[1]]()
