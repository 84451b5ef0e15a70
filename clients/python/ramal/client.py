"""The client and its resources. Routes that have no method here: `Ramal.request`."""
from typing import IO, Any, Callable, Iterator, List, Mapping, Optional, Union, cast

from . import types
from ._calls import Calls
from ._events import Events
from ._pages import read_all, read_updates
from ._transport import Transport, segment
from .errors import SecondFactorRequiredError

Filter = Mapping[str, Any]
#: Of a record: one dictionary, keywords, or both.
Fields = Mapping[str, Any]


class Ramal:
    """
    `base_url` is that of the service, with or without `/api/v1`. Times are seconds: `timeout` until an attempt without
    an answer is given up, `retry_delay` before the first repetition (doubled for each further one), `max_retry_wait` the
    longest that the service may ask for. As a context manager it ends the token that `login` got.
    """

    def __init__(
        self,
        base_url: str,
        token: Optional[str] = None,
        *,
        timeout: float = 30.0,
        max_retries: int = 2,
        retry_delay: float = 0.5,
        max_retry_wait: float = 60.0,
        headers: Optional[Mapping[str, str]] = None,
    ) -> None:
        transport = Transport(base_url, token, timeout, max_retries, retry_delay, max_retry_wait, headers)
        self._transport = transport
        self._logged_in = False
        self.calls = Calls(transport)
        self.events = Events(transport)
        self.extensions = Extensions(transport)
        self.integrations = Integrations(transport)
        self.charges = Charges(transport)
        self.credits = Credits(transport)
        self.users = Users(transport)

    @property
    def token(self) -> Optional[str]:
        """The access token in use."""
        return self._transport.token

    def login(
        self,
        email: str,
        password: str,
        *,
        code: Union[str, Callable[[], str], None] = None,
        ttl: Optional[int] = None,
    ) -> types.AccessToken:
        """
        Logs in and uses the new token from now on. `code` is that of the second factor, or a function that is called only
        if one is required.
        """
        body = {"email": email, "password": password, "ttl": ttl, "code": None if callable(code) else code}
        try:
            answer = self._transport.send("POST", "/users/login", body=_given(body))
        except SecondFactorRequiredError:
            if not callable(code):
                raise
            answer = self._transport.send("POST", "/users/login", body=_given({**body, "code": code()}))
        self._transport.token = answer["id"]
        self._logged_in = True
        return cast(types.AccessToken, answer)

    def logout(self) -> None:
        """Ends the token."""
        self._transport.send("POST", "/users/logout")
        self._transport.token = None
        self._logged_in = False

    def __enter__(self) -> "Ramal":
        return self

    def __exit__(self, *_error: Any) -> None:
        if self._logged_in:
            self.logout()

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Mapping[str, Any]] = None,
        body: Any = None,
        headers: Optional[Mapping[str, str]] = None,
        idempotency_key: Optional[str] = None,
    ) -> Any:
        """Any route of the API: `request("GET", "/numbers")`."""
        return self._transport.send(
            method, path, query=query, body=body, headers=headers, idempotency_key=idempotency_key
        )

    def stream(self, method: str, path: str, *, query: Optional[Mapping[str, Any]] = None) -> IO[bytes]:
        """The same, with the body as a file to read: `stream("GET", "/calls", query={"format": "csv"})`."""
        return self._transport.open(method, path, query=query, headers={"Accept": "*/*"})


class _Resource:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def _create(self, path: str, body: Fields, idempotency_key: Optional[str]) -> Any:
        return self._transport.send("POST", path, body=body, idempotency_key=idempotency_key)


class Extensions(_Resource):
    def list(self, filter: Optional[Filter] = None) -> List[types.Extension]:
        return self._transport.send("GET", "/extensions", query={"filter": filter})

    def get(self, id: int) -> types.Extension:
        return self._transport.send("GET", f"/extensions/{segment(id)}")

    def create(
        self, extension: Fields = {}, /, *, idempotency_key: Optional[str] = None, **fields: Any
    ) -> types.Extension:
        return self._create("/extensions", {**extension, **fields}, idempotency_key)

    def create_next(
        self, extension: Fields = {}, /, *, idempotency_key: Optional[str] = None, **fields: Any
    ) -> types.Extension:
        """On the next free number."""
        return self._create("/extensions/next-available", {**extension, **fields}, idempotency_key)

    def update(self, id: int, **fields: Any) -> types.Extension:
        return self._transport.send("PATCH", "/extensions", body={"id": id, **fields})

    def delete(self, id: int) -> None:
        self._transport.send("DELETE", f"/extensions/{segment(id)}")

    def updates(
        self, since: Optional[str] = None, *, cursor: Optional[str] = None, limit: Optional[int] = None
    ) -> Iterator[types.ExtensionUpdates]:
        """Pages of what is new, was changed or is `removed`, from the time `since` or behind the page with `cursor`."""
        return read_updates(self._transport, "/extensions/updated", since, cursor, limit)


class Integrations(_Resource):
    def list(self, filter: Optional[Filter] = None) -> List[types.Integration]:
        return self._transport.send("GET", "/integrations", query={"filter": filter})

    def get(self, id: int) -> types.Integration:
        return self._transport.send("GET", f"/integrations/{segment(id)}")

    def save(self, integration: Fields = {}, /, **fields: Any) -> types.Integration:
        """
        Creates it or, with `id`, changes it: `save({"gateway": "crm"})` or `save(gateway="crm")`. The answer has the
        `secret` of the webhook.
        """
        return self._transport.send("PATCH", "/integrations", body={**integration, **fields})

    def delete(self, id: int) -> None:
        self._transport.send("DELETE", f"/integrations/{segment(id)}")

    def test(self, id: int) -> types.DeliveryDetail:
        """Sends a test event."""
        return self._transport.send("POST", f"/integrations/{segment(id)}/test")

    def rotate_secret(self, id: int) -> types.Integration:
        return self._transport.send("POST", f"/integrations/{segment(id)}/rotate-secret")

    def deliveries(self, id: int, filter: Optional[Filter] = None) -> Iterator[types.Delivery]:
        return read_all(self._transport, f"/integrations/{segment(id)}/deliveries", filter)


class Charges(_Resource):
    def create(
        self, charge: Fields = {}, /, *, idempotency_key: Optional[str] = None, **fields: Any
    ) -> types.CreatedCharge:
        return self._create("/charges", {**charge, **fields}, idempotency_key)

    def get(self, id: int) -> types.Charge:
        return self._transport.send("GET", f"/charges/{segment(id)}")

    def cancel(self, id: int) -> types.Charge:
        return self._transport.send("PATCH", f"/charges/{segment(id)}/cancel")

    def list(self, filter: Optional[Filter] = None) -> Iterator[types.Charge]:
        return read_all(self._transport, "/charges", filter)

    def updates(
        self, since: Optional[str] = None, *, cursor: Optional[str] = None, limit: Optional[int] = None
    ) -> Iterator[types.ChargeUpdates]:
        """Pages of what is new or was changed, from the time `since` or behind the page with `cursor`."""
        return read_updates(self._transport, "/charges/updated", since, cursor, limit)


class Credits(_Resource):
    def balance(self) -> types.Balance:
        return self._transport.send("GET", "/credits/balance")

    def statement(self, filter: Optional[Filter] = None) -> Iterator[types.StatementEntry]:
        return read_all(self._transport, "/credits/statement", filter)


class Users(_Resource):
    def me(self) -> types.User:
        return self._transport.send("GET", "/users/me")

    def list(self, filter: Optional[Filter] = None) -> List[types.User]:
        return self._transport.send("GET", "/users", query={"filter": filter})

    def create(
        self, user: Fields = {}, /, *, idempotency_key: Optional[str] = None, **fields: Any
    ) -> types.CreatedUser:
        return self._create("/users", {**user, **fields}, idempotency_key)


def _given(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}
