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


def read_updates(
    transport: Transport,
    path: str,
    since: Optional[str] = None,
    cursor: Optional[str] = None,
    limit: Optional[int] = None,
) -> Iterator[Any]:
    """Pages of changed records up to now. Store the records of a page by their id, then keep its `cursor`."""
    more = True
    while more:
        query = {"updated_since": since if cursor is None else None, "cursor": cursor, "limit": limit}
        page = transport.send("GET", path, query=query)
        yield page
        cursor, more = page["cursor"], page["more"]
