#!/usr/bin/env python3
"""An adapter of a client that tries again by itself, rightly or with one mistake, for tests of what the cases of retry/ notice.

    retry_client.py              tries four times in all, waits as it is told, and repeats only what may be applied twice
    retry_client.py MISTAKE      the same with one mistake, of the list below

It makes each request by `http.client` on a connection of its own, and follows redirects itself.
"""

import contextlib
import email.utils
import http.client
import os
import random
import re
import sys
import time
import urllib.parse
import uuid

sys.dont_write_bytecode = True
ROOT = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "clients")
sys.path += [os.path.join(ROOT, "adapters"), os.path.join(ROOT, "kits", "python"), os.path.dirname(os.path.realpath(__file__))]

from proctor_kit import content, is_streamed  # noqa: E402
from proctor_python import Library, Load, fields_of  # noqa: E402

from plain_http import Connection  # noqa: E402

MISTAKES = {
    "never": "tries nothing again",
    "for-ever": "tries eight times",
    "hurries": "never waits",
    "knows-no-dates": "takes a date for no time at all",
    "knows-one-date": "knows a date in its newest form alone",
    "keeps-its-wait": "waits each time as it did the first time",
    "repeats-posts": "tries every method again",
    "forgets-content": "sends no content with a further try",
    "half-a-stream": "goes on with the stream where the first try left it",
    "forgets-fields": "sends no field of the caller with a further try",
    "becomes-get": "follows a 307 and a 308 by GET",
    "new-keys": "makes another key for each try",
    "one-key": "makes one key for all calls",
    "adds-up": "hands over what came of each try",
    "mixes": "asks for the rest of content that broke off, whatever its version",
    "tries-successes": "tries again what has a Retry-After",
}
IDEMPOTENT = ("GET", "HEAD", "OPTIONS", "PUT", "DELETE", "QUERY")
TRIES, PAUSE = 4, 0.05
BUSY = (503, 429)
REDIRECTS = {301: True, 302: True, 303: True, 307: False, 308: False}  # whether a POST becomes GET
ERRORS = {"IncompleteRead": "connectionLost", "RemoteDisconnected": "connectionLost", "TooManyRedirects": "tooManyRedirects"}


class TooManyRedirects(Exception):
    pass


class Reply:
    """A reply with its content, and the error in which that ended, or None."""

    def __init__(self, response):
        self.status, self.fields, self.body, self.error = response.status, response.headers, b"", None
        try:
            self.body = response.read()
        except http.client.IncompleteRead as error:
            self.body, self.error = error.partial, error
        except OSError as error:
            self.error = error


def seconds_of(value, mistake):
    """How long a Retry-After has one wait; None where it says nothing."""
    if re.fullmatch("[0-9]+", value):
        return int(value)
    if mistake == "knows-no-dates" or mistake == "knows-one-date" and "," not in value[:4]:
        return 0
    # An asctime date has no zone, and a number of a day that may have a blank before it.
    date = email.utils.parsedate_to_datetime(value if value.endswith("GMT") else value + " GMT") if re.match("[A-Z][a-z]+", value) else None
    return max(0, date.timestamp() - time.time()) if date else None


class RetryLoad(Load):
    one_key = str(uuid.uuid4())

    def perform(self):
        step, self.mistake = self.step, self.adapter.mistake
        limit = self.setup.get("resourceTimeout")
        self.end = time.monotonic() + limit / 1000 if limit else None
        self.method, self.url = step["method"], step["url"].partition("#")[0]
        self.fields, self.content, self.stream = fields_of(step), content(step), is_streamed(step)
        self.key = self.made_key() if self.makes_key() else None
        self.kept, self.tries, self.waited = b"", 0, None
        for _ in range(20):
            reply = self.answered()
            if not (self.follows(reply) and self.redirect(reply)):
                break
        else:
            raise TooManyRedirects("20 redirects are the most")
        self.head(self.url, reply.status, reply.fields.get)
        self.take(self.kept + reply.body)
        if reply.error:
            raise reply.error

    def makes_key(self):
        named = any(name.lower() == "idempotency-key" for name, _ in self.fields)
        return self.method == "POST" and "idempotency-key" in self.adapter.needs and not named

    def made_key(self):
        return f'"{self.one_key if self.mistake == "one-key" else uuid.uuid4()}"'

    def answered(self):
        """The reply that is no reason to try again, or the last one."""
        while True:
            self.tries += 1
            reply = error = None
            try:
                reply = self.send()
                error = reply.error
            except (OSError, http.client.HTTPException) as failure:
                error = failure
            asked = reply is not None and (reply.status in BUSY or self.mistake == "tries-successes" and "Retry-After" in reply.fields)
            if not (error or asked) or not self.may_repeat():
                if reply is None:
                    raise error
                return reply
            if reply and error and self.mistake == "adds-up":
                self.kept += reply.body
            if reply and error and self.mistake == "mixes" and "ETag" in reply.fields:
                self.kept = self.kept + reply.body
            self.pause(reply if asked else None)

    def may_repeat(self):
        if self.mistake == "never" or self.tries >= (8 if self.mistake == "for-ever" else TRIES):
            return False
        return self.method in IDEMPOTENT or self.mistake == "repeats-posts" or "idempotency-key" in self.adapter.needs

    def pause(self, reply):
        value = reply.fields.get("Retry-After") if reply else None
        told = seconds_of(value.strip(), self.mistake) if value else None
        if self.mistake == "keeps-its-wait":
            told = self.waited = told if self.waited is None else self.waited
        own = min(1, PAUSE * 2 ** self.tries * (1 + random.random()))
        pause = 0 if self.mistake in ("hurries", "for-ever") else own if told is None else told
        if self.end is not None and time.monotonic() + pause >= self.end:
            time.sleep(max(0, self.end - time.monotonic()))
            raise TimeoutError("the load took too long")
        time.sleep(pause)

    def send(self):
        parts = urllib.parse.urlsplit(self.url)
        limit = self.silence or (self.end and max(0.05, self.end - time.monotonic())) or 20
        connection = Connection(parts.hostname, parts.port or 80, timeout=limit)
        try:
            self.write(connection, parts)
            return Reply(connection.getresponse())
        finally:
            connection.close()

    def write(self, connection, parts):
        again = self.tries > 1
        connection.putrequest(self.method, (parts.path or "/") + (f"?{parts.query}" if parts.query else ""), skip_accept_encoding=True)
        fields = [] if again and self.mistake == "forgets-fields" else self.fields
        if self.key:
            fields = [*fields, ("Idempotency-Key", self.made_key() if self.mistake == "new-keys" else self.key)]
        if self.kept and self.mistake == "mixes":
            fields = [*fields, ("Range", f"bytes={len(self.kept)}-")]
        for name, value in fields:
            connection.putheader(name, value)
        data = self.content
        if again and self.mistake == "forgets-content":
            data = b"" if data is not None else None
        if again and self.stream and self.mistake == "half-a-stream":
            data = data[len(data) // 2:]
        if data is None:
            return connection.endheaders()
        if self.stream:
            connection.putheader("Transfer-Encoding", "chunked")
            return connection.endheaders((data[start:start + 4096] for start in range(0, len(data), 4096)), encode_chunked=True)
        connection.putheader("Content-Length", str(len(data)))
        connection.endheaders(data)

    def follows(self, reply):
        return reply.status in REDIRECTS and "Location" in reply.fields and self.step["beforehand"]["follow"]

    def redirect(self, reply):
        changes = REDIRECTS[reply.status] and self.method not in ("GET", "HEAD") or self.mistake == "becomes-get"
        if changes:
            self.method, self.content = "GET", None
        url = urllib.parse.urljoin(self.url, reply.fields["Location"])
        if urllib.parse.urlsplit(url).netloc != urllib.parse.urlsplit(self.url).netloc:
            self.fields = [(name, value) for name, value in self.fields if name.lower() != "authorization"]
        value = reply.fields.get("Retry-After")
        if value:
            time.sleep(seconds_of(value, self.mistake) or 0)
        self.url = url
        return True


class RetryClient(Library):
    client = module = "retry-client"
    revision, errors = "1", ERRORS
    abilities = """
        retry retry-after retry-broken retry-pauses idempotency-key methods redirects redirect-refuse upload-stream time-limit-silence time-limit-total
    """
    facts = ("url", "status", "mime", "bytes", "body", "error", "message", "header")

    def __init__(self, mistake):
        self.mistake, self.needs = mistake, ()

    def version(self):
        return "1"

    def check(self, assignment):
        super().check(assignment)
        self.needs = assignment.get("needs", ())

    def session(self, assignment):
        return contextlib.nullcontext()

    def load(self, *parts):
        return RetryLoad(self, *parts)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--mistakes"]:
        sys.exit(print("\n".join(f"{name}\t{text}" for name, text in MISTAKES.items())))
    given = sys.argv.pop(1) if sys.argv[1:2] and sys.argv[1] in MISTAKES else None
    sys.exit(RetryClient(given).main(__doc__))
