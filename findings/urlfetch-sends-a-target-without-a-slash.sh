#!/usr/bin/env bash
# urlfetch 3.0.0 (PyPI) and a URL with a query and no path (RFC 9112 §3.2.1).
#
# Guess before the run: http://a.test?q=1 is asked for as "GET /?q=1": "if the target URI's path component is empty, the client MUST send "/"".
# Seen: the request line is "GET ?q=1 HTTP/1.1", which a server must refuse or guess at. Without the query the slash is sent.
#
# Installs the packages into a temporary environment; what it asks is on loopback. Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check urlfetch==3.0.0
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

import urlfetch

serve(lambda lines: [b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(lines[0]), lines[0].encode())])
for tail in ("", "/?q=1", "?q=1"):
    print(f"http://a.test{tail}", "->", urlfetch.get(base + tail).body.decode())
END
seen=$("$folder/python/bin/python3" -W ignore "$folder/try.py")
echo "$seen"
wanted=$(cat <<'END'
http://a.test -> GET / HTTP/1.1
http://a.test/?q=1 -> GET /?q=1 HTTP/1.1
http://a.test?q=1 -> GET ?q=1 HTTP/1.1
END
)
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
