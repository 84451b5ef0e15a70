"""Calls that end: one request in turn serves all threads that wait, however many calls there are."""
import time
from threading import Lock
from typing import Any, Dict, Iterable, List

from ._transport import Transport

#: Later than every change: the answer has none, and the cursor of now.
_TIME_TO_COME = "9999-01-01T00:00:00Z"
_LIMIT = 1000


class Wait:
    """Calls that somebody waits for: those that are not known to be over, and those that are, until they are taken."""

    def __init__(self, ids: Iterable[str]) -> None:
        self.left = dict.fromkeys(ids, True)
        self.over: List[str] = []

    def remove(self, id: str) -> bool:
        """Says that a call is over; False if that was known."""
        return self.left.pop(id, False)


class CallEnds:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._lock = Lock()
        self._waits: List[Wait] = []
        self._cursor = ""
        self._read_at = 0.0

    def begin(self, ids: Iterable[str]) -> Wait:
        """From here on no end of these calls is missed."""
        wait = Wait(ids)
        with self._lock:
            if not self._waits:
                self._cursor = self._request(updated_since=_TIME_TO_COME, limit=1)["cursor"]
                self._read_at = time.monotonic()
            self._waits.append(wait)
        return wait

    def end(self, wait: Wait) -> None:
        with self._lock:
            self._waits.remove(wait)

    def next(self, interval: float) -> None:
        """Returns after the next request, which is sent `interval` seconds after the last one, whoever sends it."""
        time.sleep(max(0.0, self._read_at + interval - time.monotonic()))
        with self._lock:
            if self._read_at + interval > time.monotonic():
                return
            try:
                self._read()
            finally:
                self._read_at = time.monotonic()

    def _read(self) -> None:
        more = True
        while more:
            page = self._request(cursor=self._cursor, limit=_LIMIT)
            for call in page["data"]:
                if call["ended_at"] is not None:
                    self._over(call["id"])
            self._cursor, more = page["cursor"], page["more"]

    def _over(self, id: str) -> None:
        for wait in self._waits:
            if wait.remove(id):
                wait.over.append(id)

    def _request(self, **query: Any) -> Dict[str, Any]:
        return self._transport.send("GET", "/calls/updated", query=query)
