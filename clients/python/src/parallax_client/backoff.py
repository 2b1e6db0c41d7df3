# SPDX-License-Identifier: Apache-2.0
"""How long a stream waits before it connects again."""
import enum
import random
from dataclasses import dataclass
from typing import Callable


class ConnectionState(enum.Enum):
    """The state of a stream's connection."""

    CONNECTING = "connecting"
    CONNECTED = "connected"
    #: No daemon answered; the stream waits before it tries again.
    WAITING = "waiting"
    CLOSED = "closed"


@dataclass(frozen=True)
class Backoff:
    """Retries forever; the bound of the wait doubles each time, from `first` to `longest` seconds.

    Each wait is random, between half its bound and the bound: the clients of a restarted daemon do not connect all
    at once. A connection that lasts longer than `longest` resets the bound."""

    first: float = 0.1
    longest: float = 5.0


class RetryTimer:
    """Counts failures and computes waits. It has no clock."""

    def __init__(self, backoff: Backoff, random_share: Callable[[], float] = random.random) -> None:
        self._first = max(backoff.first, 0.001)
        self._longest = max(backoff.longest, self._first)
        self._random = random_share
        self._failures = 0

    def wait_after(self, connected_seconds: float) -> float:
        """Returns the seconds to wait after a connection of that length; 0 for a failed attempt."""
        # A daemon that accepts a connection and ends it at once counts as a failed attempt.
        if connected_seconds > self._longest:
            self._failures = 0
        bound = min(self._first * 2.0 ** min(self._failures, 30), self._longest)
        self._failures += 1
        return bound * (0.5 + 0.5 * self._random())
