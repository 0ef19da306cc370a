#!/usr/bin/env python3
"""An adapter of Proctor for nobody: it sends the first request of each step, and says that each load failed."""

import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))

from null_client import Nobody  # noqa: E402


class Fails(Nobody):
    client = "null-error"

    def load(self, session, step):
        super().load(session, step)
        return {"error": "unknown"}


if __name__ == "__main__":
    sys.exit(Fails().main(__doc__))
