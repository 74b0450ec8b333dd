"""A receiver of Vedette's webhooks in Python, with nothing but the standard library.

    WEBHOOK_SECRET=... [WEBHOOK_SECRET_FORMER=...] [PORT=8000] python3 receiver.py

POST /       verifies webhook-id, webhook-timestamp and webhook-signature (Standard Webhooks) and refuses old requests.
POST /plain  verifies X-Webhook-Signature alone.
While a secret is being rotated, set both: the new one and the former one.
"""

import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOLERANCE_S = 300
LARGEST = 1_000_000

SECRETS = [secret for secret in (os.environ.get("WEBHOOK_SECRET"), os.environ.get("WEBHOOK_SECRET_FORMER")) if secret]


def key_of(secret: str) -> bytes:
    """A Standard Webhooks secret is text, or base64 after `whsec_`."""
    return base64.b64decode(secret[6:]) if secret.startswith("whsec_") else secret.encode()


def is_standard(headers, body: bytes, secrets, now: float) -> bool:
    message_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    if not (message_id and timestamp.isascii() and timestamp.isdigit()) or abs(now - int(timestamp)) > TOLERANCE_S:
        return False
    signed = f"{message_id}.{timestamp}.".encode() + body
    given = [part[3:] for part in headers.get("webhook-signature", "").split(" ") if part.startswith("v1,")]
    expected = [base64.b64encode(hmac.new(key_of(secret), signed, hashlib.sha256).digest()) for secret in secrets]
    return any([hmac.compare_digest(one.encode(), other) for one in given for other in expected])


def is_plain(headers, body: bytes, secrets) -> bool:
    """Signs the received bytes: a parsed and re-serialized object may differ."""
    given = headers.get("X-Webhook-Signature", "").encode()
    expected = [hmac.new(secret.encode(), body, hashlib.sha256).hexdigest().encode() for secret in secrets]
    return any([hmac.compare_digest(given, one) for one in expected])


seen = set()  # store these with your own data: a message may arrive more than once


def handle(message_id: str, event: dict) -> None:
    print(json.dumps({"id": message_id, "event": event["event"]}), flush=True)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        length = int(self.headers.get("Content-Length") or 0)
        if length > LARGEST:
            return self.answer(413)
        body = self.rfile.read(length)
        if self.path == "/plain":
            verified = is_plain(self.headers, body, SECRETS)
        else:
            verified = is_standard(self.headers, body, SECRETS, time.time())
        if not verified:
            return self.answer(401)
        message_id = self.headers.get("webhook-id", "")
        if message_id not in seen:
            handle(message_id, json.loads(body))
            seen.add(message_id)
        self.answer(204)

    def answer(self, status: int):
        self.send_response(status)
        self.end_headers()

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8000"))), Receiver)
    print(json.dumps({"port": server.server_address[1]}), flush=True)
    server.serve_forever()
