import time
from contextlib import closing
from typing import IO, Any, Dict, Generator, Iterable, Iterator, Mapping, Optional

from . import types
from ._call_ends import CallEnds
from ._pages import read_all, read_page, read_updates
from ._transport import Transport, segment
from .errors import RequestTimeoutError

Filter = Mapping[str, Any]
_FORMATS = ("wav", "ogg", "mp3")


class Calls:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._ends = CallEnds(transport)

    def place(
        self,
        extension: str,
        called: str,
        *,
        caller: Optional[str] = None,
        metadata: Optional[Mapping[str, Any]] = None,
        idempotency_key: Optional[str] = None,
        allow_duplicate: bool = False,
    ) -> types.PlacedCall:
        """`allow_duplicate` places the call although an equal one rings."""
        body: Dict[str, Any] = {"extension": extension, "called": called}
        if caller is not None:
            body["caller"] = caller
        if metadata is not None:
            body["metadata"] = metadata
        headers = {"X-Allow-Duplicate": "true"} if allow_duplicate else None
        return self._transport.send(
            "POST", "/calls", body=body, headers=headers, idempotency_key=idempotency_key
        )

    def get(self, id: str) -> types.CallDetail:
        return self._transport.send("GET", f"/calls/{segment(id)}")

    def wait_for_end(
        self, id: str, *, poll_interval: float = 2.0, timeout: float = float("inf")
    ) -> types.CallDetail:
        """The call once it is over; RequestTimeoutError after `timeout` seconds."""
        with closing(self.wait_for_ends([id], poll_interval=poll_interval, timeout=timeout)) as ends:
            return next(ends)

    def wait_for_ends(
        self, ids: Iterable[str], *, poll_interval: float = 2.0, timeout: float = float("inf")
    ) -> Generator[types.CallDetail, None, None]:
        """
        Each of these calls as it ends; RequestTimeoutError after `timeout` seconds. One request every `poll_interval`
        seconds serves all calls that this client waits for, in whatever threads.
        """
        end = time.monotonic() + timeout
        wait = self._ends.begin(ids)
        try:
            for id in list(wait.left):
                call = self.get(id)
                if call["ended_at"] is not None and wait.remove(id):
                    yield call
            while wait.left or wait.over:
                if wait.over:
                    yield self.get(wait.over.pop(0))
                    continue
                left = end - time.monotonic()
                if left <= 0:
                    raise RequestTimeoutError(f"not over after {timeout} s: {', '.join(list(wait.left))}")
                self._ends.next(min(poll_interval, left))
        finally:
            self._ends.end(wait)

    def list(self, filter: Optional[Filter] = None) -> Iterator[types.CallRecord]:
        """Every call that matches, page after page, newest first."""
        return read_all(self._transport, "/calls", filter)

    def page(
        self, filter: Optional[Filter] = None, *, page: int = 1, cursor: Optional[str] = None
    ) -> types.CallPage:
        """One page: `data`, and `meta` with `nextCursor`."""
        return read_page(self._transport, "/calls", filter, page, cursor)  # type: ignore[return-value]

    def updates(
        self, since: Optional[str] = None, *, cursor: Optional[str] = None, limit: Optional[int] = None
    ) -> Iterator[types.CallUpdates]:
        """Pages of calls that are new or were changed, from the time `since` or behind the page with `cursor`."""
        return read_updates(self._transport, "/calls/updated", since, cursor, limit)

    def hangup(self, id: str) -> types.PlacedCall:
        return self._transport.send("POST", f"/calls/{segment(id)}/hangup")

    def send_keys(self, id: str, digits: str, to: str = "destination") -> types.PlacedCall:
        return self._transport.send("POST", f"/calls/{segment(id)}/dtmf", body={"digits": digits, "to": to})

    def transfer(self, id: str, to: str) -> types.TransferredCall:
        """Connects the far side to an extension or a number."""
        return self._transport.send("POST", f"/calls/{segment(id)}/transfer", body={"to": to})

    def recording(
        self,
        id: str,
        *,
        format: Optional[str] = None,
        channels: Optional[int] = None,
        first: Optional[str] = None,
        range: Optional[str] = None,
    ) -> IO[bytes]:
        """
        The sound, to be read as it arrives: a file and context manager. `format` is wav (by default), ogg or mp3, which needs
        a program at the service: without it, 406 FORMAT_UNAVAILABLE. `channels=1` mixes both parties, `first="caller"` puts
        the caller on channel 1, `range="bytes=0-1023"` reads a part.
        """
        if format is not None and format not in _FORMATS:
            raise ValueError(f"format is wav, ogg or mp3, not {format}")
        name = "recording" if format is None else f"recording.{format}"
        headers = {"Accept": "*/*", **({"Range": range} if range else {})}
        query = {"channels": channels, "first": first}
        return self._transport.open("GET", f"/calls/{segment(id)}/{name}", query=query, headers=headers)
