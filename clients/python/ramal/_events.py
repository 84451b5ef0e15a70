"""The feed of events. Keep the `cursor` of an event to go on behind it."""
import time
from typing import Any, Dict, Iterator, Optional

from . import types
from ._transport import Transport


class Events:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, after: Optional[str] = None, *, limit: Optional[int] = None) -> Iterator[types.FeedEvent]:
        """The events that there are now, behind the cursor `after` or from the oldest one kept."""
        more = True
        while more:
            page = self._page(after, limit)
            yield from page["data"]
            after, more = page["cursor"], page["more"]

    def follow(
        self,
        after: Optional[str] = None,
        *,
        limit: Optional[int] = None,
        poll_interval: float = 2.0,
        idle_timeout: float = float("inf"),
    ) -> Iterator[types.FeedEvent]:
        """
        The events that there are, and then those to come. Ends when nothing came for `idle_timeout` seconds; by default
        it goes on for ever.
        """
        idle_since = time.monotonic()
        while True:
            page = self._page(after, limit)
            yield from page["data"]
            after = page["cursor"]
            if page["data"]:
                idle_since = time.monotonic()
            if page["more"]:
                continue
            left = idle_since + idle_timeout - time.monotonic()
            if left <= 0:
                return
            time.sleep(min(poll_interval, left))

    def _page(self, after: Optional[str], limit: Optional[int]) -> Dict[str, Any]:
        return self._transport.send("GET", "/events", query={"after": after, "limit": limit})
