#!/usr/bin/env python3
"""An adapter of Proctor for a client that believes everything: it follows each redirect and reads each reply, and never doubts.

It has no cookie jar, no cache and no credentials, takes any certificate, and calls a reply that breaks off whole. It speaks
HTTP/1.1 alone.
"""

import http.client
import os
import sys
import urllib.parse

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))

from null_client import Nobody, send_first, speaks_http2  # noqa: E402
from proctor_kit import Unimplemented, body_facts  # noqa: E402

HOPS = 20  # requests of one load


def reply_to(session, step):
    """The reply, whose content is read, and the content."""
    with send_first({**session, "believes": True}, step) as connection:
        response = http.client.HTTPResponse(connection, method=step["method"])
        response.begin()
        try:
            body = response.read()
        except http.client.IncompleteRead as failure:
            body = failure.partial
        except OSError:
            body = b""
        return response, body


def follow(step, status, location):
    """The step of the next request; a POST becomes a GET as in RFC 9110 §15.4."""
    url = urllib.parse.urljoin(step["url"], location)
    if status == 303 and step["method"] != "HEAD" or status in (301, 302) and step["method"] == "POST":
        step = {key: value for key, value in step.items() if key != "body"} | {"method": "GET"}
    return step | {"url": url}


class Believer(Nobody):
    client = "null-believer"

    def ask(self, session, step):
        """The step as it went out, its reply and the content."""
        return step, *reply_to(session, step)

    def load(self, session, step):
        if speaks_http2(session):
            raise Unimplemented("session.protocol: null-believer speaks HTTP/1.1 alone", 0)
        facts = {"error": "unknown"}
        try:
            for _ in range(HOPS):
                step, response, body = self.ask(session, step)
                status, location = response.status, response.getheader("Location")
                facts = {"url": step["url"], "status": status, **body_facts(body, len(body))}
                if not 300 <= status < 400 or location is None:
                    break
                step = follow(step, status, location)
        except (OSError, ValueError, http.client.HTTPException):
            pass  # What came before is believed.
        return facts


if __name__ == "__main__":
    sys.exit(Believer().main(__doc__))
