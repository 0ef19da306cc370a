#!/usr/bin/env python3
"""Runs a program that may listen and answer, and is killed by SIGSYS the moment it dials anybody.

The kernel watches, by a seccomp filter that the program and its threads inherit: connect() of any kind ends the process,
and so does a datagram socket of IPv4 or IPv6, without which nobody can ask a name server. Linux on x86-64 and AArch64.
"""

import ctypes
import os
import struct
import sys

# Numbers of the system calls socket and connect, and what the kernel calls the architecture.
MACHINES = {"x86_64": (0xC000003E, 41, 42), "aarch64": (0xC00000B7, 198, 203)}

LOAD, EQUAL, AND, RETURN = 0x20, 0x15, 0x54, 0x06
KILL, ALLOW = 0x80000000, 0x7FFF0000
# Into struct seccomp_data: the call, the architecture, and the lower halves of the first two arguments.
CALL, ARCHITECTURE, FAMILY, KIND = 0, 4, 16, 24
IPV4, IPV6, DATAGRAM = 2, 10, 2
NO_NEW_PRIVILEGES, SET_SECCOMP, FILTER = 38, 22, 2
NOT_POSSIBLE = 77


def program():
    """(code, jump if true, jump if false, operand), one after the other; jumps count from the next one."""
    architecture, socket_call, connect_call = MACHINES[os.uname().machine]
    return [
        (LOAD, 0, 0, ARCHITECTURE),
        (EQUAL, 0, 10, architecture),
        (LOAD, 0, 0, CALL),
        (EQUAL, 8, 0, connect_call),
        (EQUAL, 0, 6, socket_call),
        (LOAD, 0, 0, FAMILY),
        (EQUAL, 1, 0, IPV4),
        (EQUAL, 0, 3, IPV6),
        (LOAD, 0, 0, KIND),
        (AND, 0, 0, 0xF),
        (EQUAL, 1, 0, DATAGRAM),
        (RETURN, 0, 0, ALLOW),
        (RETURN, 0, 0, KILL),
    ]


class Filter(ctypes.Structure):
    _fields_ = [("count", ctypes.c_ushort), ("instructions", ctypes.c_char_p)]


def forbid_dialling():
    code = b"".join(struct.pack("=HBBI", *line) for line in program())
    library = ctypes.CDLL(None, use_errno=True)
    if library.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0) != 0:
        return False
    rules = Filter(len(code) // 8, code)
    return library.prctl(SET_SECCOMP, FILTER, ctypes.byref(rules), 0, 0) == 0


def main():
    if len(sys.argv) < 2:
        sys.exit("usage: no_dialling.py PROGRAM [ARGUMENT ...]")
    if sys.platform != "linux" or os.uname().machine not in MACHINES or not forbid_dialling():
        sys.exit(NOT_POSSIBLE)
    os.execvp(sys.argv[1], sys.argv[1:])


if __name__ == "__main__":
    main()
