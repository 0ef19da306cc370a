"""HTTP/1.1 and HTTP/2 over TLS in front of the proxy beside this file, which gets each stream as a connection of HTTP/1.1."""

import socket
import ssl
import threading

import h2.config
import h2.connection
import h2.errors
import h2.events
import h2.exceptions

OF_A_HOP = {b"connection", b"keep-alive", b"proxy-connection", b"transfer-encoding", b"upgrade"}


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


class Streams:
    def __init__(self, connection, converse, makes):
        self.socket, self.converse, self.makes = connection, converse, makes
        config = h2.config.H2Configuration(
            client_side=False, header_encoding=None, validate_inbound_headers=not makes("streams-take-malformed"),
            normalize_inbound_headers=not makes("streams-keep-cookies-apart"),
            normalize_outbound_headers=not (makes("streams-keep-hop-fields") or makes("streams-keep-capitals")),
            validate_outbound_headers=not (makes("streams-keep-hop-fields") or makes("streams-keep-capitals")),
        )
        self.h2 = h2.connection.H2Connection(config)
        self.lock = threading.Condition()
        # The proxy's end of each open stream.
        self.ends = {}
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
                lines = b"".join(b"%s: %s\r\n" % field for field in event.headers)
                self.give(event.stream_id, b"0\r\n" + lines + b"\r\n")
            case h2.events.StreamReset():
                end = self.ends.pop(event.stream_id, None)
                if end:
                    if self.makes("streams-complete-requests"):
                        self.tell(end, b"0\r\n\r\n")
                    end.shutdown(socket.SHUT_WR)
                if self.makes("streams-end-all"):
                    self.is_open = False

    def give(self, stream, data):
        if stream in self.ends:
            self.tell(self.ends[stream], data)

    @staticmethod
    def tell(end, data):
        try:
            end.sendall(data)
        except OSError:
            pass

    def begin(self, stream, fields, is_whole):
        control = {name: value for name, value in fields if name.startswith(b":")}
        # A head, and content in chunks where it has a length too: the proxy makes of it what it does of any request.
        others = [f for f in fields if not f[0].startswith(b":") and f[0] not in (b"host", b"cookie", b"content-length")]
        cookies = [value for name, value in fields if name == b"cookie"]
        if cookies:
            others += [(b"cookie", c) for c in cookies] if self.makes("streams-keep-cookies-apart") else [(b"cookie", b"; ".join(cookies))]
        host = control.get(b":authority") or next((value for name, value in fields if name == b"host"), b"")
        lines = [b"%s %s HTTP/1.1" % (control.get(b":method", b"GET"), control.get(b":path", b"/"))]
        if not self.makes("streams-tell-no-host"):
            lines.append(b"Host: " + host)
        lines += [b"%s: %s" % field for field in others if field[0] != b"te"]
        if not is_whole:
            lines.append(b"Transfer-Encoding: chunked")
        ours, proxys = socket.socketpair()
        self.ends[stream] = ours
        threading.Thread(target=self.converse, args=(proxys, True), daemon=True).start()
        self.tell(ours, b"\r\n".join(lines) + b"\r\n\r\n")
        is_head = control.get(b":method") == b"HEAD"
        threading.Thread(target=self.hand_back, args=(stream, ours, is_head), daemon=True).start()

    def hand_back(self, stream, end, is_head):
        from __main__ import Broken, Peer, content, length, words

        server = Peer(end)
        try:
            while True:
                head = server.head()
                if head is None:
                    raise Broken("no reply")
                status, fields = int(head[0].split(" ")[1]), head[1]
                if status >= 200:
                    break
                if not self.makes("streams-drop-interim"):
                    self.send_head(stream, status, fields, False)
            size = length(fields)
            has_content = not is_head and status not in (204, 304)
            framing = "none"
            if has_content:
                framing = "chunked" if words(fields, "transfer-encoding") else "close" if size is None else "length"
            is_empty = not has_content or framing == "length" and size == 0
            self.send_head(stream, status, fields, is_empty)
            if is_empty:
                return
            trailers = None
            for piece in content(server, framing, size):
                if isinstance(piece, list):
                    trailers = piece
                else:
                    self.send_data(stream, piece)
            with self.lock:
                if trailers and not self.makes("streams-drop-trailers"):
                    self.h2.send_headers(stream, [(n.lower(), v) for n, v in trailers], end_stream=True)
                else:
                    self.h2.end_stream(stream)
                self.flush()
        except (Broken, OSError, ValueError):
            with self.lock:
                try:
                    if self.makes("streams-complete-replies"):
                        self.h2.end_stream(stream)
                    else:
                        self.h2.reset_stream(stream, h2.errors.ErrorCodes.INTERNAL_ERROR)
                    self.flush()
                except (h2.exceptions.ProtocolError, OSError):
                    pass
        except h2.exceptions.ProtocolError:
            pass
        finally:
            self.ends.pop(stream, None)
            end.close()

    def send_head(self, stream, status, fields, ends):
        kept = [(":status", str(status))]
        for name, value in fields:
            if name.lower().encode() in OF_A_HOP and not self.makes("streams-keep-hop-fields"):
                continue
            kept.append((name if self.makes("streams-keep-capitals") else name.lower(), value))
        with self.lock:
            self.h2.send_headers(stream, kept, end_stream=ends)
            self.flush()

    def send_data(self, stream, piece):
        while piece:
            with self.lock:
                while self.is_open and self.h2.local_flow_control_window(stream) <= 0:
                    self.lock.wait(5)
                if not self.is_open:
                    raise OSError("closed")
                room = min(self.h2.local_flow_control_window(stream), self.h2.max_outbound_frame_size)
                self.h2.send_data(stream, piece[:room])
                self.flush()
            piece = piece[room:]
