#!/usr/bin/env bash
# httpx 0.28.1 with httpcore 1.0.9 (PyPI), HTTP/2: a response that is closed before its content came (RFC 9113 §5.1.2, §5.4.2, §8.1).
#
# Guess, before it was run: who closes a response early has the stream reset (RST_STREAM, CANCEL), and a server that permits one stream gets
# the next request when that place is free.
# Seen: no RST_STREAM goes out. The client counts the stream as ended, while the state machine below it (h2) has it open: with
# SETTINGS_MAX_CONCURRENT_STREAMS 1 each later load on the connection fails with LocalProtocolError, and no new connection is made.
#
# Installs the packages into a temporary environment; the server is 50 lines on hyperframe and hpack. Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check httpx==0.28.1 httpcore==1.0.9 h11==0.16.0 h2==4.3.0 hpack==4.1.0 hyperframe==6.1.0
cat >"$folder/try.py" <<'END'
import socket
import threading

import hpack
import httpx
from hyperframe.frame import DataFrame, Frame, HeadersFrame, RstStreamFrame, SettingsFrame

listener = socket.create_server(("127.0.0.1", 0))
seen = []


def serve():
    peer, _ = listener.accept()
    file, encoder = peer.makefile("rb"), hpack.Encoder()
    file.read(24)
    peer.sendall(SettingsFrame(0, settings={SettingsFrame.MAX_CONCURRENT_STREAMS: 1}).serialize())

    def reply(stream, content):
        head = HeadersFrame(stream, encoder.encode([(":status", "200")]), flags=["END_HEADERS"])
        peer.sendall(head.serialize())
        if content:
            peer.sendall(DataFrame(stream, content, flags=["END_STREAM"]).serialize())

    while (start := file.read(9)) and len(start) == 9:
        frame, length = Frame.parse_frame_header(memoryview(start))
        frame.parse_body(memoryview(file.read(length)))
        match frame:
            case SettingsFrame() if "ACK" not in frame.flags:
                peer.sendall(SettingsFrame(0, flags=["ACK"]).serialize())
            case RstStreamFrame():
                seen.append(f"RST_STREAM {frame.stream_id}")
            case HeadersFrame():
                seen.append(f"HEADERS {frame.stream_id}")
                # Stream 3 is the response whose content does not come.
                reply(frame.stream_id, b"" if frame.stream_id == 3 else b"one")


threading.Thread(target=serve, daemon=True).start()
base = "http://127.0.0.1:%d" % listener.getsockname()[1]
with httpx.Client(http1=False, http2=True, timeout=10) as client:
    print(client.get(base).text)
    with client.stream("GET", base) as response:
        print(response.status_code)
    for _ in range(3):
        try:
            print(client.get(base).text)
        except httpx.HTTPError as error:
            print(type(error).__name__)
print(", ".join(seen))
END
seen=$("$folder/python/bin/python3" "$folder/try.py")
echo "$seen"
wanted="one
200
LocalProtocolError
LocalProtocolError
LocalProtocolError
HEADERS 1, HEADERS 3"
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
