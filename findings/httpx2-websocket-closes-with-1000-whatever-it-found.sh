#!/usr/bin/env bash
# httpx2 2.16.2 (PyPI) and the codes of Close frames (RFC 6455 §7.1.7, §7.4.1): a frame of the server has a reserved bit that nobody agreed to.
#
# Guess before the run: the error that `receive()` raises has the code 1002 (protocol error), and the Close frame that the client then
# sends has the same code, since the session knows it.
# Seen: the caller is told 1002, and the server 1000, a normal closure. The connection is closed right behind that frame, without
# waiting for the server's (§7.1.1); WebSocketDisconnect(1002) looks as if the server had closed with 1002.
#
# Installs the packages into a temporary environment; the server is Python's. Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check httpx2==2.16.2 httpcore2==2.16.2 wsproto==1.3.2 h11==0.16.0
cat >"$folder/try.py" <<'END'
import base64, hashlib, socket, struct, threading
import httpx2

listener = socket.create_server(("127.0.0.1", 0))
told = []


def read(link, count):
    data = b""
    while len(data) < count and (piece := link.recv(count - len(data))):
        data += piece
    return data


def serve():
    link, _ = listener.accept()
    link.settimeout(10)
    head = b""
    while b"\r\n\r\n" not in head:
        head += link.recv(1)
    key = next(line.split(b":")[1].strip() for line in head.split(b"\r\n") if line.lower().startswith(b"sec-websocket-key"))
    accept = base64.b64encode(hashlib.sha1(key + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest())
    link.sendall(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                 b"Sec-WebSocket-Accept: " + accept + b"\r\n\r\n")
    link.sendall(b"\x91\x01x")  # a text of one byte with RSV3
    first, second = read(link, 2)
    mask, body = read(link, 4), read(link, second & 0x7F)
    body = bytes(byte ^ mask[index % 4] for index, byte in enumerate(body))
    told.append(f"opcode {first & 15} with {struct.unpack('!H', body[:2])[0]}")
    told.append("then the end of the connection" if not link.recv(1) else "then more bytes")


server = threading.Thread(target=serve)
server.start()
try:
    with httpx2.Client(trust_env=False).websocket(
        f"ws://127.0.0.1:{listener.getsockname()[1]}/", keepalive_ping_interval_seconds=None,
    ) as session:
        session.receive(timeout=10)
except httpx2.websockets.WebSocketDisconnect as error:
    print("the caller is told", int(error.code))
server.join(15)
print("the server is told", *told)
END
seen=$("$folder/python/bin/python3" "$folder/try.py")
echo "$seen"
[[ $seen == $'the caller is told 1002\nthe server is told opcode 8 with 1000 then the end of the connection' ]] \
    || { echo "this is not what was seen before" >&2; exit 1; }
