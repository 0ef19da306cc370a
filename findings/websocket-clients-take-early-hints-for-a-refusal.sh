#!/usr/bin/env bash
# A 103 (Early Hints) in front of the 101 of a WebSocket handshake (RFC 9110 §15.2, RFC 8297 §2), in five clients of PyPI.
#
# Guess before the run: the interim reply is read over and the handshake is done: "a client MUST be able to parse one or more 1xx responses received
# prior to a final response, even if the client does not expect one".
# Seen: aiohttp does so. websocket-client, picows, lomond and trio-websocket take the 103 for the answer and give up. RFC 6455 §4.1 leaves a status
# that is not 101 to the procedures of HTTP.
#
# Installs the packages into a temporary environment; what it asks is on loopback. Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check websocket-client==1.9.2 picows==2.3.1 lomond==0.3.4 trio-websocket==0.12.2 aiohttp==3.14.5
cat >"$folder/try.py" <<'END'
import base64, hashlib, socket, struct, threading

listener = socket.create_server(("127.0.0.1", 0))
url = f"ws://127.0.0.1:{listener.getsockname()[1]}/"


def read(link, count):
    data = b""
    while len(data) < count and (piece := link.recv(count - len(data))):
        data += piece
    return data


def accept(interim=b""):
    """Takes a connection, answers its handshake with a 101 behind `interim`, and returns it."""
    link, _ = listener.accept()
    link.settimeout(10)
    head = b""
    while b"\r\n\r\n" not in head:
        head += link.recv(1)
    key = next(line.split(b":")[1].strip() for line in head.split(b"\r\n") if line.lower().startswith(b"sec-websocket-key"))
    proof = base64.b64encode(hashlib.sha1(key + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest())
    try:
        link.sendall(interim + b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                     b"Sec-WebSocket-Accept: " + proof + b"\r\n\r\n")
    except OSError:
        pass
    return link

import asyncio, sys
import aiohttp, lomond, picows, trio, trio_websocket, websocket


def serve():
    while True:
        threading.Thread(target=accept, args=(b"HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n",), daemon=True).start()
        return


async def by_aiohttp():
    async with aiohttp.ClientSession() as session, session.ws_connect(url, timeout=aiohttp.ClientWSTimeout(ws_close=0.1)):
        return "open"


async def by_picows():
    transport, _ = await picows.ws_connect(picows.WSListener, url)
    transport.disconnect()
    return "open"


def by_lomond():
    for event in lomond.WebSocket(url).connect(ping_rate=0):
        if event.name in ("ready", "rejected"):
            return "open" if event.name == "ready" else f"Rejected: {event.reason}"


async def by_trio():
    async with trio_websocket.open_websocket_url(url):
        return "open"


for name, connect in {
    "aiohttp": lambda: asyncio.run(by_aiohttp()),
    "websocket-client": lambda: websocket.create_connection(url, timeout=5) and "open",
    "picows": lambda: asyncio.run(by_picows()),
    "lomond": by_lomond,
    "trio-websocket": lambda: trio.run(by_trio),
}.items():
    serve()
    try:
        print(name, connect())
    except BaseException as error:
        print(name, type(error).__name__)
END
seen=$("$folder/python/bin/python3" -W ignore "$folder/try.py")
echo "$seen"
wanted=$(cat <<'END'
aiohttp open
websocket-client WebSocketBadStatusException
picows WSInvalidStatusError
lomond Rejected: Websocket upgrade failed (code=103)
trio-websocket ConnectionRejected
END
)
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
