#!/usr/bin/env python3
"""An adapter of Proctor for the WebSockets of HTTPX2: an assignment on standard input, a trace on standard output.

Docs/clients/adapters.md describes both. It opens them with `AsyncClient.websocket`, of the httpx2 of the Python that runs it.

What it is told, so that it neither gets help nor is hindered:

- The URL with `ws` for `http` and `wss` for `https`, the caller's fields as `headers`, `subprotocols` where there are some. All
  steps share one AsyncClient, with `trust_env=False`, `follow_redirects=True` and `proxy` where the assignment has one.
- Names are looked up in the assignment's table, in the place of the system's resolver; others are not found. anyio keeps a port of
  its own beside the addresses of a name, so that its `connect_tcp` is asked for the place of the table.
- Messages may have 4 MiB (`max_message_size_bytes`); without this setting its limit is 64 KiB.
- Its pings for keeping a connection alive are off, since they are not the case's.
- A session lives in a task of its own, which leaves it where the step is over: where its reader fails, that task is cancelled.

  --names-proxy   come to names by the proxy that leads to all of them, and not by their addresses
"""

import asyncio
import os
import sys

sys.dont_write_bytecode = True
# At the end: files beside have the names of libraries.
HERE = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..")
KIT = os.path.join(HERE, "..", "kits", "python")
sys.path += [HERE, KIT]

from proctor_python import Library, error_facts, leave_surroundings, resolve_only, tls_context  # noqa: E402
from proctor_sockets import Names  # noqa: E402
from proctor_websocket import FACTS, LANES, Conversation, Over, Socket, check_steps, converse  # noqa: E402

ERRORS = {
    "TooManyRedirects": "tooManyRedirects",
    "UnsupportedProtocol": "unsupportedURL",
    "InvalidURL": "badURL",
    "ProxyError": "cannotConnect",
    "WebSocketUpgradeError": "badServerResponse",
    "WebSocketNetworkError": "connectionLost",
    "WebSocketDisconnect": "cannotParseResponse",
    "RemoteProtocolError": "cannotParseResponse",
    "LocalProtocolError": "cannotParseResponse",
    "UnicodeDecodeError": "cannotParseResponse",
    "ReadError": "connectionLost",
    "Over": "connectionLost",
}


MOST_BYTES = 4 << 20
REMOTE = ("REMOTE_CLOSING", "CLOSED")


def connect_by(names):
    """Has anyio connect to the addresses and ports of the table."""
    import anyio
    connect = anyio.connect_tcp

    async def connect_tcp(remote_host, remote_port, **options):
        failure = None
        for host, port in names.resolve_all(remote_host, remote_port) or [(remote_host, remote_port)]:
            try:
                return await connect(host, port, **options)
            except OSError as error:
                failure = error
        raise failure

    anyio.connect_tcp = connect_tcp


def cause_of(error):
    """The first error of a group of them."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


class WebSocket(Socket):
    def __init__(self, library, client, step):
        self.library, self.client, self.step = library, client, step
        self.connection = self.failure = None
        self.leaves = asyncio.Event()

    async def open(self):
        self.opened = asyncio.get_running_loop().create_future()
        self.session = asyncio.ensure_future(self.hold())
        return await self.opened

    async def hold(self):
        try:
            async with self.client.websocket(
                "ws" + self.step["url"].removeprefix("http"), headers=[tuple(field) for field in self.step["headers"]],
                subprotocols=self.step.get("protocols") or None, keepalive_ping_interval_seconds=None,
                max_message_size_bytes=MOST_BYTES,
            ) as connection:
                self.connection = connection
                self.opened.set_result(connection.subprotocol)
                await self.leaves.wait()
        except BaseException as error:  # noqa: BLE001 -- whatever the client raises is a result
            error = cause_of(error)
            if not self.opened.done():
                self.opened.set_exception(error)
            elif self.failure is None and self.close_frame is None:
                self.failure = error

    async def unless_over(self, work):
        """What the client's call gives; it may wait for ever where the session's reader has failed."""
        call = asyncio.ensure_future(work)
        await asyncio.wait({call, self.session}, return_when=asyncio.FIRST_COMPLETED)
        if not call.done():
            call.cancel()
            raise self.failure or Over("the session is over")
        try:
            return call.result()
        except self.library.websockets.WebSocketDisconnect as end:
            # It tells a fault that it found itself by the same error as a Close frame of the server.
            if self.connection.connection.state.name not in REMOTE:
                self.failure = end
                raise
            self.close_frame = (end.code, end.reason or "")
            raise Over(f"the server has closed with {end.code}") from end
        except Exception as error:
            self.failure = self.failure or cause_of(error)
            raise self.failure from error

    async def send(self, message):
        send = self.connection.send_text if isinstance(message, str) else self.connection.send_bytes
        await self.unless_over(send(message))

    async def ping(self):
        pong = await self.unless_over(self.connection.ping())
        await self.unless_over(pong.wait())

    async def receive(self):
        event = await self.unless_over(self.connection.receive())
        return event.data if isinstance(event.data, str) else bytes(event.data)

    async def close(self, code, reason):
        await self.unless_over(self.connection.close(code, reason))

    async def end(self):
        while self.close_frame is None and self.failure is None and not self.session.done():
            try:
                await self.receive()
            except Exception:  # noqa: BLE001 -- it is kept where it is the failure
                break
        self.leaves.set()
        await self.session
        return None if self.close_frame else self.failure


class HTTPX2(Library):
    client, module, package, revision = "httpx2-websocket", "httpx2", "pip install 'httpx2[ws]'", "1"
    lanes, facts = LANES, FACTS
    abilities = "websocket redirects cookie-jar proxy-tunnel proxy trust identity several-loads"

    def check(self, assignment):
        super().check(assignment)
        check_steps(self, assignment)

    def run(self, assignment, trace):
        leave_surroundings()
        names = Names(assignment["session"])
        resolve_only(names)
        connect_by(names)
        asyncio.run(self.perform(self.library(), assignment, trace))

    async def perform(self, library, assignment, trace):
        setup, steps = assignment["session"], assignment["steps"]
        options = {"trust_env": False, "follow_redirects": True}
        if setup.get("trust") or setup.get("identity"):
            options["verify"] = tls_context(setup)
        if setup.get("proxy"):
            options["proxy"] = f"http://{setup['proxy']}"
        async with library.AsyncClient(**options) as client:

            def conversation(index):
                return Conversation(
                    WebSocket(library, client, steps[index]), steps[index], index, trace,
                    lambda error: error_facts(error, ERRORS, self.client), "redirect challenge informational")

            await converse(assignment, conversation)


if __name__ == "__main__":
    sys.exit(HTTPX2().main(__doc__))
