#!/usr/bin/env bash
# aiosonic 1.3.3 (PyPI) and content that ends with the connection (RFC 9112 §6.3, rule 8).
#
# Guess before the run: "the message body length is determined by the number of octets received prior to the server closing the connection", as
# every answer of HTTP/1.0 without a length has it.
# Seen: status 200 and empty content, for HTTP/1.0 and for HTTP/1.1 with `Connection: close`. With Content-Length the same content is read.
#
# Installs the packages into a temporary environment; what it asks is on loopback. Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check aiosonic==1.3.3
cat >"$folder/try.py" <<'END'
import socket, threading

listener = socket.create_server(("127.0.0.1", 0))
base = f"http://127.0.0.1:{listener.getsockname()[1]}"


def serve(answer):
    """Gives each request's lines to `answer`, sends the pieces that come back, and closes the connection."""
    def one(link):
        link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        head = b""
        while b"\r\n\r\n" not in head:
            head += link.recv(4096)
        for piece in answer(head.decode("latin-1").split("\r\n")):
            link.sendall(piece)
        link.shutdown(socket.SHUT_WR)
        link.settimeout(10)
        try:
            link.recv(1)
        except OSError:
            pass
        link.close()

    def run():
        while True:
            threading.Thread(target=one, args=(listener.accept()[0],), daemon=True).start()
    threading.Thread(target=run, daemon=True).start()

import asyncio
import aiosonic

REPLIES = {
    "/1.0": b"HTTP/1.0 200 OK\r\n\r\nhello",
    "/1.1": b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhello",
    "/length": b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
}
serve(lambda lines: [REPLIES[lines[0].split()[1]]])


async def main():
    async with aiosonic.HTTPClient() as client:
        for path in REPLIES:
            reply = await client.get(base + path)
            print(path, reply.status_code, await reply.content())

asyncio.run(main())
END
seen=$("$folder/python/bin/python3" -W ignore "$folder/try.py")
echo "$seen"
wanted=$(cat <<'END'
/1.0 200 b''
/1.1 200 b''
/length 200 b'hello'
END
)
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
