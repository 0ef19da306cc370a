#!/usr/bin/env python3
"""An adapter of Proctor for nobody: it sends the first request of each step, waits 50 ms, closes, and reports `resume` alone."""

import contextlib
import os
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))

from null_client import Nobody, send_first  # noqa: E402


class Waits(Nobody):
    client = "null-waits"

    def load(self, session, step):
        with contextlib.suppress(OSError, ValueError), send_first(session, step):
            time.sleep(0.05)  # The reply lies in the system's buffer then, and nobody takes it.


if __name__ == "__main__":
    sys.exit(Waits().main(__doc__))
