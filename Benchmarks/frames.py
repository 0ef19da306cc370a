#!/usr/bin/env python3
"""Prints the frames of async functions in a binary, as NAME BYTES, one a line, the largest first.

Every call of an async function takes its frame from the allocator of its task, so these are the bytes that a task
holds while it waits. The binary must have its symbols. Patterns are regular expressions that a demangled name must
match, any one of them; without a pattern every frame is printed.
"""
import argparse
import pathlib
import re
import struct
import subprocess
import sys


def loaded(data):
    """The loaded segments of a 64-bit ELF file, each as address, offset in the file and byte count."""
    if data[:5] != b"\x7fELF\x02":
        sys.exit("frames: the binary is no 64-bit ELF file")
    table = struct.unpack_from("<Q", data, 32)[0]
    entry_size, count = struct.unpack_from("<HH", data, 54)
    for index in range(count):
        kind, _, offset, address, _, size = struct.unpack_from("<IIQQQQ", data, table + index * entry_size)
        if kind == 1:
            yield address, offset, size


def frames(binary):
    """The frames by mangled name: the pointer to an async function is a relative address, then the bytes of its frame."""
    data = binary.read_bytes()
    segments = list(loaded(data))
    listing = subprocess.run(["nm", str(binary)], capture_output=True, text=True, check=True).stdout
    found = {}
    for line in listing.splitlines():
        address, name = line[:16], line[19:]
        if not name.endswith("Tu") or not address.strip():
            continue
        place = int(address, 16)
        for start, offset, size in segments:
            if start <= place < start + size:
                found[name[:-2]] = struct.unpack_from("<I", data, offset + place - start + 4)[0]
    if not found:
        sys.exit(f"frames: {binary} has no symbols of async functions")
    return found


def demangled(names):
    text = subprocess.run(["swift", "demangle", "--compact", "--simplified"], input="\n".join(names),
                          capture_output=True, text=True, check=True).stdout
    return dict(zip(names, text.splitlines()))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=pathlib.Path, help="the release binary of proctor")
    parser.add_argument("pattern", nargs="*", help="what a demangled name must match")
    options = parser.parse_args()
    sizes = frames(options.binary)
    names = demangled(list(sizes))
    rows = [(size, names[name]) for name, size in sizes.items()
            if not options.pattern or any(re.search(pattern, names[name]) for pattern in options.pattern)]
    for size, name in sorted(rows, key=lambda row: (-row[0], row[1])):
        print(name, size)


if __name__ == "__main__":
    main()
