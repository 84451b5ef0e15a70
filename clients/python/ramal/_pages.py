"""Lists in pages, read to their end by the cursor that each page gives for the next."""
from typing import Any, Dict, Iterator, Mapping, Optional

from ._transport import Transport


def read_page(
    transport: Transport,
    path: str,
    filter: Optional[Mapping[str, Any]] = None,
    page: int = 1,
    cursor: Optional[str] = None,
) -> Dict[str, Any]:
    query = {"page": page if cursor is None else None, "cursor": cursor, "filter": filter}
    return transport.send("GET", path, query=query)


def read_all(transport: Transport, path: str, filter: Optional[Mapping[str, Any]] = None) -> Iterator[Any]:
    cursor = None
    while True:
        page = read_page(transport, path, filter, cursor=cursor)
        yield from page["data"]
        cursor = page["meta"].get("nextCursor")
        if cursor is None:
            return
