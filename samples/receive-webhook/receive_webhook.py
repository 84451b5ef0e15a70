"""Receives webhooks: PORT=4000 WEBHOOK_SECRET=whsec_... python3 receive_webhook.py"""
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from ramal import WebhookVerificationError, webhooks


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        try:
            event = webhooks.verify(body, dict(self.headers), os.environ["WEBHOOK_SECRET"])
        except WebhookVerificationError as error:
            self.send_response(401)
            self.end_headers()
            self.wfile.write(str(error).encode())
            return
        # Answer first, work afterwards: a slow receiver delays its own next events.
        self.send_response(204)
        self.end_headers()
        print(event["eventType"], event["id"], flush=True)


ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "4000"))), Receiver).serve_forever()
