#!/usr/bin/env bash
# aiosseclient 0.1.8 (PyPI) and the field `retry` of an event stream (WHATWG HTML §9.2.6).
#
# Guess before the run: `retry: 2500` is handed over as 2500, and `retry: 1x`, which is not all ASCII digits, is ignored.
# Seen: the event's retry is True in both cases. Since True is 1 in Python, a program that waits `event.retry / 1000` seconds, as the field asks,
# asks the server again after a millisecond.
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

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
serve(lambda line: [HEAD, b"retry: " + line.split("/")[1].split()[0].encode() + b"\ndata: x\n\n"])


async def read(value):
    async for event in aiosseclient(f"{base}/{value}"):
        return event.retry

for value in ("2500", "1x"):
    print(value, repr(asyncio.run(read(value))))
END
seen=$("$folder/python/bin/python3" -W ignore "$folder/try.py")
echo "$seen"
wanted=$(cat <<'END'
2500 True
1x True
END
)
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
