"""Zip archives whose bytes depend on their content alone."""

import io
import time as clock
import zipfile
from collections.abc import Iterable
from typing import NamedTuple

EXECUTABLE, PLAIN = 0o755, 0o644


class Entry(NamedTuple):
    name: str
    content: bytes
    mode: int = PLAIN
    # What is compressed already is stored.
    is_packed: bool = False


def archive(entries: Iterable[Entry], time: int) -> bytes:
    """The entries in their order, each with the same time, in seconds since 1970."""
    # A zip knows no time before 1980.
    date = clock.gmtime(max(time, 315532800))[:6]
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as target:
        for entry in entries:
            info = zipfile.ZipInfo(entry.name, date)
            info.create_system = 3
            info.external_attr = (0o100000 | entry.mode) << 16
            info.compress_type = zipfile.ZIP_STORED if entry.is_packed else zipfile.ZIP_DEFLATED
            target.writestr(info, entry.content, compresslevel=6)
    return buffer.getvalue()
