# SPDX-License-Identifier: Apache-2.0
"""The request that changes a stream."""
import json
from dataclasses import dataclass
from typing import Any, Dict, Mapping, Optional, Union


@dataclass(frozen=True)
class Watch:
    """WATCH: changes the fields that are given and keeps the others."""

    #: False: no OFFSETs, and the sensor is not kept on for this client.
    enable: Optional[bool] = None
    #: OFFSETs per second, above 0; values above 60 count as 60.
    rate: Optional[float] = None
    #: Names and depths (-10...10), at most 16; "configured": the daemon's layers again.
    layers: Union[Mapping[str, float], str, None] = None
    #: True: an OFFSET only if a value changed; a number: only after that many px; False: every OFFSET.
    on_change: Union[bool, float, None] = None
    #: `normal`, `left-up`, `bottom-up`, `right-up`, or `auto` for the daemon's.
    orientation: Optional[str] = None

    @property
    def depths(self) -> Optional[Mapping[str, float]]:
        """The names and depths of the requested layers; None: those of the daemon."""
        return None if isinstance(self.layers, str) else self.layers

    def merged(self, later: "Watch") -> "Watch":
        """Returns one request with the effect of both."""
        def last(old: Any, new: Any) -> Any:
            return old if new is None else new
        return Watch(
            last(self.enable, later.enable), last(self.rate, later.rate), last(self.layers, later.layers),
            last(self.on_change, later.on_change), last(self.orientation, later.orientation))

    def line(self) -> bytes:
        """Returns the request with its line feed."""
        fields: Dict[str, Any] = {"class": "WATCH"}
        for name in ("enable", "rate", "on_change", "orientation"):
            value = getattr(self, name)
            if value is not None:
                fields[name] = value
        if self.layers == "configured":
            fields["layers"] = None
        elif self.layers is not None:
            fields["layers"] = dict(self.layers)  # type: ignore[arg-type]
        return (json.dumps(fields, separators=(",", ":"), ensure_ascii=False, allow_nan=False) + "\n").encode()
