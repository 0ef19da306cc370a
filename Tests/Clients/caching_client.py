#!/usr/bin/env python3
"""An adapter of a client with a small cache that does what few libraries do, for tests of how it is judged.

It answers with what is stale within the window of stale-while-revalidate (RFC 5861 §3) and asks the server behind the answer, on a
connection of its own; and it completes a part that it stored by a request for the rest (RFC 9111 §3.4). For anything else
it sends the request as it is.

  --combines-anything   combines parts without a look at their validators, which RFC 9111 §3.4 forbids
  --always-stale        answers with what is stale without asking anybody
"""

import email.utils
import http.client
import os
import re
import sys
import threading
import time
import urllib.parse

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "..", "clients", folder) for folder in ("adapters", "kits/python")]

from proctor_facts import field_facts  # noqa: E402
from proctor_kit import Adapter, body_facts, content  # noqa: E402

MODES = ("--combines-anything", "--always-stale")


class Reply:
    """A reply as it is stored: `first` is the offset of its content, `total` the length of the whole."""

    def __init__(self, response, body):
        self.status, self.fields, self.body, self.came = response.status, response.headers, body, time.time()
        place = re.fullmatch(r"bytes (\d+)-\d+/(\d+)", self.fields.get("Content-Range", ""))
        self.first, self.total = (int(place[1]), int(place[2])) if place else (0, len(body))

    def seconds(self, name):
        value = re.search(rf"(?:^|[ ,]){name}=(\d+)", self.fields.get("Cache-Control", ""), re.IGNORECASE)
        return int(value[1]) if value else None

    def date(self, name):
        value = self.fields.get(name)
        return email.utils.parsedate_to_datetime(value).timestamp() if value else self.came

    @property
    def age(self):
        return int(max(self.came - self.date("Date"), int(self.fields.get("Age", 0))) + time.time() - self.came)

    @property
    def lifetime(self):
        lifetime = self.seconds("max-age")
        return lifetime if lifetime is not None else int(self.date("Expires") - self.date("Date"))

    @property
    def tag(self):
        """A strong entity tag, or None."""
        tag = self.fields.get("ETag", "")
        return tag if tag.startswith('"') else None

    def says(self, word):
        return word in self.fields.get("Cache-Control", "").lower()


class CachingClient(Adapter):
    client, revision, modes = "caching-client", "1", frozenset(MODES) & frozenset(sys.argv)
    abilities = "cache addresses methods"
    facts = ("status", "url", "bytes", "body", "error", "message", "header")

    def version(self):
        return "1"

    def run(self, assignment, trace):
        self.stored, self.behind = {}, []
        for index, step in enumerate(assignment["steps"]):
            trace.say("resume", index)
            try:
                reply, body = self.load(step)
                facts = {"url": step["url"], "status": reply.status, **field_facts(step, reply.fields.get), **body_facts(body, len(body))}
            except (OSError, http.client.HTTPException) as error:
                facts = {"error": "connectionLost", "message": f"{type(error).__name__}: {error}", **body_facts(b"", 0)}
            trace.say("result", index, facts=facts)
        for thread in self.behind:
            thread.join()

    def load(self, step):
        """The reply, and the content that the caller gets."""
        key, fields = step["url"].partition("#")[0], dict(step["headers"])
        stored = self.stored.get(key) if step["method"] == "GET" else None
        if stored and stored.status == 200 and "Range" not in fields and not stored.says("no-cache"):
            beyond = stored.age - stored.lifetime
            if beyond < 0 or "--always-stale" in self.modes:
                return stored, stored.body
            if beyond <= (stored.seconds("stale-while-revalidate") or -1) and not stored.says("must-revalidate"):
                self.behind.append(threading.Thread(target=self.refresh, args=(step, key)))
                self.behind[-1].start()
                return stored, stored.body
        if stored and stored.status == 206:
            return self.complete(step, key, stored, fields.get("Range"))
        reply = self.ask(step, fields)
        if reply.status in (200, 206) and step["method"] == "GET" and not reply.says("no-store"):
            self.stored[key] = reply
        return reply, reply.body

    def refresh(self, step, key):
        try:
            self.stored[key] = self.ask(step, dict(step["headers"]))
        except (OSError, http.client.HTTPException):
            pass

    def complete(self, step, key, part, wanted):
        """The whole, or the wanted range, of which the beginning is stored."""
        end = re.fullmatch(r"bytes=0-(\d+)", wanted or "bytes=0-%d" % (part.total - 1))
        if part.first == 0 and end and (part.tag or "--combines-anything" in self.modes):
            last = min(int(end[1]), part.total - 1)
            rest = self.ask(step, {
                **dict(step["headers"]), "Range": f"bytes={len(part.body)}-{last if wanted else ''}",
                **({"If-Range": part.tag} if part.tag else {})})
            if rest.status == 200:
                self.stored[key] = rest
                return rest, rest.body
            if rest.first == len(part.body) and (part.tag and rest.tag == part.tag or "--combines-anything" in self.modes):
                part.body += rest.body
                if wanted:
                    rest.fields.replace_header("Content-Range", f"bytes 0-{last}/{part.total}")
                else:
                    del rest.fields["Content-Range"]
                    rest.status = 200
                return rest, part.body
        reply = self.ask(step, dict(step["headers"]))
        return reply, reply.body

    def ask(self, step, fields):
        parts = urllib.parse.urlsplit(step["url"])
        connection = http.client.HTTPConnection(parts.netloc, timeout=10)
        try:
            target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
            connection.request(step["method"], target, content(step), fields)
            response = connection.getresponse()
            return Reply(response, response.read())
        finally:
            connection.close()


if __name__ == "__main__":
    sys.argv = [one for one in sys.argv if one not in MODES]
    sys.exit(CachingClient().main(__doc__))
