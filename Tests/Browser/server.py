"""A server of Proctor as a child, calls of its control API, and a relay whose connections can be cut."""

import http.client
import json
import os
import pathlib
import select
import socket
import subprocess
import tempfile
import threading
import time
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PATIENCE = 20


class Server:
    """`proctor serve` on a free port of loopback, until `stop`."""

    def __init__(self, program, *arguments, fixtures=ROOT / "fixtures"):
        self.folder = tempfile.TemporaryDirectory()
        ready = os.path.join(self.folder.name, "ready")
        self.child = subprocess.Popen(
            [program, "serve", "--port", "0", "--ephemeral-ca", "--ready-file", ready, *arguments, fixtures],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
        end = time.monotonic() + PATIENCE
        while not (os.path.exists(ready) and os.path.getsize(ready)):
            if time.monotonic() > end or self.child.poll() is not None:
                raise SystemExit(f"pages: {program} serve is not ready after {PATIENCE} s")
            time.sleep(0.02)
        with open(ready) as file:
            line = json.load(file)
        # Where programs call, and where a browser opens the pages.
        self.base, self.pages = line["base"], line["pages"]
        self.port = urllib.parse.urlsplit(self.base).port

    def stop(self):
        """Returns how long the server took to end, in seconds."""
        begin = time.monotonic()
        self.child.terminate()
        self.child.wait(PATIENCE)
        self.folder.cleanup()
        return time.monotonic() - begin

    def call(self, method, path, body=None, **fields):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.request(method, "/__proctor/" + path, None if body is None else json.dumps(body), fields)
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        if answer.status >= 400:
            raise AssertionError(f"{method} {path}: {answer.status} {text.decode()}")
        return json.loads(text)

    def call_text(self, path, text):
        """The answer to a POST of a text."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.request("POST", "/__proctor/" + path, text)
        answer = connection.getresponse().read()
        connection.close()
        return json.loads(answer)

    def lines(self, path):
        """The answer to a GET whose content is JSON lines."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.request("GET", "/__proctor/" + path)
        answer = connection.getresponse().read()
        connection.close()
        return [json.loads(line) for line in answer.splitlines()]

    def run(self, scenario, **fields):
        return self.call("POST", "runs", {"scenario": scenario}, **fields)

    def runs(self):
        return {one["run"] for one in self.call("GET", "runs")["runs"]}


def page_of(run):
    return f"/__proctor/ui/runs/{run['run']}"


def send(run, text):
    """Sends bytes to a run, and reads what comes until the server closes or for a second."""
    place = urllib.parse.urlsplit(run["base"])
    with socket.create_connection((place.hostname, place.port), PATIENCE) as one:
        one.sendall(text.encode())
        one.shutdown(socket.SHUT_WR)
        one.settimeout(1)
        received = b""
        try:
            while piece := one.recv(65536):
                received += piece
        except TimeoutError:
            pass
        return received


def get(run, target, count=1):
    """Asks on one connection, one request after the other."""
    return send(run, "".join(f"GET {target} HTTP/1.1\r\nHost: x\r\n\r\n" for _ in range(count)))


class Relay:
    """A port that leads to a server's, until its connections are cut; what it leads to can be changed."""

    def __init__(self, port):
        self.target = port
        self.isOpen = True
        self.pairs = []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.base = f"http://proctor.localhost:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            if not self.isOpen:
                client.close()
                continue
            try:
                server = socket.create_connection(("127.0.0.1", self.target))
            except OSError:
                client.close()
                continue
            self.pairs.append((client, server))
            threading.Thread(target=self.carry, args=(client, server), daemon=True).start()

    @staticmethod
    def carry(client, server):
        other = {client: server, server: client}
        try:
            while True:
                for one in select.select([client, server], [], [])[0]:
                    piece = one.recv(65536)
                    if not piece:
                        return
                    other[one].sendall(piece)
        except (OSError, ValueError):
            pass
        finally:
            client.close()
            server.close()

    def cut(self):
        """Ends every connection, and refuses others until `mend`."""
        self.isOpen = False
        for pair in self.pairs:
            for one in pair:
                try:
                    one.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass
        self.pairs = []

    def mend(self, port=None):
        self.target = port or self.target
        self.isOpen = True

    def close(self):
        self.cut()
        self.listener.close()
