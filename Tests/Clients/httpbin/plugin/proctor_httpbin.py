"""A plugin of pytest: suites for pytest-httpbin run against a server that is there already, and never leave loopback.

With HTTPBIN_URL in the environment, the fixtures of pytest-httpbin name that server, and HTTPBIN_SECURE_URL over TLS;
pytest_httpbin.certs.where() is HTTPBIN_CA, a file of certificates. Without it they are what they always were. In both
cases no name but those of loopback is resolved, and nobody else is dialled.

    PYTHONPATH=…/plugin HTTPBIN_URL=http://127.0.0.1:8088 pytest -p proctor_httpbin
"""

import ipaddress
import os
import socket
import urllib.parse

import pytest_httpbin.certs
import pytest_httpbin.serve

OWN_NAMES = ("", "localhost", "0.0.0.0", "::")


class RunningServer(pytest_httpbin.serve.Server):
    """The server of a fixture, of which only the address is new: nothing starts, and nothing ends."""

    variable = "HTTPBIN_URL"

    def __init__(self, *arguments, **others):
        url = urllib.parse.urlsplit(os.environ[self.variable])
        self.protocol, self.host, self.port = url.scheme, url.hostname, url.port

    def start(self):
        pass

    def stop(self):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass


class RunningSecureServer(RunningServer):
    variable = "HTTPBIN_SECURE_URL"


def is_own(host):
    if isinstance(host, bytes):
        host = host.decode("ascii", "replace")
    if host is None or host.lower().rstrip(".") in OWN_NAMES or host.lower().endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host.split("%")[0]).is_loopback
    except ValueError:
        return False


def guarded(call):
    def resolve(host, *others, **named):
        if not is_own(host):
            raise socket.gaierror(socket.EAI_NONAME, f"{host} is not on loopback, and is not resolved in a test")
        return call(host, *others, **named)

    return resolve


class LoopbackSocket(socket.socket):
    def connect(self, address):
        self.refuse(address)
        return super().connect(address)

    def connect_ex(self, address):
        self.refuse(address)
        return super().connect_ex(address)

    def refuse(self, address):
        if isinstance(address, tuple) and not is_own(address[0]):
            raise ConnectionRefusedError(f"{address[0]} is not on loopback, and is not dialled in a test")


for name in ("getaddrinfo", "gethostbyname", "gethostbyname_ex"):
    setattr(socket, name, guarded(getattr(socket, name)))
socket.socket = LoopbackSocket

if "HTTPBIN_URL" in os.environ:
    pytest_httpbin.serve.Server = RunningServer
    pytest_httpbin.serve.SecureServer = RunningSecureServer
    if "HTTPBIN_CA" in os.environ:
        pytest_httpbin.certs.where = lambda: os.environ["HTTPBIN_CA"]
