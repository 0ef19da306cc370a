#!/usr/bin/env bash
# warcio 1.8.1 (PyPI), capture_http() and what it reads from its own records (WARC 1.1 §6.3; RFC 9110 §5.5, §15.2; RFC 9112 §7.1).
#
# Guess before the run: a reply comes out of the record as the server sent it: with a 100 in front there is a record of the 200, a trailer is no part
# of the content, and the byte E9 in a field is that byte.
# Seen: with a 100 in front there is one response, "100 Continue", whose content begins with "HTTP/1.1 200 OK"; of a reply with a trailer the last
# chunk's line and a piece of the trailer end the content; the byte has become "%C3%A9". requests itself reads all of them rightly.
#
# Installs the packages into a temporary environment; what it asks is on loopback. Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check warcio==1.8.1 requests==2.34.2 urllib3==2.8.0
cat >"$folder/try.py" <<'END'
import io, socket, threading

listener = socket.create_server(("127.0.0.1", 0))
base = f"http://127.0.0.1:{listener.getsockname()[1]}"
LENGTH = b"Content-Length: 5\r\n\r\nhello"
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
REPLIES = {
    "/plain": b"HTTP/1.1 200 OK\r\n" + LENGTH,
    "/100": b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n" + LENGTH,
    "/chunked": CHUNKED + b"5\r\nhello\r\n0\r\n\r\n",
    "/trailer": CHUNKED + b"5\r\nhello\r\n0\r\nX-Sum: 1\r\n\r\n",
    "/beyond": b"HTTP/1.1 200 OK\r\nX-Name: caf\xe9\r\n" + LENGTH,
}


def serve():
    for path in REPLIES:
        link, _ = listener.accept()
        head = b""
        while b"\r\n\r\n" not in head:
            head += link.recv(4096)
        link.sendall(REPLIES[head.split()[1].decode()])
        link.close()


threading.Thread(target=serve, daemon=True).start()
from warcio.capture_http import capture_http  # must be imported before requests
import requests
from warcio.archiveiterator import ArchiveIterator
from warcio.warcwriter import BufferWARCWriter

for path in REPLIES:
    writer = BufferWARCWriter(gzip=False)
    with capture_http(writer):
        reply = requests.get(base + path, headers={"Connection": "close"})
    print(path, "requests:", reply.status_code, reply.content, ascii(reply.headers.get("X-Name", "")))
    for record in ArchiveIterator(io.BytesIO(writer.get_contents())):
        if record.rec_type == "response":
            head = record.http_headers
            print(path, "warcio:", head.statusline, record.content_stream().read(), ascii(head.get_header("X-Name") or ""))
END
seen=$("$folder/python/bin/python3" -W ignore "$folder/try.py")
echo "$seen"
wanted=$(cat <<'END'
/plain requests: 200 b'hello' ''
/plain warcio: 200 OK b'hello' ''
/100 requests: 200 b'hello' ''
/100 warcio: 100 Continue b'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello' ''
/chunked requests: 200 b'hello' ''
/chunked warcio: 200 OK b'hello' ''
/trailer requests: 200 b'hello' ''
/trailer warcio: 200 OK b'hello0\r\nSum: 1\r\n\r\n' ''
/beyond requests: 200 b'hello' 'caf\xe9'
/beyond warcio: 200 OK b'hello' 'caf%C3%A9'
END
)
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
