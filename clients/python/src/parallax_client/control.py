# SPDX-License-Identifier: Apache-2.0
"""Requests to the control socket."""
import json
import select
import socket
from types import TracebackType
from typing import Any, Dict, Iterator, List, Mapping, Optional, Type, Union

from .connection import connect
from .errors import ClosedError, ParallaxError
from .messages import Animation, LineSplitter, parse, read_fields
from .sockets import candidates


class ControlError(ParallaxError):
    """An ERROR of the daemon. `code` is for programs, the text says what is wrong and what to do."""

    def __init__(self, code: str, message: str, details: List[str]) -> None:
        self.code = code
        self.details = details
        super().__init__(message)


class Control:
    """A connection to the control socket. It waits for each answer, at most `timeout` seconds.

    What a request of this connection holds, an inhibition or an animation, ends with it."""

    def __init__(self, *, socket_path: Optional[str] = None, timeout: Optional[float] = 10) -> None:
        self._socket: socket.socket = connect(candidates(control=True, explicit=socket_path))
        self._socket.settimeout(timeout)
        self._timeout = timeout
        self._splitter = LineSplitter()
        self._lines: List[bytes] = []
        self._events: List[Animation] = []
        self._tag = 0

    def __enter__(self) -> "Control":
        return self

    def __exit__(
            self, kind: Optional[Type[BaseException]], error: Optional[BaseException],
            trace: Optional[TracebackType]) -> None:
        self.close()

    def close(self) -> None:
        """Ends the connection and what it holds."""
        self._socket.close()

    def status(self) -> Dict[str, Any]:
        """Returns the fields of STATUS."""
        return self.request("STATUS")

    def set(self, key: str, value: Union[str, float, bool, None]) -> None:
        """Sets `key` until the daemon ends; "auto" or None goes back to the configuration."""
        self.request("SET", key=key, value=value)

    def recenter(self) -> None:
        """Eases tilt to 0."""
        self.request("RECENTER")

    def reload(self) -> None:
        """Reads the configuration again."""
        self.request("RELOAD")

    def inhibit(self, reason: str) -> None:
        """Sets every offset to 0 until this connection ends. `reason`: 1 to 32 of a-z, 0-9, `-`."""
        self.request("INHIBIT", reason=reason)

    def play(
            self, animation: Union[str, Mapping[str, Any]], *, id: Optional[str] = None, layer: Optional[str] = None,
            detached: bool = False) -> str:
        """Starts an animation, an id or a document; returns its id. `animations` reports what happens to it.

        It is cancelled when this connection ends, unless `detached`."""
        fields: Dict[str, Any] = {"id": animation} if isinstance(animation, str) else {"document": dict(animation)}
        if id is not None:
            fields["id"] = id
        if layer is not None:
            fields["layer"] = layer
        if detached:
            fields["detached"] = True
        return str(self.request("PLAY", **fields).get("id", fields.get("id", "")))

    def stop(self, id: Optional[str] = None) -> None:
        """Cancels the animations with this id, or all, and removes what ended ones have left."""
        self.request("STOP", **({} if id is None else {"id": id}))

    def animations(self) -> Iterator[Animation]:
        """Returns the ANIMATION lines of this connection as they come, without a time limit."""
        while True:
            while self._events:
                yield self._events.pop(0)
            select.select([] if self._lines else [self._socket], [], [], 0 if self._lines else None)
            message = parse(self._line())
            if isinstance(message, Animation):
                yield message

    def request(self, name: str, **fields: Any) -> Dict[str, Any]:
        """Sends any request and returns the fields of its answer.

        Raises ControlError for an ERROR, ClosedError at the end of the connection, TimeoutError."""
        self._tag += 1
        line = json.dumps({"class": name, "tag": self._tag, **fields}, separators=(",", ":"), allow_nan=False)
        try:
            self._socket.sendall(line.encode() + b"\n")
        except BrokenPipeError:
            pass  # A daemon that refuses a client sends an ERROR before any request. It is read below.
        while True:
            line_read = self._line()
            answer = read_fields(line_read) or {}
            kind = answer.get("class")
            message = parse(line_read) if kind == "ANIMATION" else None
            if isinstance(message, Animation):
                self._events.append(message)
            if kind not in ("ACK", "STATUS", "ERROR") or answer.get("tag", self._tag) != self._tag:
                continue
            if kind == "ERROR":
                raise ControlError(
                    str(answer.get("code", "")), str(answer.get("message", "")), list(answer.get("details", [])))
            return {name: value for name, value in answer.items() if name not in ("class", "tag")}

    def _line(self) -> bytes:
        while not self._lines:
            try:
                data = self._socket.recv(16384)
            except socket.timeout:
                raise TimeoutError("the daemon did not answer within %s s" % self._timeout) from None
            except ConnectionError:
                raise ClosedError() from None
            if not data:
                raise ClosedError()
            self._lines += self._splitter.add(data)
            if self._splitter.is_overlong:
                raise ClosedError("the program on the socket is not parallaxd")
        return self._lines.pop(0)
