"""Attacks over QUIC and HTTP/3, by aioquic: its connections, with a socket each, that are told what no client would do."""
import os
import socket
import ssl
import subprocess
import sys
import time
import venv
from pathlib import Path

HOME = Path(__file__).resolve().parent.parent / ".build/quic-client"
PACKAGE = "aioquic==1.2.0"

# A frame of DATA without bytes, and one of a reserved type (RFC 9114 §7.2.1, §7.2.8).
EMPTY_DATA, RESERVED = b"\0\0", b"\x21\0"
# Before the address of a client is validated, a server sends at most three times what came (RFC 9000 §8.1).
MOST_AMPLIFIED = 3
# Of a connection, 16 PATH_CHALLENGE are answered, and one for each 1,200 bytes; an answer has 1,200 (RFC 9000 §8.2.2). One datagram more closes it.
MOST_FOR_CHALLENGES = 17 * 1200
# Beyond so many connections a further one closes the one that has been silent longest.
MOST_SILENT = 500


def prepare():
    """Makes aioquic importable; ends the program where that fails."""
    if not (HOME / "ready").exists():
        venv.create(HOME, with_pip=True, clear=True)
        made = subprocess.run([HOME / "bin/python", "-m", "pip", "install", "-q", "--retries", "1", "--timeout", "20", PACKAGE],
                              capture_output=True, text=True)
        if made.returncode:
            sys.exit(f"attacks: {PACKAGE} could not be installed into {HOME}: {made.stderr.strip().splitlines()[-1:]}")
        (HOME / "ready").touch()
    sys.path.append(str(next((HOME / "lib").glob("python*/site-packages"))))


class Peer:
    """A client with a socket of its own."""

    def __init__(self, links, window=1 << 20):
        from aioquic.h3.connection import H3Connection
        from aioquic.quic.configuration import QuicConfiguration
        from aioquic.quic.connection import QuicConnection
        self.server = ("127.0.0.1", links.place["tls"])
        self.link = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.link.bind(("127.0.0.1", 0))
        self.link.setblocking(False)
        links.all.append(self.link)
        self.quic = QuicConnection(configuration=QuicConfiguration(
            is_client=True, alpn_protocols=["h3"], server_name="localhost", verify_mode=ssl.CERT_NONE,
            max_data=window, max_stream_data=window))
        self.http = H3Connection(self.quic)
        self.sent = self.received = 0
        self.quic.connect(self.server, now=time.time())
        self.isOver = False

    def send(self):
        for bytes_, _ in self.quic.datagrams_to_send(now=time.time()):
            try:
                self.sent += self.link.sendto(bytes_, self.server)
            except BlockingIOError:
                return

    def receive(self):
        """Takes what has come; false where nothing had."""
        from aioquic.quic.events import ConnectionTerminated
        try:
            bytes_ = self.link.recv(65536)
        except BlockingIOError:
            return False
        self.received += len(bytes_)
        self.quic.receive_datagram(bytes_, self.server, now=time.time())
        while (event := self.quic.next_event()) is not None:
            self.isOver |= isinstance(event, ConnectionTerminated)
            if not self.isOver:
                self.http.handle_event(event)
        return True

    def shake(self, seconds=20):
        """Goes on to the end of the handshake."""
        end = time.monotonic() + seconds
        while not self.quic._handshake_confirmed and not self.isOver and time.monotonic() < end:
            self.send()
            if not self.receive():
                time.sleep(0.001)
        return self.quic._handshake_confirmed

    def ask(self, path, ends=True, method=b"GET"):
        stream = self.quic.get_next_available_stream_id()
        self.http.send_headers(stream, [(b":method", method), (b":scheme", b"https"), (b":authority", b"localhost"), (b":path", path)], ends)
        return stream

    def move(self):
        """Sends and receives without waiting; false once the connection is over."""
        self.send()
        while not self.isOver and self.receive():
            pass
        now = time.time()
        if (timer := self.quic.get_timer()) is not None and timer <= now:
            self.quic.handle_timer(now)
        return not self.isOver


def waiting(count, requests, window, path=b"/attack/it/large"):
    """Connections with requests whose replies have no room; the client acknowledges what comes, and gives no more windows."""
    def run(links):
        peers = []
        for _ in range(count):
            peer = Peer(links, window)
            if not peer.shake():
                raise OSError("a handshake of QUIC did not end")
            for _ in range(requests):
                peer.ask(path)
            peers.append(peer)

        def step(links):
            for peer in peers:
                peer.move()
        step(links)
        return step
    return run


def silent(count, path=b"/attack/it/large"):
    """Connections that ask, and send nothing any more."""
    def run(links):
        for _ in range(count):
            peer = Peer(links)
            if not peer.shake():
                raise OSError("a handshake of QUIC did not end")
            peer.ask(path)
            peer.send()
    return run


def idle(count):
    """Connections on which nothing is asked; those of them that were opened first are closed for others."""
    def run(links):
        peers = []
        for _ in range(count):
            peer = Peer(links)
            if not peer.shake():
                raise OSError("a handshake of QUIC did not end")
            peers.append(peer)
        for peer in peers:
            while peer.receive():
                pass
        # aioquic keeps what came in CONNECTION_CLOSE, and tells of it later.
        if (closed := sum(peer.quic._close_event is not None for peer in peers)) < count - MOST_SILENT:
            raise OSError(f"of {count} silent connections {closed} were closed, where {MOST_SILENT} may be open")
        links.refused += closed
    return run


def flood(each, count=2, at_once=50):
    """`each` does something on a connection, again and again; a connection that the server ends is opened anew."""
    def run(links):
        peers = []

        def step(links):
            while len(peers) < count:
                peer = Peer(links)
                if not peer.shake(2):
                    links.all.remove(peer.link)
                    peer.link.close()
                    return
                peers.append(peer)
            for peer in list(peers):
                try:
                    for _ in range(at_once):
                        each(peer)
                except (AssertionError, ValueError):
                    # The connection has no stream left for us.
                    pass
                if not peer.move():
                    peers.remove(peer)
                    links.all.remove(peer.link)
                    peer.link.close()
                    links.refused += 1
        step(links)
        return step
    return run


def rapid_reset(peer):
    peer.quic.reset_stream(peer.ask(b"/attack/it/large", ends=False), 0x10C)


def stopped(peer):
    peer.quic.stop_stream(peer.ask(b"/attack/it/large"), 0x10C)


def empty_data(peer):
    stream = getattr(peer, "upload", None)
    if stream is None:
        stream = peer.upload = peer.ask(b"/attack/it/upload", ends=False, method=b"POST")
    peer.quic.send_stream_data(stream, EMPTY_DATA * 200)


def reserved(peer):
    peer.quic.send_stream_data(peer.http._local_control_stream_id, RESERVED * 200)


def ping(peer):
    peer.number = getattr(peer, "number", 0) + 1
    peer.quic.send_ping(peer.number)


def path_challenge(peer):
    """A packet of a hundred PATH_CHALLENGE, each of which asks for a PATH_RESPONSE (RFC 9000 §8.2)."""
    def challenges(builder, *_, **__):
        for _ in range(100):
            builder.start_frame(0x1A, capacity=9).push_bytes(challenge := os.urandom(8))
            # A response that aioquic knows nothing of would end the connection.
            peer.quic._local_challenges[challenge] = peer.quic._network_paths[0]
    began = peer.began = getattr(peer, "began", (peer.sent, peer.received))
    if peer.received - began[1] > peer.sent - began[0] + MOST_FOR_CHALLENGES:
        raise OSError(f"the server answered {peer.sent - began[0]} bytes of PATH_CHALLENGE by {peer.received - began[1]}")
    # aioquic writes what is due for a PING by this function.
    peer.quic._write_ping_frame = challenges
    ping(peer)
    peer.send()


def crypto(peer):
    from aioquic.tls import Epoch
    # NewSessionTicket is a server's; a client has nothing to say behind the handshake.
    peer.quic._crypto_streams[Epoch.ONE_RTT].sender.write(b"\4\0\4\0" + os.urandom(1024))


def retired(peer):
    peer.quic.change_connection_id()


def first_packets(count=10_000, at_once=50):
    """First packets of new clients, each from a port of its own, which then send nothing; what comes back is counted."""
    def run(links):
        waiting = []
        for made in range(0, count, at_once):
            for _ in range(at_once):
                peer = Peer(links)
                peer.send()
                waiting.append(peer)
            time.sleep(0.01)
            # Each has some seconds' worth of others behind it, so that what is sent again is counted too.
            while len(waiting) > (500 if made + at_once < count else 0):
                check_amplification(links, waiting.pop(0))
    return run


def check_amplification(links, peer):
    """Counts what a client got, and closes its socket."""
    got = 0
    while True:
        try:
            got += len(peer.link.recv(65536))
        except BlockingIOError:
            break
    if got > MOST_AMPLIFIED * peer.sent:
        raise OSError(f"the server sent {got} bytes for {peer.sent}, more than three times as many (RFC 9000 §8.1)")
    links.all.remove(peer.link)
    peer.link.close()


def gaps(count=200, byte_count=60_000):
    """Handshakes of which some bytes never come, while what stands behind them does: a server keeps it, up to a bound (RFC 9000 §7.5)."""
    def run(links):
        from aioquic.tls import Epoch
        peers = []
        for _ in range(count):
            peer = Peer(links)
            hello = peer.quic._crypto_streams[Epoch.INITIAL].sender
            hello.write(os.urandom(byte_count))
            hello._pending.subtract(50, 100)
            peer.send()
            peers.append(peer)

        def step(links):
            for peer in peers:
                peer.move()
        step(links)
        return step
    return run


def noise(head):
    """Datagrams that are no packets of any connection."""
    def run(links):
        link = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        link.connect(("127.0.0.1", links.place["tls"]))
        links.all.append(link)

        def step(links):
            for _ in range(200):
                try:
                    link.send(head + os.urandom(1200 - len(head)))
                except OSError:
                    pass
        step(links)
        return step
    return run


# Name, attack, streams that wait.
ATTACKS = [
    ("HTTP/3, windows of 100 bytes, 20 connections with 99 requests", waiting(20, 99, 100), None),
    ("HTTP/3, requests of clients that then are silent, 100 connections", silent(100), None),
    ("HTTP/3, connections on which nothing is asked, 560", idle(560), None),
    ("HTTP/3, rapid reset", flood(rapid_reset), None),
    ("HTTP/3, streams that are stopped at once", flood(stopped), None),
    ("HTTP/3, empty DATA", flood(empty_data, at_once=10), None),
    ("HTTP/3, reserved frames", flood(reserved, at_once=10), None),
    ("QUIC, PING", flood(ping), None),
    ("QUIC, PATH_CHALLENGE, a hundred in a packet", flood(path_challenge, at_once=10), None),
    ("QUIC, CRYPTO with a gap, 60 KB on each of 200 connections", gaps(), None),
    ("QUIC, CRYPTO behind the handshake", flood(crypto, at_once=1), None),
    ("QUIC, connection ids that are retired", flood(retired, at_once=1), None),
    ("QUIC, first packets from 10,000 sources", first_packets(), None),
    ("QUIC, packets of an unknown version", noise(b"\xC0\x1A\x2A\x3A\x4A\x08"), None),
    ("QUIC, packets of no connection", noise(b"\x40"), None),
]
