#!/usr/bin/env python3
"""An adapter of Proctor for nobody: of each reply it reads the announced length alone, and says 200 and so many zeros."""

import contextlib
import os
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))

from null_client import Nobody, send_first, speaks_http2  # noqa: E402
from proctor_kit import BODY_LIMIT, body_facts  # noqa: E402

HEADS = 64 << 10  # bytes in which a head of HTTP/1.1 is looked for


def announced(connection):
    """The Content-Length of the final head; 0 where there is none. What came behind the head is left alone."""
    got = b""
    while len(got) < HEADS and (piece := connection.recv(4096)):
        got += piece
        while got.startswith(b"HTTP/1.1 1") and b"\r\n\r\n" in got:
            got = got.partition(b"\r\n\r\n")[2]
        if b"\r\n\r\n" in got:
            break
    found = re.search(rb"\r\ncontent-length: *(\d{1,15})\r\n", got.partition(b"\r\n\r\n")[0] + b"\r\n", re.IGNORECASE)
    return int(found[1]) if found else 0


def counted(connection):
    """The bytes of the DATA frames of stream 1, up to its end; their padding counts too."""
    got, count = b"", 0
    while piece := connection.recv(65536):
        got += piece
        while len(got) >= 9 and len(got) >= 9 + (size := int.from_bytes(got[:3], "big")):
            kind, flags, stream = got[3], got[4], int.from_bytes(got[5:9], "big")
            got = got[9 + size:]
            count += size if kind == 0 and stream == 1 else 0
            if stream == 1 and (kind == 3 or kind in (0, 1) and flags & 1):
                return count
    return count


class Zeros(Nobody):
    client = "null-zeros"

    def load(self, session, step):
        count = 0
        with contextlib.suppress(OSError, ValueError), send_first(session, step) as connection:
            count = counted(connection) if speaks_http2(session) else announced(connection)
        kept = b"\0" * min(count, BODY_LIMIT + 1)
        return {"url": step["url"], "status": 200, **body_facts(kept, count)}


if __name__ == "__main__":
    sys.exit(Zeros().main(__doc__))
