#!/usr/bin/env python3
"""An adapter of Proctor for http.client of Python that asks a proxy by CONNECT for http as well, which RFC 9112 §3.2.2 permits.

It has the ability `proxy-tunnel`, and not `proxy`: what it is asked, and passes, is what such a client can be asked.
"""

import http.client
import importlib.machinery
import importlib.util
import os
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.realpath(__file__))
LOADER = importlib.machinery.SourceFileLoader("python_http_client", os.path.join(HERE, "..", "..", "clients", "adapters", "python-http-client"))
python_http_client = importlib.util.module_from_spec(importlib.util.spec_from_loader(LOADER.name, LOADER))
LOADER.exec_module(python_http_client)


class Tunnelled:
    """CONNECT by HTTP/1.1 with Host, behind which any 2xx opens the tunnel (RFC 9110 §9.3.6); http.client asks by HTTP/1.0."""

    def _tunnel(self):
        authority = f"{self._tunnel_host}:{self._tunnel_port}"
        self.send(f"CONNECT {authority} HTTP/1.1\r\nHost: {authority}\r\n\r\n".encode())
        status = 100
        while 100 <= status < 200:
            status = self.status_of_head()
        if not 200 <= status < 300:
            self.close()
            raise OSError(f"the proxy opens no tunnel: {status}")

    def status_of_head(self):
        """Reads a head byte by byte, since what stands behind it is no HTTP of the proxy."""
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            piece = self.sock.recv(1)
            if not piece or len(head) > 1 << 16:
                raise http.client.RemoteDisconnected("the answer to CONNECT broke off, or has more than 64 KiB")
            head += piece
        words = head.split(b" ", 2)
        if len(words) < 2 or not words[1][:3].isdigit():
            raise http.client.BadStatusLine(head[:80].decode("latin-1"))
        return int(words[1][:3])


class Connection(Tunnelled, http.client.HTTPConnection):
    pass


class SecureConnection(Tunnelled, http.client.HTTPSConnection):
    pass


class Connections(python_http_client.Connections):
    tunnelled = ("http", "https")
    plain, secure = Connection, SecureConnection


class Tunnels(python_http_client.HTTPClient):
    client = "tunnels"
    abilities = " ".join(word for word in python_http_client.HTTPClient.abilities.split() if word != "proxy")
    connections = Connections


if __name__ == "__main__":
    sys.exit(Tunnels().main(__doc__))
