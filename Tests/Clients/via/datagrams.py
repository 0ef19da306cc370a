"""HTTP/3 in front of the proxy beside this file, which gets each stream as a connection of HTTP/1.1."""

import asyncio
import threading

from aioquic.asyncio import QuicConnectionProtocol, serve
from aioquic.h3 import connection as h3
from aioquic.h3.events import DataReceived, HeadersReceived
from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.events import StreamReset

from bridge import Bridge


def listen(place, converse, makes):
    """Serves for ever; `place` is HOST:PORT and the file with certificate and key, divided by a comma."""
    address, _, pem = place.partition(",")
    host, _, port = address.rpartition(":")
    configuration = QuicConfiguration(is_client=False, alpn_protocols=h3.H3_ALPN)
    configuration.load_cert_chain(pem, pem)
    loop = asyncio.new_event_loop()
    bound = threading.Event()

    async def run():
        await serve(
            host, int(port), configuration=configuration,
            create_protocol=lambda *words, **more: Datagrams(*words, converse=converse, makes=makes, **more),
        )
        bound.set()

    def run_for_ever():
        loop.run_until_complete(run())
        loop.run_forever()

    threading.Thread(target=run_for_ever, daemon=True).start()
    # The ports of TCP are opened behind this one, so that who reaches them finds all open.
    bound.wait()


class Datagrams(QuicConnectionProtocol, Bridge):
    version = "3.0"

    def __init__(self, *words, converse, makes, **more):
        QuicConnectionProtocol.__init__(self, *words, **more)
        Bridge.__init__(self, converse, makes)
        self.http = h3.H3Connection(self._quic)
        self.loop = asyncio.get_running_loop()
        self.begun = set()

    def quic_event_received(self, event):
        if isinstance(event, StreamReset):
            return self.stream_was_reset(event.stream_id)
        for message in self.http.handle_event(event):
            if isinstance(message, HeadersReceived):
                if message.stream_id in self.begun:
                    self.give_trailers(message.stream_id, message.headers)
                else:
                    self.begun.add(message.stream_id)
                    self.begin(message.stream_id, message.headers, message.stream_ended)
            elif isinstance(message, DataReceived):
                if message.data:
                    self.give(message.stream_id, b"%x\r\n%s\r\n" % (len(message.data), message.data))
                if message.stream_ended:
                    self.give(message.stream_id, b"0\r\n\r\n")

    def later(self, act, *words):
        """Does an act of the connection on its own thread."""

        def run():
            try:
                act(*words)
                self.transmit()
            except (h3.ProtocolError, AssertionError, ValueError):
                # The stream or the connection is over.
                pass

        self.loop.call_soon_threadsafe(run)

    def send_fields(self, stream, fields, ends):
        fields = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in fields]

        def send():
            self.http.send_headers(stream, fields, end_stream=ends)
            if fields[0][1].startswith(b"1"):
                # The package would take the next section for trailers.
                self.http._stream[stream].headers_send_state = h3.HeadersState.INITIAL

        self.later(send)

    def send_data(self, stream, piece):
        self.later(self.http.send_data, stream, piece, False)

    def end_stream(self, stream, trailers):
        if trailers:
            fields = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in trailers]
            self.later(self.http.send_headers, stream, fields, True)
        else:
            self.later(self._quic.send_stream_data, stream, b"", True)

    def reset_stream(self, stream):
        self.later(self._quic.reset_stream, stream, h3.ErrorCode.H3_INTERNAL_ERROR)
