"""Receives webhooks: PORT=4000 WEBHOOK_SECRET=whsec_... python3 receive_webhook.py"""
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from ramal import WebhookVerificationError, webhooks


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        try:
            event = webhooks.verify(body, dict(self.headers), os.environ["WEBHOOK_SECRET"])
            status = 204
        except WebhookVerificationError:
            status = 401
        self.send_response(status)
        self.end_headers()
        # After the answer: a slow receiver delays its own next events.
        if status == 204:
            print(event["eventType"], event["id"], flush=True)


ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "4000"))), Receiver).serve_forever()
