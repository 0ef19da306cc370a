import ProctorServer
import ProctorServing
import ProctorTestSupport
import ProctorTestWire
import Testing

/// Connections that become another origin's behind a CONNECT.
struct TunnelTests {
    private static let connect = "CONNECT home.example.org:80 HTTP/1.1\r\nHost: home.example.org:80\r\n\r\n"
    private static let get = "GET /who HTTP/1.1\r\nHost: home.example.org\r\n\r\n"
    private static let last = "GET /who HTTP/1.1\r\nHost: home.example.org\r\nConnection: close\r\n\r\n"

    @Test func `at the front door a tunnel is no request, and a connection of its own`() async throws {
        try await withNamedRun { named in
            let texts = try await talk(to: named.door) { wire in
                try wire.send(Self.connect)
                let head = try wire.readHead()
                try wire.send(Self.get)
                let first = try wire.readReply()
                try wire.send(Self.last)
                return [head, first, try wire.readToEnd().text]
            }
            #expect(texts[0] == "HTTP/1.1 200 Connection established\r\n\r\n")
            #expect(texts[1...].allSatisfy { $0.hasSuffix("\r\n\r\nhome") })
            let lines = try await named.run.journal.lines(untilClosed: 2).filter { !$0.contains(" sent ") }
            #expect(
                lines == [
                    "c0 opened names", "c0 tunnel to home.example.org:80 (main)", "c1 opened main",
                    "c1 r0 head GET /who", "c1 r0 exchange 0 turn 0", "c1 r1 head GET /who", "c1 r1 exchange 0 turn 0",
                    "c1 closed by server: closed", "c0 closed by server: closed",
                ])
        }
    }

    @Test(arguments: [1, 7, 79, 80, 90, 1_000])
    func `what comes right behind CONNECT is the tunnel's, however it is cut`(_ byteCount: Int) async throws {
        try await withNamedRun { named in
            let bytes = Array((Self.connect + Self.get + Self.last).utf8)
            let got = try await talk(to: named.door) { wire in
                var start = 0
                while start < bytes.count {
                    let end = min(start + byteCount, bytes.count)
                    try wire.send(Array(bytes[start..<end]))
                    start = end
                }
                return try wire.readToEnd().text
            }
            #expect(got.ranges(of: "\r\n\r\nhome").count == 2, "\(got)")
            #expect(named.run.journal.misses.isEmpty)
        }
    }

    /// Python's `ssl`, which sends its first message together with the CONNECT.
    private static let eager = """
        import socket, ssl, sys
        host, port, ca, name = sys.argv[1:]
        context = ssl.create_default_context(cafile=ca)
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        session = context.wrap_bio(incoming, outgoing, server_hostname=name)
        try: session.do_handshake()
        except ssl.SSLWantReadError: pass
        raw = socket.create_connection((host, int(port)))
        raw.settimeout(120)
        connect = "CONNECT %s:443 HTTP/1.1\\r\\nHost: %s:443\\r\\n\\r\\n" % (name, name)
        raw.sendall(connect.encode() + outgoing.read())
        head = b""
        while not head.endswith(b"\\r\\n\\r\\n"): head += raw.recv(1)
        def until(step):
            while True:
                try:
                    result = step()
                    if outgoing.pending: raw.sendall(outgoing.read())
                    return result
                except ssl.SSLWantReadError:
                    if outgoing.pending: raw.sendall(outgoing.read())
                    incoming.write(raw.recv(65536))
        until(session.do_handshake)
        until(lambda: session.write(("GET /who HTTP/1.1\\r\\nHost: %s\\r\\n\\r\\n" % name).encode()))
        print(until(lambda: session.read(65536)).decode().split("\\r\\n\\r\\n")[1])
        """

    @Test func `a ClientHello right behind CONNECT is not lost`() async throws {
        try await withNamedRun { named in
            let parts = (named.run.namesProxy ?? "").split(separator: ":").map(String.init)
            let outcome = try await ChildProcess.run(
                ["/usr/bin/python3", "-E", "-s", "-B", "-c", Self.eager, parts[0], parts[1], named.run.trust ?? ""]
                    + ["home.example.org"])
            #expect(outcome.out == "secure\n", "\(outcome.err)")
            let lines = try await named.run.journal.lines(untilClosed: 2)
            #expect(lines[1] == "c0 tunnel to home.example.org:443 (secure)" && lines[2] == "c1 opened secure")
            #expect(lines[3].hasPrefix("c1 hello home.example.org ") && lines[4] == "c1 secured 1.3 valid", "\(lines)")
            #expect(lines.contains("c1 r0 head GET /who"))
        }
    }

    @Test func `curl comes by tunnel to https and to http`() async throws {
        try await withNamedRun { named in
            let outcome = try await NamedRun.curl(
                named.run, "-x", named.door, "https://home.example.org/who", "https://home.example.org/who", "--next",
                "-sS", "-x", named.door, "-p", "http://sibling.example.org/who", "http://home.example.org:8080/who")
            #expect(outcome.out == "securesecuresiblingalt", "\(outcome.err)")
            let lines = named.run.journal.lines
            #expect(
                lines.count { $0.contains(" tunnel to ") } == 3 && lines.count { $0.contains(" opened names") } == 3)
            #expect(!lines.contains { $0.contains("CONNECT") })
        }
    }

    private static let scripted = """
        summary: a connection with a script
        origins:
          main: { host: home.example.org }
          odd: { host: odd.example.org, connections: [{ at: accept, do: EFFECT, on: 1 }] }
          late: { host: late.example.org, scheme: https, connections: [{ at: handshake certificate, do: reset }] }
        exchanges:
          - { origin: odd, request: GET /, reply: { status: 200, body: odd } }
        """

    @Test func `effects of the origin's connections are played in its tunnels, counted with the others`() async throws {
        let yaml = Self.scripted.replacing("EFFECT", with: "reset")
        try await withRun(yaml) { run in
            let named = NamedRun(run: run)
            let direct = try await exchange(
                "GET / HTTP/1.1\r\nHost: odd.example.org\r\n\r\n", with: try named.place(of: "odd.example.org"))
            #expect(direct.text.hasSuffix("odd"))
            let got = try await talk(to: named.door) { wire in
                try wire.send("CONNECT odd.example.org:80 HTTP/1.1\r\nHost: odd.example.org:80\r\n\r\n")
                return try wire.readToEnd()
            }
            #expect(got.ending == .reset)
            let lines = try await run.journal.lines(untilClosed: 3)
            #expect(
                lines.suffix(6) == [
                    "c1 opened names", "c1 tunnel to odd.example.org:80 (odd)", "c2 opened odd",
                    "c2 effect reset at accept",
                    "c2 closed by server: reset", "c1 closed by server: reset",
                ], "\(lines)")
        }
    }

    @Test func `effects of a handshake are played in a tunnel`() async throws {
        try await withRun(Self.scripted.replacing("EFFECT", with: "wait 1ms")) { run in
            let outcome = try await NamedRun.curl(run, "-x", NamedRun(run: run).door, "https://late.example.org/")
            #expect(outcome.status != 0)
            let lines = try await run.journal.lines(untilClosed: 2)
            #expect(lines.contains("c1 effect reset at handshake certificate"), "\(lines)")
            #expect(lines.suffix(2) == ["c1 closed by server: reset", "c0 closed by server: reset"])
        }
    }

    @Test func `a tunnel that stays silent ends by the bound of an idle connection`() async throws {
        try await withNamedRun(configure: { $0.limits.idleDuration = .milliseconds(50) }) { named in
            let got = try await talk(to: named.door) { wire in
                try wire.send(Self.connect)
                return try wire.readToEnd()
            }
            #expect(got.ending == .closed)
            #expect(
                try await named.run.journal.lines(untilClosed: 2).suffix(2) == [
                    "c1 closed by server: timedOut", "c0 closed by server: timedOut",
                ])
        }
    }

    @Test func `a tunnel without a handshake ends by the bound of one`() async throws {
        try await withNamedRun(configure: { $0.limits.handshakeDuration = .milliseconds(50) }) { named in
            let got = try await talk(to: named.door) { wire in
                try wire.send("CONNECT home.example.org:443 HTTP/1.1\r\nHost: home.example.org:443\r\n\r\n")
                return try wire.readToEnd()
            }
            #expect(got.ending == .closed)
            let lines = try await named.run.journal.lines(untilClosed: 2)
            #expect(lines.contains { $0.hasPrefix("c1 handshake failed at client-hello") }, "\(lines)")
            #expect(lines.suffix(2) == ["c1 closed by server: timedOut", "c0 closed by server: timedOut"])
        }
    }

    @Test func `a run that stops ends an idle tunnel at once`() async throws {
        try await withNamedRun { named in
            let got = try await onThread { () throws -> Wire in
                let wire = try Wire(to: named.door)
                try wire.send(Self.connect + Self.get)
                _ = try wire.readHead()
                _ = try wire.readReply()
                return wire
            }
            // Far longer than a test may take.
            await named.run.stop(grace: .seconds(3_600))
            let ending = try await onThread { try got.readToEnd().ending }
            #expect(ending == .closed)
            #expect(
                named.run.journal.lines.suffix(2) == ["c1 closed by server: stopped", "c0 closed by server: stopped"])
        }
    }

    @Test(arguments: [
        "Transfer-Encoding: chunked\r\n\r\nxyz\r\n", "Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n",
        "Content-Length: 200000000000\r\n\r\n", "Content-Length: 3\r\n\r\na=1",
    ])
    func `CONNECT with content opens no tunnel`(_ rest: String) async throws {
        let taking =
            "  - { origin: gate, request: CONNECT odd.example.org:80, reply: { status: 200, tunnel: sibling } }\n"
        try await withNamedRun(taking) { named in
            let gate = try #require(named.run.origin("gate"))
            let places = [(named.door, "names", "home"), (gate, "gate", "home"), (gate, "gate", "odd")]
            for (place, origin, name) in places {
                named.run.reset()
                let got = try await exchange(
                    "CONNECT \(name).example.org:80 HTTP/1.1\r\nHost: \(name).example.org:80\r\n\(rest)", with: place)
                #expect(got.text.status == 400 && got.text.contains("connect-with-content"), "\(got.text)")
                let lines = try await named.run.journal.lines(untilClosed: 1)
                let shape = lines.map { $0.split(separator: " ").prefix(4).joined(separator: " ") }
                #expect(
                    shape == [
                        "c0 opened \(origin)", "c0 r0 head CONNECT", "c0 r0 violation connect-with-content",
                        "c0 r0 sent 400", "c0 closed by server:",
                    ], "\(lines)")
            }
        }
    }

    @Test func `content of no bytes is none`() async throws {
        try await withNamedRun { named in
            let reply = try await talk(to: named.door) { wire in
                try wire.send(
                    "CONNECT home.example.org:80 HTTP/1.1\r\nHost: home.example.org:80\r\nContent-Length: 0\r\n\r\n")
                _ = try wire.readHead()
                return try wire.ask("GET /who", host: "home.example.org")
            }
            #expect(reply.content == "home", "\(reply)")
        }
    }

    @Test(arguments: [true, false])
    func `a tunnel that lives on behind a reset is told again`(_ isExplicit: Bool) async throws {
        try await withNamedRun { named in
            let place = isExplicit ? try #require(named.run.origin("gate")) : named.door
            try await onThread {
                let wire = try Wire(to: place)
                defer { wire.close() }
                try wire.send(Self.connect + Self.get)
                _ = try wire.readHead()
                _ = try wire.readReply()
                named.run.reset()
                for _ in 0..<2 {
                    try wire.send(Self.get)
                    #expect(try wire.readReply().hasSuffix("home"))
                }
            }
            let lines = try await named.run.journal.lines(untilClosed: 2).filter { !$0.contains(" sent ") }
            #expect(
                lines == [
                    "c0 opened \(isExplicit ? "gate" : "names")", "c0 tunnel to home.example.org:80 (main)",
                    "c1 opened main", "c1 r0 head GET /who", "c1 r0 exchange 0 turn 0", "c1 r1 head GET /who",
                    "c1 r1 exchange 0 turn 0", "c1 closed by client: closed", "c0 closed by client: closed",
                ])
        }
    }

    @Test func `a reset counts connections anew, through every tunnel of a row`() async throws {
        try await withNamedRun { named in
            let gate = try #require(named.run.origin("gate"))
            let authority = gate.dropFirst("http://".count)
            try await onThread {
                let wire = try Wire(to: gate)
                defer { wire.close() }
                try wire.send("CONNECT \(authority) HTTP/1.1\r\nHost: \(authority)\r\n\r\n")
                _ = try wire.readHead()
                try wire.send(Self.connect + Self.get)
                _ = try wire.readHead()
                _ = try wire.readReply()
                named.run.reset()
                try wire.send(Self.get)
                #expect(try wire.readReply().hasSuffix("home"))
            }
            let lines = try await named.run.journal.lines(untilClosed: 3)
            #expect(
                lines.prefix(6) == [
                    "c0 opened gate", "c0 tunnel to \(authority) (gate)", "c1 opened gate",
                    "c1 tunnel to home.example.org:80 (main)", "c2 opened main", "c2 r0 head GET /who",
                ], "\(lines)")
        }
    }

    @Test func `CONNECT within a tunnel is a request of its origin`() async throws {
        try await withNamedRun { named in
            let texts = try await talk(to: named.door) { wire in
                try wire.send(Self.connect + Self.connect)
                return [try wire.readHead(), try wire.readReply()]
            }
            #expect(texts[1].status == 404)
            #expect(named.run.journal.lines.contains("c1 r0 head CONNECT home.example.org:80"))
            #expect(named.run.journal.misses.count == 1)
        }
    }

    @Test func `Host is checked in a tunnel too`() async throws {
        try await withNamedRun { named in
            let reply = try await talk(to: named.door) { wire in
                try wire.send(Self.connect)
                _ = try wire.readHead()
                return try wire.ask("GET /who", host: "sibling.example.org")
            }
            #expect(reply.status == 421 && named.run.journal.misses.count == 1)
        }
    }

    @Test func `proxies that lead to one another come to an end`() async throws {
        try await withNamedRun { named in
            let gate = try #require(named.run.origin("gate"))
            let authority = gate.dropFirst("http://".count)
            let line = "CONNECT \(authority) HTTP/1.1\r\nHost: \(authority)\r\n\r\n"
            let statuses: [Int?] = try await talk(to: gate) { wire in
                var statuses: [Int?] = []
                while statuses.last ?? 200 == 200, statuses.count < 100 {
                    try wire.send(line)
                    statuses.append(try wire.readReply().status)
                }
                return statuses
            }
            #expect(statuses == Array(repeating: 200, count: 8) + [502])
        }
    }
}

/// Tunnels behind a head that the fixture writes byte for byte, and proxies that take whatever comes.
struct RawTunnelTests {
    private static let yaml = """
        summary: a raw head opens a tunnel
        origins: { main: { host: home.example.org }, p: { role: proxy } }
        exchanges:
          - { request: GET /who, reply: { status: 200, body: home } }
          - { request: "CONNECT *", origin: p, reply: { raw: ["HTTP/1.1 200Go\\r\\nX: ", { repeat: x, times: 3 }, "\\r\\n\\r\\n"], tunnel: main } }
          - { request: { method: "*", path: "*" }, origin: p, reply: { status: 200, body: proxy } }
        """

    @Test func `behind the raw head the connection is the origin's`() async throws {
        try await withRun(Self.yaml) { run in
            let head = "HTTP/1.1 200Go\r\nX: xxx\r\n\r\n"
            let got = try await talk(to: try #require(run.origin("p"))) { wire in
                try wire.send("CONNECT home.example.org:80 HTTP/1.1\r\nHost: home.example.org:80\r\n\r\n")
                let opened = try wire.read(head.utf8.count)
                try wire.send("GET /who HTTP/1.1\r\nHost: home.example.org\r\nConnection: close\r\n\r\n")
                return [String(decoding: opened, as: UTF8.self), try wire.readToEnd().text]
            }
            #expect(got[0] == head && got[1].hasSuffix("\r\n\r\nhome"), "\(got)")
            let lines = try await run.journal.lines(untilClosed: 2)
            #expect(
                lines.contains("c0 tunnel to home.example.org:80 (main)") && lines.contains("c1 r1 head GET /who"),
                "\(lines)")
        }
    }

    @Test(arguments: ["GET http://home.example.org/a", "OPTIONS *", "POST http://news.example.org/b?c"])
    func `an asterisk in a mapping takes any target at a proxy, as it does in one line`(_ line: String) async throws {
        try await withRun(Self.yaml) { run in
            let reply = try await talk(to: try #require(run.origin("p"))) { wire in
                try wire.send("\(line) HTTP/1.1\r\nHost: home.example.org\r\nContent-Length: 0\r\n\r\n")
                return try wire.readReply()
            }
            #expect(reply.hasSuffix("\r\n\r\nproxy"), "\(reply)")
        }
    }
}
