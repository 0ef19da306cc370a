#!/usr/bin/env python3
"""An adapter that verifies webhooks by itself, rightly or with one mistake, for tests of what the cases of webhook/ notice.

    webhook_client.py                   verifies as the documents of each form say, and handles each event once
    webhook_client.py accepts-all       verifies nothing
    webhook_client.py refuses-all       accepts nothing
    webhook_client.py compares-a-part   accepts a signature that begins as the right one does
    webhook_client.py ignores-time      verifies the signature, and never looks at the time stamp's age
    webhook_client.py handles-twice     forgets which events it has handled
"""

import base64
import hashlib
import hmac
import os
import sys
import time

sys.dont_write_bytecode = True
ROOT = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "clients")
sys.path += [os.path.join(ROOT, "adapters"), os.path.join(ROOT, "kits", "python")]

from proctor_webhook import Refused, WebhookLibrary, WebhookLoad, find  # noqa: E402

MISTAKES = ("accepts-all", "refuses-all", "compares-a-part", "ignores-time", "handles-twice")
TOLERANCE = 300


def stamped(form, content, fields):
    """The time stamp or None, what was signed, and the signatures of the right version."""
    if form == "github":
        return None, content, [value.removeprefix("sha256=") for value in [find(fields, "X-Hub-Signature-256")] if value.startswith("sha256=")]
    if form == "stripe":
        pairs = [part.partition("=") for part in find(fields, "Stripe-Signature").split(",")]
        stamp = next((value for key, _, value in pairs if key == "t"), "")
        return stamp, f"{stamp}.".encode() + content, [value for key, _, value in pairs if key == "v1"]
    if form == "slack":
        stamp, value = find(fields, "X-Slack-Request-Timestamp"), find(fields, "X-Slack-Signature")
        return stamp, f"v0:{stamp}:".encode() + content, [value.removeprefix("v0=")] if value.startswith("v0=") else []
    prefix = "svix" if form == "svix" else "webhook"
    stamp = find(fields, f"{prefix}-timestamp")
    parts = [part.partition(",") for part in find(fields, f"{prefix}-signature").split(" ")]
    signed = f"{find(fields, f'{prefix}-id')}.{stamp}.".encode() + content
    return stamp, signed, [value for version, _, value in parts if version == "v1"]


class OwnLoad(WebhookLoad):
    def verify(self, content, fields):
        mistake, form, secret = self.adapter.mistake, self.settings.get("form"), self.settings.get("secret", "")
        if mistake == "accepts-all":
            return
        if mistake == "refuses-all":
            raise Refused("nothing is accepted")
        stamp, signed, signatures = stamped(form, content, fields)
        is_base64 = form in ("standard", "svix")
        key = base64.b64decode(secret.removeprefix("whsec_")) if is_base64 else secret.encode()
        right = hmac.new(key, signed, hashlib.sha256)
        text = base64.b64encode(right.digest()).decode() if is_base64 else right.hexdigest()
        if mistake == "compares-a-part":
            is_right = any(one and text.startswith(one) for one in signatures)
        else:
            is_right = any(hmac.compare_digest(one.encode(), text.encode()) for one in signatures)
        if not is_right:
            raise Refused("no signature is the right one")
        if stamp is not None and mistake != "ignores-time" and not (stamp.isdigit() and abs(time.time() - int(stamp)) <= TOLERANCE):
            raise Refused("the time stamp is too old or too far ahead")

    def handle(self, event):
        super().handle(event)
        if self.adapter.mistake == "handles-twice":
            self.listener.handled.discard(event)


class OwnVerifier(WebhookLibrary):
    client, module, package, revision = "webhook-client", "requests", "python3-requests", "1"
    forms = ("github", "stripe", "standard", "svix", "slack")

    def __init__(self, mistake):
        super().__init__()
        self.mistake = mistake

    def version(self):
        return "1"

    def load(self, *parts):
        return OwnLoad(self, *parts)


if __name__ == "__main__":
    given = sys.argv.pop(1) if sys.argv[1:2] and sys.argv[1] in MISTAKES else None
    sys.exit(OwnVerifier(given).main(__doc__))
