#!/usr/bin/env python3
"""proctor_remote.py COMMAND [ARGUMENT ...]: has an adapter on this machine sit an exam on another, over one connection of TCP.

The exam is started there with `--adapter tcp://ADDRESS:PORT`; PROCTOR_ADAPTER and PROCTOR_ADAPTER_TOKEN say where it waits and
what it wants to be shown. COMMAND is an adapter that takes many assignments (Docs/clients/kits.md); the connection is its
standard input and output. When it ends, it is started anew with a new connection. Docs/clients/network.md describes it.

Exits 0 when the exam has ended, 1 when it can't be reached or refuses the connection, 64 for a wrong command line.
"""

import json
import os
import socket
import subprocess
import sys
import time

PATIENCE = 30  # seconds for which a connection is tried again
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 1.0  # seconds between two tries
ANSWER_TIME = 10  # seconds for the exam's answer to the greeting
ANSWER_LIMIT = 4096  # bytes of it
MISUSED, MISSING = 64, 69  # exit codes of an adapter: started wrongly, and the client is not installed


class Refused(Exception):
    """The exam does not want this adapter; the text says why."""


def place(text):
    """Host and port of `tcp://HOST:PORT`."""
    scheme, found, authority = text.partition("://")
    host, colon, port = authority.rpartition(":")
    if scheme != "tcp" or not found or not colon or not host or not port.isdecimal() or not 0 < int(port) < 65536:
        raise Refused(f"PROCTOR_ADAPTER is '{text}'; expected tcp://ADDRESS:PORT, as the exam prints it")
    return host.strip("[]"), int(port)


def greet(connection, token):
    """Shows the token, and raises Refused where the exam says so, OSError where its answer does not come."""
    connection.settimeout(ANSWER_TIME)
    connection.sendall(json.dumps({"adapter": "proctor", "version": 1, "token": token}).encode() + b"\n")
    line = b""
    while not line.endswith(b"\n"):  # byte by byte: what follows is for the adapter
        byte = connection.recv(1)
        if not byte or len(line) == ANSWER_LIMIT:
            raise ConnectionError(f"no answer of an exam came, but {line[:80]!r}")
        line += byte
    try:
        answer = json.loads(line)
        if answer["proctor"] != "exam":
            raise ValueError("no exam")
    except (ValueError, TypeError, LookupError) as error:
        raise Refused(f"what listens there is no exam: it answered {line[:80]!r}") from error
    if "refused" in answer:
        raise Refused(f"the exam refused the connection: {answer['refused']}")
    connection.settimeout(None)


def connect(where, token, was_connected):
    """A connection whose greeting was accepted; None where the exam has ended: nobody listens where an exam did."""
    end, pause = time.monotonic() + PATIENCE, FIRST_PAUSE
    while True:
        try:
            connection = socket.create_connection(where, timeout=ANSWER_TIME)
            try:
                greet(connection, token)
                return connection
            except BaseException:
                connection.close()
                raise
        except ConnectionRefusedError as error:
            if was_connected:
                return None
            failure = error
        except OSError as error:
            failure = error
        if time.monotonic() + pause > end:
            raise Refused(f"no exam was reached at {where[0]}:{where[1]} within {PATIENCE} s: {failure}")
        time.sleep(pause)
        pause = min(2 * pause, LONGEST_PAUSE)


def main():
    command = sys.argv[1:]
    if not command or command[0].startswith("-"):
        print(__doc__.strip(), file=sys.stdout if command in (["--help"], ["-h"]) else sys.stderr)
        return 0 if command in (["--help"], ["-h"]) else 64
    environment = {**os.environ, "PROCTOR_ASSIGNMENTS": "many"}
    token = environment.pop("PROCTOR_ADAPTER_TOKEN", "")
    was_connected = False
    try:
        where = place(environment.pop("PROCTOR_ADAPTER", ""))
        while connection := connect(where, token, was_connected):
            was_connected = True
            with connection:
                code = subprocess.run(command, stdin=connection, stdout=connection, env=environment, check=False).returncode
            if code in (MISUSED, MISSING):
                raise Refused(f"the adapter ended with {code}, which it would do again")
    except (Refused, OSError) as error:
        print(f"proctor_remote: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
