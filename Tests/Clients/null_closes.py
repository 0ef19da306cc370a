#!/usr/bin/env python3
"""An adapter of Proctor for nobody: it sends the first request of each step, closes at once, and reports `resume` alone."""

import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))

from null_client import Nobody  # noqa: E402


class Closes(Nobody):
    client = "null-closes"


if __name__ == "__main__":
    sys.exit(Closes().main(__doc__))
