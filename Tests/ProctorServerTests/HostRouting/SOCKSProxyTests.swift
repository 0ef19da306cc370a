import ProctorBase
import ProctorJournal
import ProctorScenario
import ProctorTestSupport
import ProctorTestWire
import Testing

@testable import ProctorServer

/// A proxy of SOCKS, from outside: curl, and bytes of no client.
@Suite(.limit(minutes: 5))
struct SOCKSProxyTests {
    private static let fixture = """
        summary: SOCKS
        origins:
          main: { host: home.example.org }
          secured: { scheme: https, host: secured.example.org }
          p: { role: proxy, socks: {} }
          users: { role: proxy, socks: { users: { user: pass } } }
        exchanges:
          - { request: GET /, reply: { status: 200, headers: { Connection: close }, body: "home" } }
          - { request: GET /, origin: secured, reply: { status: 200, body: "secured" } }
          - { request: "CONNECT refused.example.org:80", origin: p, reply: { socks: connection-refused } }
        """

    private func place(_ run: Run, _ name: String = "p") throws -> String {
        let url = try #require(run.origins.first { $0.name == name }?.url)
        return String(url.dropFirst("http://".count))
    }

    private func curl(_ run: Run, _ words: String...) async throws -> ChildProcess.Outcome {
        try await ChildProcess.run(
            ["/usr/bin/env", "curl", "-q", "-sS", "--max-time", "60", "--noproxy", "", "--cacert", run.trust ?? ""]
                + words)
    }

    private func notes(_ run: Run) -> [String] {
        run.journal.snapshot().entries.compactMap { if case .socks(let note) = $0.event { note.sentence } else { nil } }
    }

    /// Sends the bytes, and returns what comes back up to the end, in hexadecimal digits.
    private func exchange(_ run: Run, _ bytes: String, at name: String = "p") async throws -> String {
        let parts = try place(run, name).split(separator: ":")
        let script = """
            import socket, sys
            s = socket.create_connection((sys.argv[1], int(sys.argv[2])), 30)
            s.sendall(bytes.fromhex(sys.argv[3]))
            s.shutdown(socket.SHUT_WR)
            got = b""
            while True:
                piece = s.recv(4096)
                if not piece: break
                got += piece
            print(got.hex())
            """
        let outcome = try await ChildProcess.run(
            ["/usr/bin/env", "python3", "-c", script, String(parts[0]), String(parts[1]), bytes])
        return outcome.out.filter { $0 != "\n" }
    }

    @Test(arguments: ["socks5h", "socks4a"])
    func `names go through it, to plain and to secured origins`(version: String) async throws {
        try await withRun(Self.fixture) { run in
            let proxy = try "\(version)://\(place(run))"
            #expect(try await curl(run, "-x", proxy, "http://home.example.org/").out == "home")
            #expect(try await curl(run, "-x", proxy, "https://secured.example.org/").out == "secured")
            #expect(notes(run).contains { $0.contains("home.example.org:80 (name)") })
        }
    }

    @Test func `user and password are judged`() async throws {
        try await withRun(Self.fixture) { run in
            let proxy = try "socks5h://\(place(run, "users"))"
            #expect(
                try await curl(run, "-x", proxy, "-U", "user:pass", "http://home.example.org/").out == "home")
            #expect(try await curl(run, "-x", proxy, "-U", "user:no", "http://home.example.org/").status == 97)
            #expect(try await curl(run, "-x", proxy, "http://home.example.org/").status == 97)
            #expect(notes(run).contains("the user user is accepted"))
            #expect(notes(run).contains("the user user is refused"))
            #expect(notes(run).contains { $0.hasSuffix("selected: unacceptable") })
        }
    }

    @Test func `an exchange of the proxy replies with its code`() async throws {
        try await withRun(Self.fixture) { run in
            let proxy = try "socks5h://\(place(run))"
            let outcome = try await curl(run, "-x", proxy, "http://refused.example.org/")
            #expect(outcome.status == 97)
            #expect(outcome.err.contains("(5)"), "\(outcome.err)")
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let sent: String
        let reply: String
        let note: String
    }

    static let rows: [Row] = [
        Row(
            testDescription: "BIND", sent: "050100 05020001 7f000001 0050", reply: "0500 05070001 00000000 0000",
            note: "SOCKS5 bind to 127.0.0.1:80 (ipv4)"),
        Row(
            testDescription: "UDP ASSOCIATE", sent: "050100 05030001 00000000 0000",
            reply: "0500 05070001 00000000 0000", note: "SOCKS5 udp-associate to 0.0.0.0:0 (ipv4)"),
        Row(
            testDescription: "BIND of SOCKS 4", sent: "0402 0050 7f000001 00", reply: "005b 0000 00000000",
            note: "SOCKS4 bind to 127.0.0.1:80 (ipv4)"),
        Row(
            testDescription: "another type of address", sent: "050100 05010002", reply: "0500 05080001 00000000 0000",
            note: "bad-address-type at byte 6: the type of the address is not 1 (IPv4), 3 (name) or 4 (IPv6) "
                + "(RFC 1928 §5)"),
        Row(
            testDescription: "a name with a space", sent: "050100 05010003 03612061 0050",
            reply: "0500 05010001 00000000 0000",
            note: "bad-name at byte 9: the name has a byte that no domain name has (RFC 1928 §5)"),
        Row(
            testDescription: "a host that nobody is", sent: "050100 05010003 01780050",
            reply: "0500 05040001 00000000 0000", note: "SOCKS5 connect to x:80 (name)"),
        Row(
            testDescription: "no method", sent: "0500", reply: "05ff",
            note: "no-methods at byte 1: no method is offered; the field has 1 to 255 (RFC 1928 §3)"),
        Row(
            testDescription: "HTTP", sent: "474554202f", reply: "",
            note:
                "bad-version at byte 0: the version is none that belongs here: 4 or 5 begins, 5 stays 5, and a reply of "
                + "SOCKS 4 has 0 (RFC 1928 §3)"),
        Row(
            testDescription: "a cut request", sent: "050100 050100", reply: "0500",
            note: "incomplete at byte 6: the connection ends within a message (RFC 1928 §3)"),
    ]

    @Test(arguments: rows)
    func `what is refused is answered and written down`(row: Row) async throws {
        try await withRun(Self.fixture) { run in
            let reply = try await exchange(run, row.sent)
            let wanted = row.reply.filter { $0 != " " }
            #expect(reply == wanted)
            let notes = notes(run)
            #expect(notes.contains(row.note), "\(notes)")
        }
    }

    @Test func `a message may come byte by byte, and a request at once behind it`() async throws {
        try await withRun(Self.fixture) { run in
            let name = "0501000310 686f6d652e6578616d706c652e6f7267 0050"
            let get = Array("GET / HTTP/1.1\r\nHost: home.example.org\r\n\r\n".utf8)
                .map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            let reply = try await exchange(run, "050100" + name + get)
            #expect(reply.hasPrefix("0500" + "05000001000000000000" + "485454502f312e3120323030"), "\(reply)")
        }
    }
}
