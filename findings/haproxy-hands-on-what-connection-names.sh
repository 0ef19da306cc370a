#!/usr/bin/env bash
# HAProxy 2.6.12 (Debian 12) as a reverse proxy: fields that Connection names, and the version of a reply (RFC 9110 §7.6.1, RFC 9112 §2.3).
#
# Guess, before it was run: a field that `Connection` names belongs to the connection, so that it is removed with its name in both directions;
# a reply of a server that speaks HTTP/1.0 is handed on with the proxy's own version, HTTP/1.1.
# Seen: `Connection` comes through with the field that it names, in both directions, and a second `Connection: keep-alive` stands beside it;
# an HTTP/1.0 reply comes as HTTP/1.0.
#
# Needs Debian's haproxy and ends with status 2 where another version is there. Exits 1 where the behaviour has changed.
set -euo pipefail

program=$(PATH=$PATH:/usr/sbin command -v haproxy) || { echo "haproxy is missing: apt-get install haproxy" >&2; exit 2; }
[[ $("$program" -v) == "HAProxy version 2.6.12"* ]] || { echo "this haproxy is not 2.6.12" >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/try.py" <<'END'
import socket
import subprocess
import sys
import threading
import time

program, folder = sys.argv[1:]
listener = socket.create_server(("127.0.0.1", 0))
with socket.create_server(("127.0.0.1", 0)) as probe:
    port = probe.getsockname()[1]


def serve():
    while True:
        peer, _ = listener.accept()
        head = b""
        while b"\r\n\r\n" not in head and (more := peer.recv(4096)):
            head += more
        for line in head.decode().splitlines():
            if line.lower().startswith(("connection:", "x-hop:")):
                print("server got:", line.lower())
        peer.sendall(b"HTTP/1.0 200 OK\r\nConnection: X-Back\r\nX-Back: 1\r\nContent-Length: 2\r\n\r\nok")
        peer.close()


threading.Thread(target=serve, daemon=True).start()
with open(f"{folder}/haproxy.cfg", "w") as file:
    file.write(f"""defaults
  mode http
  timeout connect 5s
  timeout client 5s
  timeout server 5s
listen a
  bind 127.0.0.1:{port}
  server b 127.0.0.1:{listener.getsockname()[1]}
""")
proxy = subprocess.Popen([program, "-db", "-f", f"{folder}/haproxy.cfg"], stderr=subprocess.DEVNULL)
try:
    for _ in range(200):
        try:
            client = socket.create_connection(("127.0.0.1", port))
            break
        except ConnectionRefusedError:
            time.sleep(0.05)
    client.settimeout(10)
    client.sendall(b"GET / HTTP/1.1\r\nHost: a.test\r\nConnection: X-Hop\r\nX-Hop: 1\r\n\r\n")
    reply = b""
    while not reply.endswith(b"ok") and (more := client.recv(4096)):
        reply += more
    for line in reply.decode().splitlines():
        if line.lower().startswith(("http/", "connection:", "x-back:")):
            print("client got:", line.lower())
finally:
    proxy.terminate()
    proxy.wait()
END
seen=$(python3 "$folder/try.py" "$program" "$folder")
echo "$seen"
wanted="server got: connection: x-hop
server got: x-hop: 1
client got: http/1.0 200 ok
client got: connection: x-back
client got: x-back: 1
client got: connection: keep-alive"
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
