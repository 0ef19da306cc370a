#!/usr/bin/env bash
# wget2 1.99.1 (Debian 12, wget2 1.99.1-2.2) and replies behind interim ones: 100 (Continue) and 103 (Early Hints, RFC 8297).
#
# Guess before the run: a 103 loses the page, and a 100, which a client meets most often, is read over as RFC 9110 §15.2 asks,
# so that the page of the 200 behind it is stored.
# Seen: the page is lost behind either. No file is written, nothing is said, and the exit is 0. Without an interim reply the page is stored.
#
# Downloads the two packages with apt into a temporary folder and unpacks them there; serves both replies from Python.
# Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'kill "${server:-}" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
chmod 755 .
apt-get download -qq wget2=1.99.1-2.2 libwget0=1.99.1-2.2 2>/dev/null
for package in ./*.deb; do dpkg -x "$package" .; done
program=$(find . -name wget2 -path '*bin*')
library=$(dirname "$(find . -name 'libwget.so*' | head -1)")

cat >server.py <<'END'
import socket

listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
while True:
    link, _ = listener.accept()
    head = b""
    while b"\r\n\r\n" not in head:
        head += link.recv(4096)
    interim = {b"100": b"100 Continue", b"103": b"103 Early Hints\r\nLink: </a.css>; rel=preload"}.get(head[5:8])
    if interim:
        link.sendall(b"HTTP/1.1 " + interim + b"\r\n\r\n")
    try:
        link.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\npage\n")
    except OSError:
        pass
    link.close()
END
python3 server.py >port &
server=$!
for _ in $(seq 100); do [[ -s port ]] && break; sleep 0.05; done

seen=""
for status in 200 100 103; do
    code=0
    LD_LIBRARY_PATH=$library timeout 20 "$program" -q --no-config -O "page-$status" "http://127.0.0.1:$(cat port)/$status" || code=$?
    seen+="$status: exit $code, $({ wc -c <"page-$status"; } 2>/dev/null || echo no) bytes"$'\n'
done
LD_LIBRARY_PATH=$library "$program" --version | head -1
printf '%s' "$seen"
[[ $seen == $'200: exit 0, 5 bytes\n100: exit 0, no bytes\n103: exit 0, no bytes\n' ]] \
    || { echo "this is not what was seen before" >&2; exit 1; }
