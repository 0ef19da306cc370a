"""A server of HTTP/3 by aioquic, for the benchmark: `aioquic_server.py PORT FOLDER CERTIFICATE KEY` answers each path with its file.

aioquic has QUIC and HTTP/3 as values, and a loop of asyncio for datagrams. A reply is handed over whole, as aioquic's own example does.
"""
import asyncio
import pathlib
import sys

from aioquic.asyncio import QuicConnectionProtocol, serve
from aioquic.h3.connection import H3Connection
from aioquic.h3.events import HeadersReceived
from aioquic.quic.configuration import QuicConfiguration

port, folder, certificate, key = sys.argv[1:]
FILES = {f"/{path.name}".encode(): path.read_bytes() for path in pathlib.Path(folder).iterdir()}


class Protocol(QuicConnectionProtocol):
    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.http = H3Connection(self._quic)

    def quic_event_received(self, event):
        for received in self.http.handle_event(event):
            if isinstance(received, HeadersReceived):
                content = FILES[dict(received.headers)[b":path"]]
                self.http.send_headers(received.stream_id, [(b":status", b"200"), (b"content-length", str(len(content)).encode())])
                self.http.send_data(received.stream_id, content, end_stream=True)
        self.transmit()


async def main():
    configuration = QuicConfiguration(is_client=False, alpn_protocols=["h3"])
    configuration.load_cert_chain(certificate, key)
    await serve("127.0.0.1", int(port), configuration=configuration, create_protocol=Protocol)
    await asyncio.Future()


asyncio.run(main())
