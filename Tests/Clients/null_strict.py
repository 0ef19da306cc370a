#!/usr/bin/env python3
"""An adapter of Proctor for a client that believes everything, and that asks by https whoever has said Strict-Transport-Security once.

It keeps such a host for ever, and the hosts below it, whatever the field says, and by whichever scheme it came.
"""

import os
import sys
import urllib.parse

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))

from null_believer import Believer  # noqa: E402


class KeepsHosts(Believer):
    client = "null-strict"

    def run(self, assignment, trace):
        self.hosts = set()
        super().run(assignment, trace)

    def ask(self, session, step):
        parts = urllib.parse.urlsplit(step["url"])
        host = parts.hostname or ""
        if parts.scheme == "http" and any(f".{host}".endswith(f".{kept}") for kept in self.hosts):
            # An explicit port stays, but for 80 (RFC 6797 §8.3).
            port = f":{parts.port}" if parts.port not in (None, 80) else ""
            step = step | {"url": parts._replace(scheme="https", netloc=host + port).geturl()}
        step, response, body = super().ask(session, step)
        if response.getheader("Strict-Transport-Security") is not None:
            self.hosts.add(host)
        return step, response, body


if __name__ == "__main__":
    sys.exit(KeepsHosts().main(__doc__))
