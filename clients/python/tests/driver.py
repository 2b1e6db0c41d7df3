# SPDX-License-Identifier: Apache-2.0
"""The program by which Tests/Conformance/run.py drives this client: `driver.py table`, `stream` or `aio`."""
import asyncio
import json
import os
import sys
import threading
import time
from dataclasses import asdict
from typing import Any, Callable, Dict, Optional, Union

from parallax_client import (
    AsyncStream, Backoff, IncompatibleError, Message, NoDaemonError, Offset, ParallaxError, Stream, Timeline, Watch,
    WatchAnswer, parse)


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
            show(fields(timeline.offset_at(float(text))))


def watch_of(text: str) -> Watch:
    return Watch(**json.loads(text))


def options() -> Dict[str, Any]:
    first, _, longest = os.environ.get("DRIVER_BACKOFF", "0.1:5").partition(":")
    return {
        "watch": watch_of(os.environ["DRIVER_WATCH"]) if "DRIVER_WATCH" in os.environ else None,
        "backoff": None if first == "never" else Backoff(float(first), float(longest)),
        "on_state": lambda state: show({"state": state.value})}


def error_name(error: ParallaxError) -> str:
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


MODES: Dict[str, Callable[[], Any]] = {"table": table, "stream": plain, "aio": lambda: asyncio.run(aio())}
MODES[sys.argv[1]]()
