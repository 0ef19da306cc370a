#!/usr/bin/env python3
"""An adapter of Proctor for nobody: it sends the first request of each step, and says 200 and no content of each load."""

import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))

from null_client import Nobody  # noqa: E402


class Empty(Nobody):
    client = "null-empty"

    def load(self, session, step):
        super().load(session, step)
        return {"url": step["url"], "status": 200, "bytes": 0, "body": ""}


if __name__ == "__main__":
    sys.exit(Empty().main(__doc__))
