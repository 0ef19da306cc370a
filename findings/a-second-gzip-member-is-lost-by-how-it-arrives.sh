#!/usr/bin/env bash
# Content of two gzip members (RFC 1952 §2.2: "a gzip file consists of a series of members"), in six clients of PyPI.
#
# Guess before the run: all give "hello world", since the coding gzip is that format (RFC 9110 §8.4.1.3).
# Seen: niquests does. httplib2, treq and geventhttpclient give "hello" and no error. primp and wreq, both on Rust, give "hello" where the two members
# come in one segment and an error where they come in two, so that the same file is short one time and fails the next.
# Servers that compress in blocks, and `cat a.gz b.gz`, make such content.
#
# Installs the packages into a temporary environment; what it asks is on loopback. Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check primp==2.0.1 wreq==0.13.0 httplib2==0.32.1 treq==26.7.0 geventhttpclient==2.6.1 niquests==3.21.2
cat >"$folder/try.py" <<'END'
import gzip, socket, threading, time

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

ONE, TWO = gzip.compress(b"hello"), gzip.compress(b" world")


def answer(lines):
    yield b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\nConnection: close\r\n\r\n" % len(ONE + TWO)
    if "/together" in lines[0]:
        yield ONE + TWO
    else:
        yield ONE
        time.sleep(0.3)
        yield TWO


serve(answer)
import geventhttpclient.useragent, httplib2, niquests, primp, treq, wreq.blocking
from twisted.internet import defer, reactor, threads

threading.Thread(target=lambda: reactor.run(installSignalHandlers=False), daemon=True).start()


async def by_treq(url):
    return await treq.content(await treq.get(url))

for path in ("/together", "/apart"):
    for name, get in {
        "niquests": lambda url: niquests.get(url).content,
        "httplib2": lambda url: httplib2.Http().request(url)[1],
        "treq": lambda url: threads.blockingCallFromThread(reactor, lambda: defer.ensureDeferred(by_treq(url))),
        "geventhttpclient": lambda url: bytes(geventhttpclient.useragent.UserAgent().urlopen(url).content),
        "primp": lambda url: primp.Client().get(url).content,
        "wreq": lambda url: bytes(wreq.blocking.Client().get(url).bytes()),
    }.items():
        try:
            print(path, name, get(base + path))
        except Exception as error:
            print(path, name, type(error).__name__)
threads.blockingCallFromThread(reactor, reactor.stop)
END
seen=$("$folder/python/bin/python3" -W ignore "$folder/try.py")
echo "$seen"
wanted=$(cat <<'END'
/together niquests b'hello world'
/together httplib2 b'hello'
/together treq b'hello'
/together geventhttpclient b'hello'
/together primp b'hello'
/together wreq b'hello'
/apart niquests b'hello world'
/apart httplib2 b'hello'
/apart treq b'hello'
/apart geventhttpclient b'hello'
/apart primp DecodeError
/apart wreq DecodingError
END
)
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
