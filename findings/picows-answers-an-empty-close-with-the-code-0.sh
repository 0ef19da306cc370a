#!/usr/bin/env bash
# picows 2.3.1 (PyPI) and a Close frame without a body (RFC 6455 §7.1.5, §7.4.2).
#
# Guess before the run: the listener of the documentation, which sends back `frame.get_close_code()`, answers an empty Close with an empty Close, or
# with 1000; no code below 1000 goes out: "status codes in the range 0-999 are not used".
# Seen: the answer is a Close with the code 0, by which a strict peer fails a connection that had ended well. Close 3000 is answered by 3000.
#
# Installs the packages into a temporary environment; what it asks is on loopback. Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check picows==2.3.1
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

import asyncio
import picows


class Listener(picows.WSListener):
    def on_ws_frame(self, transport, frame):
        if frame.msg_type == picows.WSMsgType.CLOSE:
            transport.send_close(frame.get_close_code(), frame.get_close_message())
            transport.disconnect()


async def main():
    transport, _ = await picows.ws_connect(Listener, url)
    await asyncio.wait_for(transport.wait_disconnected(), 5)


def serve(close):
    link = accept()
    link.sendall(close)
    _, second = read(link, 2)
    mask, body = read(link, 4), read(link, second & 0x7F)
    body = bytes(byte ^ mask[index % 4] for index, byte in enumerate(body))
    print(close, "is answered by", struct.unpack("!H", body[:2])[0] if body else "an empty Close")


for close in (b"\x88\x02" + struct.pack("!H", 3000), b"\x88\x00"):
    server = threading.Thread(target=serve, args=(close,))
    server.start()
    asyncio.run(main())
    server.join(10)
END
seen=$("$folder/python/bin/python3" -W ignore "$folder/try.py")
echo "$seen"
wanted=$(cat <<'END'
b'\x88\x02\x0b\xb8' is answered by 3000
b'\x88\x00' is answered by 0
END
)
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
