"""Deliveries to a webhook: whether the service sent them (Standard Webhooks 1.0), and what they say."""
import base64
import binascii
import hashlib
import hmac
import json
import time
from typing import Any, Mapping, Optional, Union

from . import types
from .errors import WebhookVerificationError


def verify(
    body: Union[bytes, bytearray, str],
    headers: Mapping[str, Any],
    secret: str,
    *,
    tolerance: float = 300,
    now: Optional[float] = None,
) -> types.WebhookEvent:
    """
    The event, if `secret` signed these very bytes a moment ago; raises WebhookVerificationError otherwise. `body` is the
    request's body before anything parsed it.
    """
    if isinstance(body, str):
        body = body.encode()
    if not isinstance(body, (bytes, bytearray)):
        raise WebhookVerificationError("body", "pass the body as it came, as bytes or text, not what it was parsed to")
    given = {name.lower(): str(value) for name, value in headers.items()}
    message_id, timestamp, signatures = (
        given.get(f"webhook-{name}", "") for name in ("id", "timestamp", "signature")
    )
    if not message_id or not timestamp or not signatures:
        raise WebhookVerificationError("headers", "webhook-id, webhook-timestamp or webhook-signature is missing")
    moment = time.time() if now is None else now
    if not (timestamp.isascii() and timestamp.isdigit()) or abs(moment - int(timestamp)) > tolerance:
        raise WebhookVerificationError("timestamp", f"webhook-timestamp is more than {tolerance} s from now")
    signed = f"{message_id}.{timestamp}.".encode() + body
    digest = hmac.new(_key_of(secret), signed, hashlib.sha256).digest()
    expected = f"v1,{base64.b64encode(digest).decode()}".encode()
    if not any(hmac.compare_digest(expected, one.encode()) for one in signatures.split(" ")):
        raise WebhookVerificationError(
            "signature", "no signature fits: the body was changed, or the secret is another"
        )
    return json.loads(body)


def _key_of(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret[6:] if secret.startswith("whsec_") else secret, validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if not key:
        raise WebhookVerificationError("secret", "the secret is `whsec_` and base64, as the integration shows it")
    return key
