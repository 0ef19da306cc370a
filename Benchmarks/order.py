#!/usr/bin/env python3
"""Prints the functions that proctor calls when it starts and answers, in the order of their first call, for the linker.

What lies side by side is brought into memory together: `make release` gives the list to the linker, which ignores names
that are no more. Write it anew, with valgrind, when memory of the idle process has grown:

    Benchmarks/order.py .build/release/proctor > Benchmarks/functions.order
"""
import pathlib
import re
import sys
import tempfile

import check
import loads

NAME = re.compile(r"^c?fn=\(\d+\) (\$s\S+|_?swift_\w+)$")


def main():
    names = {}
    with tempfile.TemporaryDirectory(prefix="proctor-counts-") as name:
        folder = pathlib.Path(name)
        check.served(pathlib.Path(sys.argv[1]).resolve(), folder, "order", loads.requests, 200)
        with (folder / "order-200-3" / "callgrind.out").open(errors="replace") as lines:
            for line in lines:
                found = NAME.match(line)
                if found:
                    names[re.sub(r"'\d+$", "", found.group(1))] = True
    print("\n".join(names))


if __name__ == "__main__":
    main()
