#!/usr/bin/env python3
"""An adapter of Proctor for a client that believes everything, and that sends the Host of the first request with each one that follows."""

import os
import sys
import urllib.parse

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))

from null_believer import Believer  # noqa: E402


class KeepsHost(Believer):
    client = "null-host"
    # Its URLs would say where the request went, whatever the Host.
    facts = tuple(fact for fact in Believer.facts if fact != "url")

    def load(self, session, step):
        fields = [field for field in step["headers"] if field[0].lower() != "host"]
        if len(fields) == len(step["headers"]):
            fields.append(["Host", urllib.parse.urlsplit(step["url"]).netloc.rpartition("@")[2]])
        told = super().load(session, step | {"headers": fields or step["headers"]})
        return {key: value for key, value in told.items() if key != "url"}


if __name__ == "__main__":
    sys.exit(KeepsHost().main(__doc__))
