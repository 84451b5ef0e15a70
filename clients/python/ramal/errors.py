"""Errors, by `errorCode` and status."""
import json
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any, Dict, List, Mapping, Optional, Type

__all__ = [
    "RamalError",
    "NetworkError",
    "RequestTimeoutError",
    "WebhookVerificationError",
    "ApiError",
    "BadRequestError",
    "AuthenticationError",
    "SecondFactorRequiredError",
    "InsufficientCreditError",
    "PermissionDeniedError",
    "NotFoundError",
    "CallEndedError",
    "ConflictError",
    "ChargeOpenError",
    "CallAlreadyRingingError",
    "ValidationError",
    "ExtensionNotRegisteredError",
    "DestinationNotAllowedError",
    "CallFailedError",
    "PaymentRefusedError",
    "LimitReachedError",
    "RateLimitedError",
    "ServerError",
]


class RamalError(Exception):
    """What every error of this package is."""


class NetworkError(RamalError):
    """No answer came: connection refused, reset, name not found. Its text names the address, `__cause__` has the reason."""


class RequestTimeoutError(NetworkError):
    pass


class WebhookVerificationError(RamalError):
    """`reason` is one of body, headers, timestamp, secret, signature."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


class ApiError(RamalError):
    """The service, or a proxy before it, refused."""

    def __init__(self, status: int, headers: Mapping[str, str], error: Dict[str, Any]) -> None:
        self.status = status
        #: Code of the error catalogue; `UNKNOWN` if the answer has none, as that of a proxy.
        self.error_code: str = _text(error.get("errorCode")) or "UNKNOWN"
        #: The sentence of the service, and in the language of `Accept-Language` if that is not English.
        self.reason: str = _text(error.get("message")) or f"The answer was {status}."
        self.localized_reason = _text(error.get("localizedMessage"))
        #: To name when you ask the operator.
        self.request_id = headers.get("X-Request-Id")
        self.details: Dict[str, Any] = error.get("details") or {}
        #: Seconds that the service asks to wait.
        self.retry_after = _seconds_to_wait(status, headers)
        request = f", request {self.request_id}" if self.request_id else ""
        super().__init__(f"{self.reason} ({self.error_code}{request})")


class BadRequestError(ApiError):
    pass


class AuthenticationError(ApiError):
    pass


class SecondFactorRequiredError(AuthenticationError):
    """Log in again with `code`."""


class InsufficientCreditError(ApiError):
    pass


class PermissionDeniedError(ApiError):
    pass


class NotFoundError(ApiError):
    pass


class CallEndedError(NotFoundError):
    pass


class ConflictError(ApiError):
    pass


class ChargeOpenError(ConflictError):
    pass


class CallAlreadyRingingError(ConflictError):
    @property
    def call_id(self) -> str:
        """The call that rings."""
        return str(self.details.get("callId"))


class ValidationError(ApiError):
    @property
    def fields(self) -> Dict[str, List[str]]:
        """Problems by field."""
        return self.details.get("messages") or {}


class ExtensionNotRegisteredError(ValidationError):
    pass


class DestinationNotAllowedError(ValidationError):
    pass


class CallFailedError(ApiError):
    pass


class PaymentRefusedError(ApiError):
    pass


class LimitReachedError(ApiError):
    """A limit of the account: calls at once, calls or spending in a day."""


class RateLimitedError(LimitReachedError):
    """Too many requests in this minute."""


class ServerError(ApiError):
    pass


_BY_CODE: Dict[str, Type[ApiError]] = {
    "SECOND_FACTOR_REQUIRED": SecondFactorRequiredError,
    "INSUFFICIENT_CREDIT": InsufficientCreditError,
    "CALL_ENDED": CallEndedError,
    "CHARGE_OPEN": ChargeOpenError,
    "CALL_ALREADY_RINGING": CallAlreadyRingingError,
    "EXTENSION_NOT_REGISTERED": ExtensionNotRegisteredError,
    "DESTINATION_NOT_ALLOWED": DestinationNotAllowedError,
    "CALL_FAILED": CallFailedError,
    "PAYMENT_REFUSED": PaymentRefusedError,
    "RATE_LIMITED": RateLimitedError,
}

_BY_STATUS: Dict[int, Type[ApiError]] = {
    400: BadRequestError,
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    422: ValidationError,
    429: LimitReachedError,
}

def error_of(status: int, headers: Mapping[str, str], body: bytes) -> ApiError:
    """The error for an answer other than 2xx."""
    try:
        error = json.loads(body)["error"]
        error = error if isinstance(error, dict) else {}
    except (ValueError, KeyError, TypeError):
        error = {}
    found = _BY_CODE.get(str(error.get("errorCode"))) or _BY_STATUS.get(status)
    return (found or (ServerError if status >= 500 else ApiError))(status, headers, error)


def _text(value: Any) -> Optional[str]:
    return value if isinstance(value, str) else None


def _seconds_to_wait(status: int, headers: Mapping[str, str]) -> Optional[float]:
    """`Retry-After` in seconds or as a date; after a 429 without it, `RateLimit-Reset`."""
    after = headers.get("Retry-After") or (headers.get("RateLimit-Reset") if status == 429 else None)
    if not after:
        return None
    if after.isdigit():
        return float(after)
    try:
        moment = parsedate_to_datetime(after)
    except (TypeError, ValueError):
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=timezone.utc)
    return max(0.0, (moment - datetime.now(timezone.utc)).total_seconds())
