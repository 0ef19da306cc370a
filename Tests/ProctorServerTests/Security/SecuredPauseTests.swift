import ProctorJournal
import ProctorServer
import ProctorTestSupport
import ProctorTestWire
import Testing

@testable import ProctorServer

/// The end of a client of TLS is in the journal before the end of the pause in which it comes.
@Suite(.limit(minutes: 5))
struct SecuredPauseTests {
    /// What the client does once it has read the bytes before the pause, and how the journal ends.
    enum End: String, CaseIterable, Sendable {
        /// close_notify, then FIN.
        case close
        /// FIN alone.
        case fin
        case reset
    }

    /// Twice as long as a test waits for a line.
    private static let pause = min(600, Patience.seconds * 2)

    private static let replies = [
        "{ status: 200, body: [ab, { do: wait \(pause)s }, cd] }",
        "{ status: 200, body: abcd, pace: { bytes: 2, every: \(pause)s } }",
        "{ status: 200, body: abcd, effects: [{ at: body 2, do: stall }] }",
        "{ status: 200, body: abcd, effects: [{ at: body 2, do: { await: response, within: \(pause)s } }] }",
    ]

    struct Row: Sendable, CustomTestStringConvertible {
        let reply: String
        let end: End
        var testDescription: String { "\(end.rawValue), \(reply)" }

        static let all = replies.flatMap { reply in End.allCases.map { Row(reply: reply, end: $0) } }
    }

    private func yaml(_ reply: String, _ origin: String = "{ scheme: https }") -> String {
        always(reply, more: "origins: { main: \(origin) }")
    }

    /// Reads up to `ab` and ends so; `notify` sends close_notify and waits for the end of the server.
    private func client(_ run: Run, _ end: String) async throws -> ChildProcess.Outcome {
        let parts = run.base.dropFirst("https://".count).split(separator: ":").map(String.init)
        return try await ChildProcess.run(
            ["/usr/bin/python3", "-E", "-s", "-B", "-c", Self.program, parts[0], parts[1], run.trust ?? "", end])
    }

    private static let program = """
        import socket, ssl, struct, sys
        host, port, ca, end = sys.argv[1:5]
        context = ssl.create_default_context(cafile=ca)
        raw = socket.create_connection((host, int(port)), 60)
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        session = context.wrap_bio(incoming, outgoing, server_hostname=host)
        def act(step):
            while True:
                try: return step()
                except ssl.SSLWantReadError:
                    if outgoing.pending: raw.sendall(outgoing.read())
                    data = raw.recv(65536)
                    if not data: raise SystemExit("the server has left")
                    incoming.write(data)
                finally:
                    if outgoing.pending: raw.sendall(outgoing.read())
        act(session.do_handshake)
        act(lambda: session.write(b"GET / HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n"))
        got = b""
        while not got.endswith(b"ab"): got += act(lambda: session.read(100))
        if end in ("close", "notify"):
            try: session.unwrap()
            except ssl.SSLWantReadError: pass
            raw.sendall(outgoing.read())
        if end == "reset": raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        if end == "notify":
            while raw.recv(65536): pass
        raw.close()
        """

    @Test(arguments: Row.all)
    func `a client of TLS that leaves ends every pause`(_ row: Row) async throws {
        try await withRun(yaml(row.reply)) { run in
            run.expectsReports = true
            let outcome = try await client(run, row.end.rawValue)
            #expect(outcome.status == 0, "\(outcome.err)")
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(lines.last == "c0 closed by client: \(row.end == .reset ? "reset" : "closed")", "\(lines)")
            #expect(lines.contains("c0 alert close_notify by client") == (row.end == .close), "\(lines)")
            #expect(lines.contains { $0.contains("r0 aborted") }, "\(lines)")
        }
    }

    @Test func `close_notify alone is told in the pause, and the reply goes on`() async throws {
        try await withRun(yaml("{ status: 200, body: [ab, { do: wait 300ms }, cd] }")) { run in
            #expect(try await client(run, "notify").status == 0)
            let lines = try await run.journal.lines(untilClosed: 1)
            let notify = try #require(lines.firstIndex(of: "c0 alert close_notify by client"), "\(lines)")
            let sent = try #require(lines.firstIndex { $0.hasPrefix("c0 r0 sent 200") }, "\(lines)")
            #expect(notify < sent)
        }
    }

    @Test(arguments: ["", " after-server-hello", " certificate", " finished"], ["close", "reset"])
    func `a client that leaves in a pause of its handshake ends it`(_ moment: String, _ end: String) async throws {
        let origin =
            "{ scheme: https, connections: [{ at: handshake\(moment), do: wait \(Self.pause)s }] }"
        try await withRun(yaml("{ status: 200 }", origin)) { run in
            let script = """
                import socket, ssl, struct, sys
                host, port, end = sys.argv[1:4]
                raw = socket.create_connection((host, int(port)), 60)
                incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
                session = ssl._create_unverified_context().wrap_bio(incoming, outgoing, server_hostname=host)
                try: session.do_handshake()
                except ssl.SSLWantReadError: pass
                raw.sendall(outgoing.read())
                sys.stdin.readline()
                if end == "reset": raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                raw.close()
                """
            let parts = run.base.dropFirst("https://".count).split(separator: ":").map(String.init)
            let child = try ChildProcess(
                ["/usr/bin/python3", "-E", "-s", "-B", "-c", script, parts[0], parts[1], end], takesInput: true)
            _ = try await run.journal.lines { $0.contains { $0.contains("effect wait") } }
            child.finishInput()
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(lines.contains { $0.contains("handshake failed") }, "\(lines)")
            #expect(lines.last?.hasPrefix("c0 closed by client: ") == true, "\(lines)")
        }
    }
}
