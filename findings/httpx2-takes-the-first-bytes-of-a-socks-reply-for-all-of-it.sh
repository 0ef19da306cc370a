#!/usr/bin/env bash
# httpx2 2.16.2 (PyPI) through a proxy of SOCKS 5 whose reply to CONNECT comes in two segments (RFC 1928 §6).
#
# Guess before the run: the client reads until the reply is whole, whose length its fourth byte and its address say, since TCP keeps no borders.
# Seen: it reads once. A reply in one piece works; the same ten bytes as one and nine end the load by an error of the parser that it uses,
# which is no error of httpx2's own.
#
# Installs the packages into a temporary environment; the proxy is Python's. Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check httpx2==2.16.2 httpcore2==2.16.2 h11==0.16.0 socksio==1.0.0
cat >"$folder/try.py" <<'END'
import socket, threading
import httpx2

GRANTED = b"\x05\x00\x00\x01\x00\x00\x00\x00\x00\x00"


def serve(listener, first):
    link, _ = listener.accept()
    link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    link.settimeout(10)
    try:
        link.recv(16)
        link.sendall(b"\x05\x00")
        link.recv(300)
        link.sendall(GRANTED[:first])
        if first < len(GRANTED):
            # A client that waits for the rest says nothing meanwhile, and gets it; one that has given up closes.
            link.settimeout(2)
            try:
                if not link.recv(1):
                    return
            except TimeoutError:
                pass
            link.settimeout(10)
            link.sendall(GRANTED[first:])
        link.recv(4096)
        link.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")
    except OSError:
        pass
    link.close()


for first in (10, 1):
    listener = socket.create_server(("127.0.0.1", 0))
    threading.Thread(target=serve, args=(listener, first), daemon=True).start()
    with httpx2.Client(proxy=f"socks5://127.0.0.1:{listener.getsockname()[1]}", trust_env=False, timeout=10) as client:
        try:
            print(first, client.get("http://a.test/").text)
        except Exception as error:
            print(first, f"{type(error).__module__}.{type(error).__name__}", isinstance(error, httpx2.HTTPError))
END
seen=$("$folder/python/bin/python3" "$folder/try.py")
echo "$seen"
[[ $seen == $'10 ok\n1 socksio.exceptions.ProtocolError False' ]] || { echo "this is not what was seen before" >&2; exit 1; }
