"""An adapter that breaks its contract (Docs/clients/adapters.md) in the way that its argument names.

    hostile.py WAY WORD   do that; WORD stays among the words of its descendants
    hostile.py --list     name the ways

Each way is a function here; HostileAdapterTests.swift says which verdict each comes to, and in how much memory and time.
"""

import json
import os
import signal
import sys
import time

HEADER = {"trace": "proctor", "version": 1, "client": "hostile", "clientVersion": "1", "clock": "monotonic", "unit": "ns",
          "lanes": ["harness"], "facts": ["status"]}
RESUME = b'{"lane":"harness","task":0,"ev":"resume"}\n'
RESULT = b'{"lane":"harness","task":0,"ev":"result","facts":{"error":"unknown"}}\n'
# Longer than any watchdog waits here, so that whoever ends, ends by it.
FOREVER = 3_600


def write(*pieces, to=1):
    for piece in pieces:
        while piece:
            piece = piece[os.write(to, piece):]


def header():
    return json.dumps(HEADER).encode() + b"\n"


def trace():
    write(header(), RESUME, RESULT)


def flood(piece, to=1):
    while True:
        write(piece, to=to)


def left(*, session, twice):
    """A descendant that stays, in the group of this process or in a session of its own, with a parent or without one."""
    if os.fork():
        return
    if session:
        os.setsid()
    if twice and os.fork():
        os._exit(0)
    time.sleep(FOREVER)
    os._exit(0)


# Too much on a stream.

def well():
    trace()


def flood_of_events():
    write(header())
    flood(b'{"lane":"harness","task":0,"ev":"resume"}\n' * 1_000)


def flood_of_long_events():
    write(header())
    flood(b'{"lane":"harness","task":0,"ev":"result","facts":{"message":"%s"}}\n' % (b"x" * 500_000))


def flood_of_blank_lines():
    write(header())
    flood(b"\n" * 60_000)


def flood_without_header():
    flood(b"y\n" * 30_000)


def flood_of_errors():
    write(header())
    flood(b"y\n" * 30_000, to=2)


def flood_of_both():
    write(header())
    if os.fork() == 0:
        flood(b"y\n" * 30_000, to=2)
    flood(b'{"lane":"harness","task":0,"ev":"resume"}\n' * 1_000)


def endless_line():
    write(header())
    flood(b'{"lane":"harness' * 4_000)


def two_million_brackets():
    write(header(), RESUME, b'{"ev":"resume","more":' + b"[" * 2_000_000 + b"\n")
    time.sleep(FOREVER)


def deep_brackets():
    write(header(), RESUME, b'{"ev":"resume","more":' + b"[" * 900_000 + b"\n")


def flood_of_mistakes():
    write(header())
    flood(b'{"lane":"harness","task":0,"ev":"resumed"}\n' * 1_000)


# Bytes that are no trace.

def invalid_utf8():
    write(header(), b'{"lane":"harness","task":0,"ev":"result","facts":{"error":"unknown","message":"\xff\xfe\xc0\x80"}}\n')


def nuls():
    write(header(), RESUME, b"\0" * 500 + b"\n", RESULT)


def only_nuls():
    write(b"\0" * 1_000_000)


def cut_line():
    write(header(), RESUME, RESULT[:-20])


def header_twice():
    write(header(), header(), RESUME, RESULT)


def numbers_beyond_64_bits():
    write(header(), b'{"seq":9223372036854775808,"ns":18446744073709551616,"lane":"harness","task":0,"ev":"resume"}\n')


def status_beyond_64_bits():
    write(header(), RESUME,
          b'{"lane":"harness","task":0,"ev":"result","facts":{"status":99999999999999999999999999}}\n')


def goes_on_after_its_end():
    write(header(), RESUME, RESULT, b"\n", header(), RESUME)
    if os.environ.get("PROCTOR_ASSIGNMENTS") == "many":
        flood(RESUME)


def one_byte_a_time():
    for byte in header() + RESUME + RESULT:
        write(bytes([byte]))


# Streams and signals.

def silence():
    time.sleep(FOREVER)


def header_and_silence():
    write(header(), RESUME)
    time.sleep(FOREVER)


def never_reads():
    os.close(0)
    trace()


def closes_its_pipes():
    write(header(), RESUME)
    for stream in (0, 1, 2):
        os.close(stream)
    time.sleep(FOREVER)


def ignores_signals():
    for number in range(1, signal.NSIG):
        try:
            signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError):
            pass
    write(header(), RESUME)
    time.sleep(FOREVER)


def stops_itself():
    write(header(), RESUME)
    os.kill(os.getpid(), signal.SIGSTOP)


def kills_itself():
    write(header(), RESUME)
    os.kill(os.getpid(), signal.SIGSEGV)


# Processes that it starts.

def zombies():
    for _ in range(200):
        if os.fork() == 0:
            os._exit(0)
    trace()


def child_that_stays():
    left(session=False, twice=False)
    trace()


def child_with_a_session():
    left(session=True, twice=False)
    trace()


def child_forked_twice():
    left(session=False, twice=True)
    trace()


def child_forked_twice_with_a_session():
    left(session=True, twice=True)
    trace()


def child_without_environment():
    if os.fork() == 0:
        os.setsid()
        if os.fork():
            os._exit(0)
        os.execve("/bin/sleep", [*sys.argv[2:], str(FOREVER)], {})
    trace()


def child_that_stays_behind_a_hang():
    left(session=True, twice=True)
    write(header(), RESUME)
    time.sleep(FOREVER)


def child_that_floods():
    write(header(), RESUME)
    reader, writer = os.pipe()
    if os.fork() == 0:
        os.setsid()
        write(b"nonsense\n")
        write(b"x", to=writer)
        flood(b"nonsense\n" * 1_000)
    os.read(reader, 1)
    write(RESULT)


def very_many_children():
    for number in range(300):
        left(session=number % 2 == 0, twice=number % 3 == 0)
    trace()


def chain_of_children():
    """Each starts the next in a session of its own, and ends."""
    if os.fork() == 0:
        while True:
            os.setsid()
            if os.fork():
                os._exit(0)
            time.sleep(0.005)
    trace()


if __name__ == "__main__":
    ways = {name: one for name, one in globals().items() if callable(one) and one.__module__ == "__main__"}
    for helper in ("write", "header", "trace", "flood", "left"):
        del ways[helper]
    if sys.argv[1:] == ["--list"]:
        print("\n".join(ways))
        sys.exit()
    # The pipe of a reader that has gone ends this process, as it would a client's.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    ways[sys.argv[1]]()
