# What plays the above: Python's standard library alone.
HERE = os.path.dirname(os.path.abspath(__file__))
LOCK = threading.Lock()
waiting, requests, server_names, opened, hangs = list(CONNECTIONS), [], [], 0, None


def say(text=""):
    with LOCK:
        print(text, flush=True)


def normal(data):
    """Without what a client chooses anew each time."""
    data = re.sub(rb'((?:cnonce|response)=)("?)[^",]*\2', rb"\1...", data)
    boundary = re.search(rb'boundary="?([^\s";]+)', data) or re.match(rb"--([^\r\n]+)", data)
    return data.replace(boundary[1], b"...") if boundary else data


def shown(data):
    return "".join(chr(byte) if 0x20 <= byte < 0x7F else {10: "\\n", 13: "\\r"}.get(byte, f"\\x{byte:02x}") for byte in data)


class Wire:
    """A connection, as it is or within TLS."""

    def __init__(self, sock):
        self.sock, self.tls, self.kept, self.count = sock, None, b"", 0
# tls

    def secure(self, context):
        self.incoming, self.outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        tls = context.wrap_bio(self.incoming, self.outgoing, server_side=True)
        while self.tls is None:
            try:
                tls.do_handshake()
                self.tls = tls
            except ssl.SSLWantReadError:
                self.flush()
                self.receive()
        self.flush()

    def flush(self, is_cut=False):
        data = self.outgoing.read()
        self.sock.sendall(data[:len(data) // 2] if is_cut else data)

    def receive(self):
        data = self.sock.recv(1 << 16)
        if not data:
            raise ConnectionError("the client has left")
        self.incoming.write(data)
# end

    def read(self):
        """Some bytes; none at the end."""
# tls
        while self.tls:
            try:
                return self.tls.read(1 << 16)
            except ssl.SSLWantReadError:
                self.flush()
                self.receive()
            except ssl.SSLError:
                return b""
# end
        return self.sock.recv(1 << 16)

    def more(self):
        data = self.read()
        if not data:
            raise ConnectionError("the client has left")
        self.kept += data

    def take(self, count):
        while len(self.kept) < count:
            self.more()
        data, self.kept = self.kept[:count], self.kept[count:]
        self.count += len(data)
        return data

    def line(self):
        while b"\n" not in self.kept:
            self.more()
        return self.take(self.kept.index(b"\n") + 1)

    def head(self):
        head = self.line()
        while head in (b"\r\n", b"\n"):
            head = self.line()
        while not head.endswith((b"\n\r\n", b"\n\n")):
            head += self.line()
        return head

    def content(self, head):
        """As it came, with the lines of its chunks."""
        length = re.search(rb"(?im)^content-length:[ \t]*(\d+)", head)
        if not re.search(rb"(?im)^transfer-encoding:.*chunked", head):
            return self.take(int(length[1])) if length else b""
        data = size = self.line()
        while int(size.split(b";")[0], 16):
            data += self.take(int(size.split(b";")[0], 16) + 2)
            size = self.line()
            data += size
        while not data.endswith((b"\n\r\n", b"\n\n")):
            data += self.line()
        return data

    def send(self, data, is_cut=False):
# tls
        if self.tls:
            # Of what is cut half of the first record goes out.
            self.tls.write(data[:1 << 14] if is_cut else data)
            return self.flush(is_cut)
# end
        self.sock.sendall(data)

    def finish(self, notify):
        """FIN, and a while for the client to read what was sent."""
# tls
        if self.tls and notify:
            try:
                self.tls.unwrap()
            except ssl.SSLError:
                pass
            self.flush()
# end
        self.sock.shutdown(socket.SHUT_WR)
        self.sock.settimeout(2)
        try:
            while self.sock.recv(1 << 16):
                pass
        except OSError:
            pass
        self.sock.close()

    def reset(self):
        # The client's system is to have the bytes first, which a reset would take back.
        time.sleep(0.05)
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.sock.close()


def wrong(kind, number):
    return [one for one in DEPARTURES if one[:2] == (kind, number)]


def lines_of(head):
    return re.split(rb"\r?\n", head.rstrip(b"\r\n"))


def note(connection, number, head):
    text = [f"\nconnection {connection}, request {number + 1}:"]
    for line in lines_of(head):
        marks = [one for one in wrong("line", number) if normal(one[2]) == normal(line)]
        text.append(f"{'>>' if marks else '  '} {shown(line)}")
        text += [f"   ^^ {one[3]}" for one in marks]
    text += [f"   ^^ {one[3]}" for one in wrong("without", number) if is_seen(one, None)]
    say("\n".join(text))


def is_seen(departure, results):
    """Whether it is seen now; None where nothing tells."""
    kind, number, what = departure[:3]
    if kind == "requests":
        return [b" ".join(lines_of(one[0])[0].split(b" ")[:2]) for one in requests] == what
    if kind == "result":
        if not results:
            return None
        # What one of the two does not tell is not compared.
        return number < len(results) and all(
            None in pair or pair[0] == pair[1] for pair in zip(results[number], what))
    if kind == "hang":
        return hangs
    if kind == "server name":
        return number < len(server_names) and server_names[number] == what
    if number >= len(requests):
        return False
    head, content = requests[number]
    if kind == "content":
        return normal(content) == normal(what)
    lines = [normal(line) for line in lines_of(head)]
    if kind == "without":
        return not any(line.lower().startswith(what.lower() + b":") for line in lines[1:])
    return normal(what) in lines


def play(wire, connection, steps):
    """Every step; whether the connection is still open."""
    head, number = b"", 0
    for step, *rest in steps:
        if step == "request":
            head = wire.head()
            with LOCK:
                requests.append((head, b""))
                number = len(requests) - 1
            note(connection, number, head)
        elif step == "content":
            content = wire.content(head)
            requests[number] = (head, content)
            say(f"   content of {len(content)} bytes: {shown(content[:200])}")
            for one in wrong("content", number):
                if is_seen(one, None):
                    say(f"   ^^ {one[3]}")
        elif step == "bytes":
            say(f"   {shown(wire.take(rest[0])[:1000])}")
        elif step == "received":
            # Of HTTP/2 it is enough that so much has come.
            wire.take(max(0, rest[0] - wire.count))
        elif step == "send":
            wire.send(*rest)
        elif step == "slices":
            for piece in rest[0]:
                wire.send(piece)
                time.sleep(0.003)
        elif step == "wait":
            time.sleep(rest[0])
# tls
        elif step == "tls":
            wire.secure(context_of(*rest))
# end
        elif step == "finish":
            return wire.finish(*rest)
        elif step == "reset":
            return wire.reset()
        elif step == "close":
            return wire.sock.close()
        elif step == "stall":
            while wire.read():
                pass
    return True


def next_steps(listener):
    """Those of the next connection that was recorded there; None where no more came."""
    with LOCK:
        found = next((one for one in waiting if one[0] == listener), None)
        if found:
            waiting.remove(found)
            return found[1]


def serve(sock, listener):
    global opened
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    with LOCK:
        opened += 1
        connection = opened
    wire = Wire(sock)
    try:
        steps = next_steps(listener)
        while steps and play(wire, connection, steps):
            # A request behind those that came here may have come on another connection.
            if not wire.kept:
                wire.more()
            steps = [step for step in next_steps(listener) or [] if step[0] != "tls"]
        if not steps:
            say(f"connection {connection}: no reply is recorded for it")
    except (OSError, ValueError) as error:
        say(f"connection {connection}: {error}")
    sock.close()


def listen():
    for address, port in sorted({one[0] for one in CONNECTIONS}):
        listener = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((address, port))
            listener.listen(16)
        except OSError as error:
            say(f"{address} port {port}: {error.strerror}; the client's URLs have that port, so end the program that has it")
            sys.exit(2)

        def accept(listener=listener, place=(address, port)):
            while True:
                threading.Thread(target=serve, args=(listener.accept()[0], place), daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()


def results_of(text):
    """What the client says of each load: status (0: no response), URL, bytes, whether it failed; None is not told."""
    found = []
    for line in text.splitlines():
        match = re.match(r"(\d+) (.*), (?:(\d+) bytes(?:, exit code (\d+))?$|error after (\d+) bytes)", line)
        if match:
            status, url, whole, code, cut = match.groups()
            # curl counts what came, before codings are undone, and tells an interim status where no other one came.
            count = None if code else int(whole or cut)
            status = 0 if code and int(status) < 200 else int(status)
            found.append((status, None if url == "-" else url, count, bool(cut or int(code or 0))))
        elif line.startswith("error: "):
            found.append((0, None, 0, True))
        elif line.startswith("exit code "):
            # wget ends with 8 where the server said an error.
            found.append((None, None, None, line[10:] not in ("0", "8")))
    return found


def conclude(results):
    say()
    seen = [is_seen(one, results) for one in DEPARTURES]
    for one, is_here in zip(DEPARTURES, seen):
        say(f"{ {True: 'seen', False: 'NOT seen', None: 'look at what the client says'}[is_here]}: {one[3]}")
    return 0 if True in seen and False not in seen else 1


def main():
    global hangs
    command = sys.argv[sys.argv.index("--run") + 1:] or CLIENT if "--run" in sys.argv else None
    if command == []:
        sys.exit("no command of the client is known here: python3 server.py --run COMMAND [ARGUMENT ...]")
# tls
    make_authority()
    for _, steps in CONNECTIONS:
        for step in steps:
            if step[0] == "tls":
                context_of(*step[1:])
# end
    listen()
    if command is None:
        say("waiting for the client; ^C ends it")
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            return conclude(None)
    say(f"$ {' '.join(command)}")
    try:
        done = subprocess.run(
            command, cwd=HERE, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, errors="replace", timeout=60)
        text, hangs = done.stdout, False
    except subprocess.TimeoutExpired as error:
        text, hangs = (error.stdout or b"").decode(errors="replace") + "the client hangs, and was ended after 60 s\n", True
    time.sleep(0.2)
    say("\nthe client says:\n" + "".join(f"   {line}\n" for line in text.splitlines()))
    return conclude(results_of(text))


if __name__ == "__main__":
    sys.exit(main())
