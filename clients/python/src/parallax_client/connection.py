# SPDX-License-Identifier: Apache-2.0
"""What plain programs and asyncio share: connecting, and the state between the bytes and the reader."""
import errno
import socket
from collections import deque
from dataclasses import replace
from typing import Callable, Deque, List, Optional, Tuple

from .errors import IncompatibleError, NoDaemonError
from .messages import Device, Gate, LineSplitter, Message, Offset, Version, parse
from .timeline import Timeline

PROTOCOL_MAJOR = 1


def connect(paths: List[str]) -> socket.socket:
    """Connects to the first of the paths on which a daemon listens; the socket does not block."""
    attempts: List[Tuple[str, int]] = []
    for path in paths:
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            connection.setblocking(False)
            connection.connect(path)
            return connection
        except OSError as error:
            connection.close()
            # A path that is too long has no number.
            attempts.append((path, error.errno or errno.ENAMETOOLONG))
    raise NoDaemonError(attempts)


class Decoder:
    """Turns the bytes of one connection into messages."""

    #: Whether the daemon has accepted the client.
    is_accepted = True

    def __init__(self) -> None:
        self._splitter = LineSplitter()

    @property
    def is_overlong(self) -> bool:
        """Whether the program on the socket is not parallaxd."""
        return self._splitter.is_overlong

    def messages(self, data: bytes) -> List[Message]:
        """Returns the messages in these bytes. Unknown classes and malformed lines are ignored."""
        found = []
        for line in self._splitter.add(data):
            message = self.read(line)
            if message is not None:
                found.append(message)
        return found

    def read(self, line: bytes) -> Optional[Message]:
        """Returns the message in a line."""
        return parse(line)

    def handed(self, message: Message) -> Message:
        """Returns the message that the program gets for this one."""
        return message

    def check(self, message: Message) -> None:
        """Raises the error for a message after which no connection helps."""


class StreamDecoder(Decoder):
    """Adds the messages to a timeline."""

    def __init__(self, timeline: Timeline) -> None:
        super().__init__()
        self._timeline = timeline

    def read(self, line: bytes) -> Optional[Message]:
        message = super().read(line)
        if message is None:
            return None
        self._timeline.add(message)
        return self._timeline.completed(message)

    def handed(self, message: Message) -> Message:
        # The program may have requested other layers since it was read.
        return self._timeline.completed(message)

    def check(self, message: Message) -> None:
        if isinstance(message, Version) and message.proto_major != PROTOCOL_MAJOR:
            raise IncompatibleError(message.proto_major, message.release)


class MessageQueue:
    """Messages that wait for a reader, in bounded memory: of OFFSETs it keeps the newest and adds the number of lost
    ones to the next one's `dropped`; of DEVICE and GATE it keeps the newest; of the others it drops the oldest."""

    OTHER_LIMIT = 64

    def __init__(self, offset_limit: int) -> None:
        self._limit = max(1, offset_limit)
        self._messages: Deque[Message] = deque()

    def __bool__(self) -> bool:
        return bool(self._messages)

    def pop(self) -> Message:
        return self._messages.popleft()

    def append(self, message: Message) -> None:
        for kind in (Device, Gate):
            if isinstance(message, kind):
                self._remove_first(lambda old: isinstance(old, kind))
        self._messages.append(message)
        offsets = sum(isinstance(old, Offset) for old in self._messages)
        if offsets > self._limit:
            self._drop_offset()
        elif len(self._messages) - offsets > self.OTHER_LIMIT:
            self._remove_first(lambda old: not isinstance(old, Offset))

    def _remove_first(self, fits: Callable[[Message], bool]) -> Optional[Message]:
        found = next((old for old in self._messages if fits(old)), None)
        if found is not None:
            self._messages.remove(found)
        return found

    def _drop_offset(self) -> None:
        lost = self._remove_first(lambda old: isinstance(old, Offset))
        for index, message in enumerate(self._messages):
            if isinstance(message, Offset) and isinstance(lost, Offset):
                dropped = (message.dropped or 0) + 1 + (lost.dropped or 0)
                self._messages[index] = replace(message, dropped=dropped)
                return
