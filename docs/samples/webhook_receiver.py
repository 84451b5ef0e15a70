# A webhook receiver in Python (no packages): WEBHOOK_SECRET=whsec_… PORT=4000 python3 webhook_receiver.py
import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

MAX_AGE_SECONDS = 300


def is_genuine(secret, headers, body, now=None):
    """Whether the service sent this body, a moment ago. `body` is the bytes as they came, before they are parsed."""
    message_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    if not message_id or not timestamp.isdigit():
        return False
    if abs((now or time.time()) - int(timestamp)) > MAX_AGE_SECONDS:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{message_id}.{timestamp}.".encode() + body
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    given = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(one.encode(), f"v1,{expected}".encode()) for one in given)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        genuine = is_genuine(os.environ.get("WEBHOOK_SECRET", ""), self.headers, body)
        if genuine:
            event = json.loads(body)
            print(event["eventType"], event["id"], flush=True)
        # Answer first and work later: the service waits 15 seconds.
        self.send_response(204 if genuine else 401)
        self.end_headers()

    def log_message(self, *arguments):
        pass


if __name__ == "__main__":
    HTTPServer(("127.0.0.1", int(os.environ.get("PORT", "4000"))), Receiver).serve_forever()
