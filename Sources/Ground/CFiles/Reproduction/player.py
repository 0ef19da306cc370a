# What plays the above: Python's standard library alone.
LONGEST_RUN = 60
LOCK = threading.Lock()
waiting, requests, server_names, opened, hangs = list(CONNECTIONS), [], [], 0, False


def say(text=""):
    with LOCK:
        print(text, flush=True)


def normal(data):
    """Without what a client chooses anew each time, such as the order of cookies."""
    if data[:7].lower() == b"cookie:":
        return data[:7] + b";".join(sorted(pair.strip() for pair in data[7:].split(b";")))
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
        found = next((one for one in waiting if one[0] == listener or listener in OTHER_PLACES), None)
        if found:
            waiting.remove(found)
            return found[1]


def read_unknown(wire, connection):
    """Reads a request for which no reply is recorded."""
    if not wire.kept:
        wire.more()
    if wire.kept[:1].isalpha():
        head = wire.head()
        with LOCK:
            requests.append((head, b""))
            number = len(requests) - 1
        note(connection, number, head)
    say(f"connection {connection}: no reply is recorded for it")


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
            read_unknown(wire, connection)
    except (OSError, ValueError) as error:
        say(f"connection {connection}: {error}")
    sock.close()


def listen():
    for address, port in sorted({one[0] for one in CONNECTIONS} | set(OTHER_PLACES)):
        listener = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((address, port))
            listener.listen(16)
        except OSError as error:
            leave(f"{address} port {port}: {error.strerror}; the client's URLs have that port, so end the program that has it")

        def accept(listener=listener, place=(address, port)):
            while True:
                threading.Thread(target=serve, args=(listener.accept()[0], place), daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()


def leave(reason):
    """Nothing was tried, or nothing can be told of it."""
    say(f"not tried: {reason}")
    sys.exit(2)


def run(words, folder):
    """Runs the client once: what it writes, and its exit code; None where it was ended."""
    say(f"$ {shlex.join(words)}")
    own = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as output:
        given.write(PROGRAM.encode())
        given.seek(0)
        try:
            client = subprocess.Popen(
                words, stdin=given, stdout=output, cwd=folder, env={**own, **ENVIRONMENT}, start_new_session=True)
        except OSError as error:
            leave(f"{words[0]} can't be run: {error.strerror}")
        try:
            code = client.wait(LONGEST_RUN)
        except subprocess.TimeoutExpired:
            code = None
        finally:
            if client.poll() is None:
                os.killpg(client.pid, signal.SIGKILL)
                client.wait()
        # A shell and env exit so where a program is not there.
        if code in (126, 127):
            leave(f"the command exits with {code}: its program can't be run")
        output.seek(0)
        return output.read(), code


def perform(command, folder):
    """Runs the client, for each load where {url} stands for its URL; what it says of the loads."""
    global hangs
    is_line = any("{url}" in word for word in command)
    results, said = [], []
    for url, content in LOADS if is_line else LOADS[:1]:
        with open(BODY, "wb") as file:
            file.write(content)
        words = command
        for name, value in (("{url}", url), ("{out}", OUT), ("{body-file}", BODY), ("{ca}", CA)) if is_line else ():
            words = [word.replace(name, value) for word in words]
        output, code = run(words, folder)
        hangs = hangs or code is None
        text = output.decode(errors="replace")
        said += text[:4000].splitlines() + (["the client hangs, and was ended"] if code is None else [])
        found = results_of(text)
        if not found and (is_line or len(LOADS) == 1):
            # A command tells no more than what it wrote, and whether it failed.
            count = os.path.getsize(OUT) if os.path.exists(OUT) else len(output)
            found = [(None, None, count, code not in FINE_EXITS)]
        results += found
    time.sleep(0.2)
    say("\nthe client says:\n" + "".join(f"   {line}\n" for line in said))
    return results


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
        elif line.startswith("{"):
            found += result_of_trace(line)
    return found


def result_of_trace(line):
    """The same of a line of an adapter's trace; none of a line that is no result."""
    try:
        event = json.loads(line)
        name, facts = event.get("ev"), event.get("facts") or {}
        if name == "unimplemented":
            leave(f"the client can't do it: {event.get('arg')}")
        if name == "result":
            return [(facts.get("status", 0), facts.get("url"), facts.get("bytes"), "error" in facts)]
    except (ValueError, AttributeError):
        pass
    return []


def conclude(results):
    """0 where the departure shows, 1 where it does not."""
    say()
    if not opened and not IS_SILENT_RIGHT:
        leave("the client made no connection to " + " or ".join(sorted({f"{one[0][0]}:{one[0][1]}" for one in CONNECTIONS})))
    seen = [is_seen(one, results) for one in DEPARTURES]
    for one, is_here in zip(DEPARTURES, seen):
        say(f"{ {True: 'seen', False: 'NOT seen', None: 'look at what the client says'}[is_here]}: {one[3]}")
    if UNMADE:
        leave(f"the server's certificate was {' and '.join(UNMADE)}, and the script makes a valid one")
    # The first is what the report is about; others follow from it.
    first = [is_here for one, is_here in zip(DEPARTURES, seen) if one[3] == DEPARTURES[0][3] and is_here is not None]
    if not first:
        leave("nothing that came tells whether the departure shows")
    return 0 if all(first) else 1


def main():
    words = sys.argv[1:]
    command, folder = (CLIENT, FOLDER) if words == ["--run"] else (words[1:], None)
    if re.search(r"\{(follow|head|header|body|method|proxy|user|password|cert|key|host|port|target)\}", " ".join(words)):
        leave("the script fills in {url}, {out}, {body-file} and {ca} alone; write the rest out, without brackets")
    if words and (words[0] not in ("--run", "--") or not command):
        leave("python3 server.py -- COMMAND [ARGUMENT ...] runs the client's command, in which {url} stands for the URL")
# tls
    make_authority()
    for _, steps in CONNECTIONS:
        for step in steps:
            if step[0] == "tls":
                context_of(*step[1:])
# end
    listen()
    if words:
        return conclude(perform(command, folder))
    say("waiting for the client; ^C ends it")
    try:
        threading.Event().wait()
    except KeyboardInterrupt:
        return conclude(None)


if __name__ == "__main__":
    sys.exit(main())
