#!/usr/bin/env python3
"""An adapter of Proctor for nobody: it sends the first request of each step, reads nothing, and claims that all went well.

Every result says status 200, the URL as it was given, and an empty body. It declares every ability and every fact.
"""

import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))

from null_first_request import Nobody  # noqa: E402


class Liar(Nobody):
    client = "null-liar"

    def claim(self, step):
        return {"url": step["url"], "status": 200, "bytes": 0, "body": ""}


if __name__ == "__main__":
    sys.exit(Liar().main(__doc__))
