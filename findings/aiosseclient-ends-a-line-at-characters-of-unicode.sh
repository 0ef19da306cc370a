#!/usr/bin/env bash
# aiosseclient 0.1.8 (PyPI) and the ends of lines in an event stream (WHATWG HTML §9.2.5: CRLF, LF or CR, nothing else).
#
# Guess before the run: U+2028 (LINE SEPARATOR), U+0085 (NEXT LINE) and U+000B within data are text, so that the data is whole.
# Seen: the client ends the line at each, finds no field in what follows, and hands over the first part as all of the data. A model's answer or a
# JSON text, in which U+2028 may stand as it is (RFC 8259 §7), is cut without an error.
#
# Installs the packages into a temporary environment; what it asks is on loopback. Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check aiosseclient==0.1.8 aiohttp==3.14.5
cat >"$folder/try.py" <<'END'
import socket, threading

listener = socket.create_server(("127.0.0.1", 0))
base = f"http://127.0.0.1:{listener.getsockname()[1]}"


def serve(answer):
    """Gives each connection's first request line to `answer`, sends the pieces that come back, and closes."""
    def run():
        while True:
            link, _ = listener.accept()
            link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            head = b""
            while b"\r\n\r\n" not in head:
                head += link.recv(4096)
            for piece in answer(head.split(b"\r\n")[0].decode()):
                link.sendall(piece)
            link.shutdown(socket.SHUT_WR)
            link.recv(1)
            link.close()
    threading.Thread(target=run, daemon=True).start()

import asyncio
from aiosseclient import aiosseclient

TEXTS = {"space": "one two", "U+2028": "one\u2028two", "U+0085": "one\u0085two", "U+000B": "one\u000btwo"}
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
serve(lambda line: [HEAD, b"data: ", TEXTS[line.split("/")[1].split()[0]].encode(), b"\n\n"])


async def read(name):
    async for event in aiosseclient(f"{base}/{name}"):
        return event.data

for name in TEXTS:
    print(name, ascii(asyncio.run(read(name))))
END
seen=$("$folder/python/bin/python3" -W ignore "$folder/try.py")
echo "$seen"
wanted=$(cat <<'END'
space 'one two'
U+2028 'one'
U+0085 'one'
U+000B 'one'
END
)
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
