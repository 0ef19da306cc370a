import ProctorServer
import ProctorServing
import ProctorTestSupport
import ProctorTestWire
import Testing

@testable import ProctorJournal

/// The port that leads to every name of a run.
struct FrontDoorTests {
    @Test func `Host and an absolute target lead to their hosts, on one connection`() async throws {
        try await withNamedRun { named in
            let plain = try #require(named.run.origin("plain"))
            let replies = try await talk(to: named.door) { wire in
                [
                    try wire.ask("GET /who", host: "home.example.org"),
                    try wire.ask("GET /who", host: "Sibling.example.org"),
                    try wire.ask("GET http://HOME.example.org:80/who", host: "HOME.example.org:80"),
                    try wire.ask("GET http://home.example.org:8080/who", host: "home.example.org:8080"),
                    try wire.ask("GET \(plain)/who", host: "\(plain.dropFirst(7))", "Connection: close"),
                ].map(\.content)
            }
            #expect(replies == ["home", "sibling", "home", "alt", "plain"])
            let lines = try await named.run.journal.lines(untilClosed: 1).filter { !$0.contains(" sent ") }
            #expect(
                lines == [
                    "c0 opened names", "c0 r0 head GET /who", "c0 r0 routed to main by host", "c0 r0 exchange 0 turn 0",
                    "c0 r1 head GET /who", "c0 r1 routed to sibling by host", "c0 r1 exchange 2 turn 0",
                    "c0 r2 head GET /who", "c0 r2 routed to main by absolute", "c0 r2 exchange 0 turn 0",
                    "c0 r3 head GET /who", "c0 r3 routed to alt by absolute", "c0 r3 exchange 3 turn 0",
                    "c0 r4 head GET /who", "c0 r4 routed to plain by absolute", "c0 r4 exchange 4 turn 0",
                    "c0 closed by server: closed",
                ])
        }
    }

    struct TargetRow: Sendable, CustomTestStringConvertible {
        let line: String
        let seen: String

        var testDescription: String { line }
    }

    private static let targets = [
        TargetRow(line: "GET http://home.example.org", seen: "GET /"),
        TargetRow(line: "GET http://home.example.org?a=b", seen: "GET /?a=b"),
        TargetRow(line: "GET http://home.example.org/a/../b/%7e//?x=%41", seen: "GET /a/../b/%7e//?x=%41"),
        TargetRow(line: "OPTIONS http://home.example.org", seen: "OPTIONS *"),
        TargetRow(line: "OPTIONS http://home.example.org/", seen: "OPTIONS /"),
        TargetRow(line: "GET http://user:pass@home.example.org/a", seen: "GET /a"),
    ]

    @Test(arguments: targets)
    func `the origin sees the bytes behind the authority`(_ row: TargetRow) async throws {
        try await withRun(
            """
            summary: all
            origins: { main: { host: home.example.org } }
            exchanges:
              - { request: "GET|OPTIONS /*", reply: { status: 200 } }
              - { request: OPTIONS *, reply: { status: 200 } }
            """
        ) { run in
            let reply = try await talk(to: NamedRun(run: run).door) { try $0.ask(row.line, host: "home.example.org") }
            #expect(reply.status == 200)
            #expect(run.journal.lines[1] == "c0 r0 head \(row.seen)")
        }
    }

    struct StrangerRow: Sendable, CustomTestStringConvertible {
        let line: String
        var host = "other.example.org"
        let status: Int
        let difference: String

        var testDescription: String { "\(line), Host: \(host)" }
    }

    private static let strangers = [
        StrangerRow(
            line: "GET /who", status: 421, difference: "Host: wanted one of the declared hosts, got other.example.org"),
        StrangerRow(
            line: "GET /who", host: "home.example.org:81", status: 421,
            difference: "Host: wanted home.example.org as it is declared, with port 80 or 8080, got home.example.org:81"
        ),
        StrangerRow(
            line: "GET http://other.example.org/who", status: 502,
            difference: "target: wanted one of the declared hosts, got http://other.example.org/who"),
        StrangerRow(
            line: "GET http://home.example.org:81/", host: "home.example.org:81", status: 502,
            difference: "target: wanted home.example.org as it is declared, with port 80 or 8080, "
                + "got http://home.example.org:81/"),
        StrangerRow(
            line: "GET http://93.184.216.34/", host: "93.184.216.34", status: 502,
            difference: "target: wanted one of the declared hosts, got http://93.184.216.34/"),
        StrangerRow(
            line: "GET ftp://home.example.org/", host: "home.example.org", status: 502,
            difference: "target: wanted one of the declared hosts, got ftp://home.example.org/"),
        StrangerRow(
            line: "GET https://home.example.org/who", host: "home.example.org", status: 502,
            difference: "target: wanted CONNECT, by which a proxy leads to https, got https://home.example.org/who"),
        StrangerRow(
            line: "CONNECT other.example.org:443", host: "other.example.org:443", status: 502,
            difference: "target: wanted one of the declared hosts, got other.example.org:443"),
        StrangerRow(
            line: "CONNECT home.example.org:444", host: "home.example.org:444", status: 502,
            difference: "target: wanted home.example.org as it is declared, with port 80, 443 or 8080, "
                + "got home.example.org:444"),
    ]

    @Test(arguments: strangers)
    func `an undeclared host is refused with the list of hosts, and the run has failed`(_ row: StrangerRow) async throws
    {
        try await withNamedRun { named in
            let replies = try await talk(to: named.door) { wire in
                // The connection goes on.
                [try wire.ask(row.line, host: row.host), try wire.ask("GET /who", host: "home.example.org")]
            }
            #expect(replies[0].status == row.status && replies[1].status == 200, "\(replies)")
            #expect(
                replies[0].contains("\r\n\r\n\(row.difference)\n")
                    && replies[0].contains("  https://home.example.org\n"))
            let misses = named.run.journal.misses
            #expect(misses.map(\.differences) == [[row.difference]] && misses[0].nearestExchange == nil)
            #expect(named.run.journal.lines[1] == "c0 r0 head \(row.line)")
        }
    }

    @Test func `who calls the door by its address is told that it is a proxy`() async throws {
        try await withNamedRun { named in
            let place = named.door.dropFirst("http://".count)
            let reply = try await talk(to: named.door) { try $0.ask("GET /who", host: String(place)) }
            #expect(reply.status == 421 && reply.contains("Host: wanted one of the declared hosts, got \(place)\n"))
            let command = try #require(reply.split(separator: "\n").first { $0.contains("Use it as a proxy: ") })
            #expect(command.hasSuffix(": curl --noproxy '' --proxy http://\(place) http://home.example.org/"))
            #expect(named.run.journal.misses.count == 1)
            let other = try await talk(to: named.door) { try $0.ask("GET /who", host: "127.0.0.1:1") }
            #expect(other.status == 421 && !other.contains("Use it as a proxy"))
        }
    }

    @Test func `a host that is declared to have no server is no miss`() async throws {
        try await withRun(
            """
            summary: closed
            origins: { main: { host: home.example.org }, shut: { role: closed } }
            exchanges: [{ request: GET /, reply: { status: 200 } }]
            """
        ) { run in
            let base = try #require(run.origin("shut"))
            let reply = try await talk(to: NamedRun(run: run).door) { try $0.ask("GET \(base)/", host: "a") }
            #expect(reply.status == 502 && reply.contains("nothing answers at \(base)\n"))
            #expect(run.journal.misses.isEmpty)
        }
    }

    @Test func `content comes through, and a 100 before it`() async throws {
        try await withNamedRun { named in
            let texts = try await talk(to: named.door) { wire in
                try wire.send(
                    "POST http://home.example.org/who HTTP/1.1\r\nHost: home.example.org\r\nExpect: 100-continue\r\n"
                        + "Content-Length: 3\r\n\r\n")
                let interim = try wire.readHead()
                try wire.send("a=1")
                return [interim, try wire.readReply()]
            }
            #expect(texts[0] == "HTTP/1.1 100 Continue\r\n\r\n" && texts[1].hasSuffix("home took it"), "\(texts)")
            #expect(named.run.journal.lines.contains("c0 r0 body 3 complete"))
        }
    }

    @Test func `a request that no exchange of its host expects is a miss of that host`() async throws {
        try await withNamedRun { named in
            let reply = try await talk(to: named.door) { try $0.ask("GET /whom", host: "sibling.example.org") }
            #expect(reply.status == 404 && reply.contains("nearest: GET /who"), "\(reply)")
            #expect(named.run.journal.lines[2...3] == ["c0 r0 routed to sibling by host", "c0 r0 missed, nearest 2"])
        }
    }

    @Test func `a connection that lives on behind a reset is a new one of the door`() async throws {
        try await withNamedRun { named in
            try await onThread {
                let wire = try Wire(to: named.door)
                defer { wire.close() }
                _ = try wire.ask("GET /who", host: "home.example.org")
                named.run.reset()
                _ = try wire.ask("GET /who", host: "home.example.org")
            }
            #expect(
                named.run.journal.lines.prefix(3) == [
                    "c0 opened names", "c0 r0 head GET /who", "c0 r0 routed to main by host",
                ])
        }
    }
}
