import ProctorScenario
import ProctorServer
import ProctorTestSupport
import ProctorTestWire
import Testing

@testable import ProctorProgram

/// An origin with a name at the port of its own.
struct NamedHostTests {
    @Test func `a run tells the names, and its URLs have them`() async throws {
        try await withNamedRun { named in
            let run = named.run
            #expect(run.base == "http://home.example.org" && run.origin("alt") == "http://home.example.org:8080")
            #expect(run.origin("secure") == "https://home.example.org")
            #expect(run.origin("plain")?.hasPrefix("http://127.") == true)
            #expect(run.names.map(\.name) == ["home", "sibling", "home", "home"].map { "\($0).example.org" })
            #expect(run.names.map(\.port) == [80, 80, 8080, 443])
            #expect(run.context.names == run.names && run.context.namesProxy == run.namesProxy)
        }
    }

    @Test func `a run without names has no front door`() async throws {
        try await withRun(always("{ status: 200 }")) { run in
            #expect(run.names.isEmpty && run.namesProxy == nil && run.context.names.isEmpty)
        }
    }

    struct HostRow: Sendable, CustomTestStringConvertible {
        let host: String
        var name = "home.example.org"
        var port = 80
        let status: Int

        var testDescription: String { "\(host) at \(name):\(port)" }
    }

    private static let rows = [
        HostRow(host: "home.example.org", status: 200), HostRow(host: "HOME.Example.ORG", status: 200),
        HostRow(host: "home.example.org.", status: 200), HostRow(host: "home.example.org:80", status: 200),
        HostRow(host: "home.example.org:", status: 200), HostRow(host: "home.example.org.:80", status: 200),
        HostRow(host: "home.example.org:8080", port: 8080, status: 200),
        HostRow(host: "home.example.org", port: 8080, status: 421),
        HostRow(host: "home.example.org:8080", status: 421), HostRow(host: "sibling.example.org", status: 421),
        HostRow(host: "example.org", status: 421), HostRow(host: "www.home.example.org", status: 421),
        HostRow(host: "", status: 421), HostRow(host: "127.0.0.1", status: 421),
    ]

    @Test(arguments: rows)
    func `a host answers to its own name`(_ row: HostRow) async throws {
        try await withNamedRun { named in
            let place = try named.place(of: row.name, port: row.port)
            let reply = try await talk(to: place) { try $0.ask("GET /who", host: row.host, "Connection: close") }
            #expect(reply.status == row.status, "\(reply)")
            let lines = try await named.run.journal.lines(untilClosed: 1)
            #expect(lines.contains("c0 r0 missed, nearest none") == (row.status == 421), "\(lines)")
            if row.status == 421 {
                let authority = row.port == 80 ? row.name : "\(row.name):\(row.port)"
                let got = row.host.isEmpty ? "an empty one" : row.host
                #expect(reply.contains("Host: wanted \(authority), got \(got)\n") && reply.contains("ever dialled"))
                #expect(reply.contains("  http://sibling.example.org\n"))
            }
        }
    }

    @Test func `a target in absolute-form says the host, whatever Host says`() async throws {
        try await withNamedRun { named in
            let place = try named.place(of: "home.example.org")
            let replies = try await talk(to: place) { wire in
                [
                    try wire.ask("GET http://home.example.org/who", host: "sibling.example.org"),
                    try wire.ask("GET http://sibling.example.org/who", host: "home.example.org"),
                ]
            }
            #expect(replies.map(\.status) == [200, 421], "\(replies)")
        }
    }

    @Test(arguments: ["https", "ftp", "httpx", "HTTPS"])
    func `a host answers for no other scheme than its own`(_ scheme: String) async throws {
        try await withNamedRun { named in
            let target = "\(scheme)://home.example.org/who"
            let replies = try await talk(to: try named.place(of: "home.example.org")) { wire in
                [
                    try wire.ask("GET \(target)", host: "home.example.org"),
                    try wire.ask("GET HTTP://home.example.org/who", host: "home.example.org"),
                ]
            }
            #expect(replies.map(\.status) == [421, 200], "\(replies)")
            #expect(replies[0].contains("target: wanted one of http://home.example.org, got \(target)\n"))
            #expect(named.run.journal.misses.count == 1)
        }
    }

    @Test func `HTTP 1.0 need not say a host`() async throws {
        try await withNamedRun { named in
            let reply = try await exchange("GET /who HTTP/1.0\r\n\r\n", with: try named.place(of: "home.example.org"))
            #expect(reply.text.status == 200)
        }
    }

    @Test func `an origin without a name answers whatever it is called`() async throws {
        try await withNamedRun { named in
            let base = try #require(named.run.origin("plain"))
            let replies = try await talk(to: base) { wire in
                [try wire.ask("GET /who", host: "home.example.org"), try wire.ask("GET /who", host: "other.test")]
            }
            #expect(replies.allSatisfy { $0.hasSuffix("\r\n\r\nplain") })
        }
    }

    @Test func `a certificate is for the name, asked for or not`() async throws {
        try await withNamedRun { named in
            let address = try named.place(of: "home.example.org", port: 443).dropFirst("http://".count)
            let asked = try await NamedRun.curl(
                named.run, "--connect-to", "home.example.org:443:\(address)", "https://home.example.org/who")
            #expect(asked.out == "secure", "\(asked.err)")
            // By address no named origin is requested, and Host differs.
            let unasked = try await NamedRun.curl(
                named.run, "-H", "Host: home.example.org", "-v", "https://\(address)/who")
            #expect(unasked.out == "secure" && unasked.err.contains("home.example.org"), "\(unasked.err)")
            let hellos = named.run.journal.lines.filter { $0.contains(" hello ") }
            #expect(
                hellos.count == 2 && hellos[0].contains("hello home.example.org ") && hellos[1].contains("hello - "))
        }
    }
}
