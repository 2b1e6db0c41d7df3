# SPDX-License-Identifier: Apache-2.0
"""The reasons why a stream ends by itself."""
import os
from typing import List, Tuple


class ParallaxError(Exception):
    """A stream or a request that cannot continue."""


class NoDaemonError(ParallaxError):
    """No daemon accepted a connection. `attempts` has each socket and its error number, in the order tried."""

    def __init__(self, attempts: List[Tuple[str, int]]) -> None:
        self.attempts = attempts
        tried = "; ".join("%s: %s" % (path, os.strerror(number)) for path, number in attempts)
        super().__init__(
            "no daemon answers (%s); start one with 'systemctl start parallax' or 'parallax run'" % tried)


class ClosedError(ParallaxError):
    """The daemon ended the connection."""

    def __init__(self, reason: str = "the daemon ended the connection") -> None:
        super().__init__(reason)


class IncompatibleError(ParallaxError):
    """The daemon's protocol has another major version. Retrying does not help."""

    def __init__(self, major: int, release: str) -> None:
        self.major = major
        self.release = release
        super().__init__(
            "the daemon (release %s) speaks protocol %d, this program 1; update the older of the two"
            % (release, major))
