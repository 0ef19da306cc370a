#!/usr/bin/env python3
"""An adapter of Proctor for nobody: it writes a header and does nothing."""

import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))

from null_client import Nobody  # noqa: E402


class Nothing(Nobody):
    client = "null-nothing"

    def run(self, assignment, trace):
        pass


if __name__ == "__main__":
    sys.exit(Nothing().main(__doc__))
