"""Streams of HTTP/2 and HTTP/3 in front of the proxy beside this file."""

import socket
import threading

OF_A_HOP = {b"connection", b"keep-alive", b"proxy-connection", b"transfer-encoding", b"upgrade"}


class Bridge:
    """Each stream of a connection as a connection of HTTP/1.1 to the proxy; `version` is what Via calls it."""

    version = "2.0"

    def __init__(self, converse, makes):
        self.converse, self.makes = converse, makes
        # The proxy's end of each open stream.
        self.ends = {}

    def stream_was_reset(self, stream):
        end = self.ends.pop(stream, None)
        if end:
            if self.makes("streams-complete-requests"):
                self.tell(end, b"0\r\n\r\n")
            end.shutdown(socket.SHUT_WR)

    def give_trailers(self, stream, fields):
        self.give(stream, b"0\r\n" + b"".join(b"%s: %s\r\n" % field for field in fields) + b"\r\n")

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
        threading.Thread(target=self.converse, args=(proxys, self.version), daemon=True).start()
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
            dropped = not trailers or self.makes("streams-drop-trailers")
            self.end_stream(stream, [] if dropped else [(n.lower(), v) for n, v in trailers])
        except (Broken, OSError, ValueError):
            if self.makes("streams-complete-replies"):
                self.end_stream(stream, [])
            else:
                self.reset_stream(stream)
        finally:
            self.ends.pop(stream, None)
            end.close()

    def send_head(self, stream, status, fields, ends):
        kept = [(":status", str(status))]
        for name, value in fields:
            if name.lower().encode() in OF_A_HOP and not self.makes("streams-keep-hop-fields"):
                continue
            kept.append((name if self.makes("streams-keep-capitals") else name.lower(), value))
        self.send_fields(stream, kept, ends)
