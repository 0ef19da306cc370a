#!/usr/bin/env bash
# elinks 0.13.2 (Debian 12, elinks 0.13.2-1+b4) and the status 308 (RFC 9110 §15.4.9; RFC 7538 is of 2015).
#
# Guess before the run: 308 is followed as 301, 302, 303 and 307 are: the release is of 2021.
# Seen: the four are followed. At 308 elinks asks no second time, writes the short text of the redirect as the page, or nothing where there is
# none, and exits with 0, so that a script takes it for the page. 308 is what servers use to keep the method of a moved API.
#
# Needs the package at that version and installs nothing; serves on loopback from Python. Exits 1 where the behaviour has changed.
set -euo pipefail

version=$(dpkg-query -W -f '${Version}' elinks 2>/dev/null || true)
[[ $version == 0.13.2-1+b4 ]] || { echo "this needs Debian's elinks 0.13.2-1+b4; here is ${version:-none}" >&2; exit 2; }

folder=$(mktemp -d)
trap 'kill "${server:-}" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
cat >server.py <<'END'
import socket

listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
while True:
    link, _ = listener.accept()
    head = b""
    while b"\r\n\r\n" not in head:
        head += link.recv(4096)
    path = head.split()[1]
    place = b"Location: /end\r\n" if path != b"/end" else b""
    status = path[1:] if place else b"200"
    body = b"moved" if place else b"the page"
    link.sendall(b"HTTP/1.1 " + status + b" x\r\n" + place + b"Content-Type: text/html\r\nConnection: close\r\nContent-Length: %d\r\n\r\n" % len(body)
                 + body)
    link.close()
END
python3 server.py >port &
server=$!
for _ in $(seq 100); do [[ -s port ]] && break; sleep 0.05; done

seen=""
for status in 301 302 303 307 308; do
    code=0
    page=$(HOME=$folder timeout 20 elinks -no-home -source "http://127.0.0.1:$(cat port)/$status" </dev/null) || code=$?
    seen+="$status: exit $code, ${page:-nothing}"$'\n'
done
elinks -version | head -1
printf '%s' "$seen"
[[ $seen == $'301: exit 0, the page\n302: exit 0, the page\n303: exit 0, the page\n307: exit 0, the page\n308: exit 0, moved\n' ]] \
    || { echo "this is not what was seen before" >&2; exit 1; }
