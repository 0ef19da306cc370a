"""HTTP/1.1 and HTTP/2 over TLS in front of the proxy beside this file, which gets each stream as a connection of HTTP/1.1."""

import socket
import ssl
import threading

import h2.config
import h2.connection
import h2.errors
import h2.events
import h2.exceptions

from bridge import Bridge


def listen(place, converse, makes):
    """Accepts for ever; `place` is HOST:PORT and the file with certificate and key, divided by a comma."""
    address, _, pem = place.partition(",")
    host, _, port = address.rpartition(":")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem)
    context.set_alpn_protocols(["h2", "http/1.1"])
    listener = socket.create_server((host, int(port)), backlog=64)

    def accept(connection):
        try:
            secured = context.wrap_socket(connection, server_side=True)
        except OSError:
            return connection.close()
        if secured.selected_alpn_protocol() == "h2":
            return Streams(secured, converse, makes).run()
        return converse(secured)

    def accept_all():
        while True:
            threading.Thread(target=accept, args=(listener.accept()[0],), daemon=True).start()

    threading.Thread(target=accept_all, daemon=True).start()


class Streams(Bridge):
    def __init__(self, connection, converse, makes):
        super().__init__(converse, makes)
        self.socket = connection
        config = h2.config.H2Configuration(
            client_side=False, header_encoding=None, validate_inbound_headers=not makes("streams-take-malformed"),
            normalize_inbound_headers=not makes("streams-keep-cookies-apart"),
            normalize_outbound_headers=not (makes("streams-keep-hop-fields") or makes("streams-keep-capitals")),
            validate_outbound_headers=not (makes("streams-keep-hop-fields") or makes("streams-keep-capitals")),
        )
        self.h2 = h2.connection.H2Connection(config)
        self.lock = threading.Condition()
        self.is_open = True
        self.rest, self.is_begun = b"", False

    def run(self):
        with self.socket:
            with self.lock:
                self.h2.initiate_connection()
                self.flush()
            try:
                while self.is_open and (data := self.socket.recv(65536)):
                    with self.lock:
                        events = self.h2.receive_data(self.without_goaway(data))
                        for event in events:
                            self.handle(event)
                        self.flush()
                        self.lock.notify_all()
            except h2.exceptions.ProtocolError:
                self.end_by_goaway()
            except OSError:
                pass
            with self.lock:
                self.is_open = False
                self.lock.notify_all()
            for end in list(self.ends.values()):
                end.close()

    def end_by_goaway(self):
        """Sends what is left, and reads what is on its way, so that no reset overtakes it."""
        try:
            with self.lock:
                self.flush()
            self.socket.settimeout(0.3)
            while self.socket.recv(65536):
                pass
        except OSError:
            pass

    def without_goaway(self, data):
        """Whole frames without those of GOAWAY, at which the package would end streams that are still to be answered."""
        self.rest += data
        whole = b""
        if not self.is_begun and len(self.rest) >= 24:
            whole, self.rest, self.is_begun = self.rest[:24], self.rest[24:], True
        while self.is_begun and len(self.rest) >= 9:
            size = 9 + int.from_bytes(self.rest[:3], "big")
            if len(self.rest) < size:
                break
            if self.rest[3] != 7:
                whole += self.rest[:size]
            elif self.makes("streams-end-at-goaway"):
                self.is_open = False
            self.rest = self.rest[size:]
        return whole

    def flush(self):
        data = self.h2.data_to_send()
        if data:
            self.socket.sendall(data)

    def handle(self, event):
        match event:
            case h2.events.RequestReceived():
                self.begin(event.stream_id, event.headers, event.stream_ended is not None)
            case h2.events.DataReceived():
                self.h2.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
                if event.data:
                    self.give(event.stream_id, b"%x\r\n%s\r\n" % (len(event.data), event.data))
                if event.stream_ended:
                    self.give(event.stream_id, b"0\r\n\r\n")
            case h2.events.TrailersReceived():
                self.give_trailers(event.stream_id, event.headers)
            case h2.events.StreamReset():
                self.stream_was_reset(event.stream_id)
                if self.makes("streams-end-all"):
                    self.is_open = False

    def send_fields(self, stream, fields, ends):
        with self.lock:
            try:
                self.h2.send_headers(stream, fields, end_stream=ends)
                self.flush()
            except h2.exceptions.ProtocolError as fault:
                raise OSError("the stream is over") from fault

    def end_stream(self, stream, trailers):
        with self.lock:
            try:
                if trailers:
                    self.h2.send_headers(stream, trailers, end_stream=True)
                else:
                    self.h2.end_stream(stream)
                self.flush()
            except (h2.exceptions.ProtocolError, OSError):
                pass

    def reset_stream(self, stream):
        with self.lock:
            try:
                self.h2.reset_stream(stream, h2.errors.ErrorCodes.INTERNAL_ERROR)
                self.flush()
            except (h2.exceptions.ProtocolError, OSError):
                pass

    def send_data(self, stream, piece):
        while piece:
            with self.lock:
                while self.is_open and self.h2.local_flow_control_window(stream) <= 0:
                    self.lock.wait(5)
                if not self.is_open:
                    raise OSError("closed")
                room = min(self.h2.local_flow_control_window(stream), self.h2.max_outbound_frame_size)
                try:
                    self.h2.send_data(stream, piece[:room])
                    self.flush()
                except h2.exceptions.ProtocolError as fault:
                    raise OSError("the stream is over") from fault
            piece = piece[room:]
