import ProctorHTTP
import ProctorServer
import ProctorTestSupport
import ProctorTrace
import Testing

/// What of a request an origin sees that a proxy hands on (RFC 9110 §7.6.1, §11.7.2).
struct HandingOnTests {
    private static let yaml = """
        summary: an origin that must not see what is for the proxy
        origins: { main: { host: home.example.org }, gate: { role: proxy } }
        exchanges:
          - request:
              method: GET
              path: /who
              headers:
                Proxy-Authorization: null
                Proxy-Connection: null
                Connection: null
                X-Hop: null
                Keep-Alive: null
                X-End: kept
            reply: { status: 200, body: seen }
        """
    private static let withExchanges = """

          - { origin: gate, request: "CONNECT *", reply: { status: 403 } }
        """

    private static let fields = [
        "Proxy-Authorization: Basic dTpw", "proxy-connection: keep-alive", "Connection: x-HOP, keep-alive", "X-Hop: 1",
        "Keep-Alive: timeout=1", "X-End: kept",
    ]

    @Test(arguments: ["", withExchanges])
    func `fields for the proxy alone end at it, and the journal has them`(_ more: String) async throws {
        try await withRun(Self.yaml + more) { run in
            for place in [NamedRun(run: run).door, try #require(run.origin("gate"))] {
                let replies = try await talk(to: place) { wire in
                    try ["", "Content-Length: 0\r\n"].map { framing in
                        try wire.send(
                            "GET http://home.example.org/who HTTP/1.1\r\nHost: home.example.org\r\n"
                                + Self.fields.joined(separator: "\r\n") + "\r\n" + framing + "\r\n")
                        return try wire.readReply()
                    }
                }
                #expect(replies.allSatisfy { $0.content == "seen" }, "\(replies)")
            }
            let heads = run.journal.snapshot().entries.compactMap { entry in
                if case .requestHead(let head, _) = entry.event { head } else { nil }
            }
            #expect(heads.count == 4)
            for head in heads {
                let lines = head.fields.map { String(decoding: $0.raw, as: UTF8.self) }
                #expect(Array(lines.dropFirst().prefix(Self.fields.count)) == Self.fields)
            }
        }
    }

    @Test func `an origin that is asked by Host sees all of them`() async throws {
        try await withRun(Self.yaml) { run in
            let named = NamedRun(run: run)
            for place in [named.door, try named.place(of: "home.example.org")] {
                let reply = try await talk(to: place) { wire in
                    try wire.ask("GET /who", host: "home.example.org", "Proxy-Connection: keep-alive", "X-End: kept")
                }
                #expect(reply.status == 404 && reply.contains("header Proxy-Connection: wanted none"), "\(reply)")
            }
        }
    }
}
