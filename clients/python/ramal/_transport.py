"""One request: time-out, retries, errors. Nothing here knows a resource."""
import json
import random
import re
import socket
import time
import uuid
from http.client import HTTPException
from typing import Any, Callable, Dict, IO, Mapping, Optional, TypeVar
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode
from urllib.request import HTTPRedirectHandler, Request, build_opener

from .errors import ApiError, NetworkError, RequestTimeoutError, error_of

T = TypeVar("T")

#: Routes that honour an Idempotency-Key.
_KEYED = ("/calls", "/dialer", "/charges", "/users", "/extensions", "/extensions/next-available", "/contacts")
#: A second hang-up of the same call does no harm.
_HARMLESS = re.compile(r"^/calls/([^/]+/)?hangup$")
_LONGEST_BACK_OFF = 8.0


class _NoRedirects(HTTPRedirectHandler):
    """The token must not follow to another host."""

    def redirect_request(self, *_arguments: Any, **_named: Any) -> None:
        return None


def _bare_token(token: str) -> str:
    """A token as it was copied: with `Bearer`, or with the end of a line of its file."""
    return re.sub(r"^\s*bearer\s+", "", token, flags=re.IGNORECASE).strip()


class Transport:
    def __init__(
        self,
        base_url: str,
        token: Optional[str],
        timeout: float,
        max_retries: int,
        retry_delay: float,
        max_retry_wait: float,
        headers: Optional[Mapping[str, str]],
    ) -> None:
        if not base_url:
            raise ValueError("base_url is required, such as http://localhost:3000")
        base = base_url.strip().rstrip("/")
        if not base.lower().startswith(("http://", "https://")):
            raise ValueError("base_url must begin with http:// or https://, such as http://localhost:3000")
        self._base = (base[: -len("/api/v1")] if base.endswith("/api/v1") else base) + "/api/v1"
        self.token = None if token is None else _bare_token(token)
        self._timeout = timeout
        self._max_retries = max_retries
        self._retry_delay = retry_delay
        self._max_retry_wait = max_retry_wait
        self._headers = dict(headers or {})
        self._opener = build_opener(_NoRedirects)

    def send(self, method: str, path: str, **sending: Any) -> Any:
        """The JSON of the answer; None if it has none."""

        def read(response: IO[bytes]) -> Any:
            with response:
                text = response.read()
            return json.loads(text) if text else None

        return self._repeat(method, path, sending, read)

    def open(self, method: str, path: str, **sending: Any) -> IO[bytes]:
        """The body of the answer, still to be read."""
        return self._repeat(method, path, sending, lambda response: response)

    def _repeat(self, method: str, path: str, sending: Dict[str, Any], read: Callable[[IO[bytes]], T]) -> T:
        has_key = method == "POST" and path in _KEYED
        is_safe = has_key or method not in ("POST", "PATCH") or bool(_HARMLESS.match(path))
        key = sending.pop("idempotency_key", None)
        if has_key:
            sending["key"] = key or str(uuid.uuid4())
        attempt = 0
        while True:
            try:
                return self._attempt(method, path, read, **sending)
            except (ApiError, NetworkError) as error:
                if attempt >= self._max_retries or not _may_repeat(error, is_safe):
                    raise
                asked = getattr(error, "retry_after", None)
                if asked is not None and asked > self._max_retry_wait:
                    raise
            back_off = min(self._retry_delay * 2**attempt, _LONGEST_BACK_OFF) * random.uniform(0.5, 1)
            time.sleep(back_off if asked is None else asked)
            attempt += 1

    def _attempt(
        self,
        method: str,
        path: str,
        read: Callable[[IO[bytes]], T],
        query: Optional[Mapping[str, Any]] = None,
        body: Any = None,
        headers: Optional[Mapping[str, str]] = None,
        key: Optional[str] = None,
    ) -> T:
        sent = {"accept": "application/json", "user-agent": "ramal-python/1.0.0"}
        if self.token is not None:
            sent["authorization"] = f"Bearer {self.token}"
        if body is not None:
            sent["content-type"] = "application/json"
        if key is not None:
            sent["idempotency-key"] = key
        sent.update({name.lower(): value for name, value in {**self._headers, **(headers or {})}.items()})
        data = None if body is None else json.dumps(body).encode()
        address = f"{self._base}{path}"
        request = Request(f"{address}{_query_text(query)}", data, sent, method=method)
        try:
            return read(self._opener.open(request, timeout=self._timeout))
        except HTTPError as answer:
            raise error_of(answer.code, answer.headers, _body_of(answer)) from None
        except ValueError as error:
            raise NetworkError(f"{method} {address}: the answer is not JSON") from error
        except (OSError, HTTPException) as error:
            reason = error.reason if isinstance(error, URLError) else error
            if isinstance(reason, socket.timeout):
                late = f"{method} {address}: no answer in {self._timeout} s"
                raise RequestTimeoutError(late) from error
            raise NetworkError(f"{method} {address}: {reason}") from error


def _may_repeat(error: Exception, is_safe: bool) -> bool:
    """
    A request that was refused before it was looked at is always repeated; one that may have been done, only if doing it twice is the
    same. Limits of an account are for the program to decide about.
    """
    if not isinstance(error, ApiError):
        return is_safe
    code = error.error_code
    if code == "RATE_LIMITED" or (error.status == 429 and code == "UNKNOWN"):
        return True
    return is_safe and (code == "IDEMPOTENCY_KEY_IN_USE" or error.status >= 500)


def _body_of(answer: HTTPError) -> bytes:
    try:
        with answer:
            return answer.read()
    except (OSError, HTTPException):
        return b""


def _query_text(query: Optional[Mapping[str, Any]]) -> str:
    pairs = [
        (name, json.dumps(value) if isinstance(value, (dict, list)) else str(value))
        for name, value in (query or {}).items()
        if value is not None
    ]
    return f"?{urlencode(pairs)}" if pairs else ""


def segment(value: Any) -> str:
    """A value as one segment of a path."""
    return quote(str(value), safe="")
