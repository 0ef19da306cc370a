#!/usr/bin/env bash
# Chunk extensions and trailer fields (RFC 9112 §7.1.1, §7.1.2) in tornado 6.6.1's simple client and aiosonic 1.3.3 (PyPI).
#
# Guess before the run: both read over an extension, which a recipient "MUST ignore" if it does not know it, and give the content before a trailer.
# Seen: tornado ends both by "Connection closed" (a 599), though the server has closed nothing; aiosonic ends the first by a ValueError of int(),
# which is none of its own errors, and reads the second. Plain chunks work in both.
#
# Installs the packages into a temporary environment; what it asks is on loopback. Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check tornado==6.6.1 aiosonic==1.3.3
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

import asyncio, logging
import aiosonic
from tornado.httpclient import AsyncHTTPClient

logging.disable()
START = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
REPLIES = {
    "/plain": START + b"5\r\nhello\r\n0\r\n\r\n",
    "/extension": START + b"5;name=value\r\nhello\r\n0\r\n\r\n",
    "/trailer": START + b"5\r\nhello\r\n0\r\nExpires: 0\r\n\r\n",
}
serve(lambda lines: [REPLIES[lines[0].split()[1]]])


async def main():
    for path in REPLIES:
        try:
            print("tornado", path, (await AsyncHTTPClient().fetch(base + path)).body)
        except Exception as error:
            print("tornado", path, type(error).__name__, error)
        try:
            async with aiosonic.HTTPClient() as client:
                print("aiosonic", path, await (await client.get(base + path)).content())
        except Exception as error:
            print("aiosonic", path, type(error).__name__)

asyncio.run(main())
END
seen=$("$folder/python/bin/python3" -W ignore "$folder/try.py")
echo "$seen"
wanted=$(cat <<'END'
tornado /plain b'hello'
aiosonic /plain b'hello'
tornado /extension HTTPStreamClosedError Connection closed
aiosonic /extension ValueError
tornado /trailer HTTPStreamClosedError Connection closed
aiosonic /trailer b'hello'
END
)
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
