import ProctorHTTP
import ProctorServer
import ProctorTestWire
import Testing

@testable import ProctorJournal

/// Origins of the role proxy: absolute-form of any authority, CONNECT, and the 407 before them.
struct ProxyGuardTests {
    private static let yaml = """
        summary: a proxy
        tolerates: none
        origins: { main: {}, p: { role: proxy } }
        guards: { gate: { proxy: true, users: { user: pass }, schemes: [digest: { info: rspauth }] } }
        exchanges:
          - { origin: p, auth: gate, request: GET /a, reply: { status: 200, body: "from {path}" } }
          - { origin: p, auth: gate, request: CONNECT refused.test:443, reply: { status: 403, body: no } }
          - { origin: p, auth: gate, request: CONNECT a.test:443, reply: { status: 200, headers: { X: y }, body: dropped } }
          - { origin: p, request: GET /open, reply: { status: 200, body: open } }
        """.replacing("from {path}", with: "a")

    @Test func `absolute-form of any authority is asked for credentials and answered`() async throws {
        try await withRun(Self.yaml) { run in
            let proxy = try #require(run.origin("p"))
            let got = try await talk(to: proxy) { wire in
                let client = DigestClient(field: "Proxy-Authorization")
                let target = "http://somewhere.test:8080/a"
                let first = try wire.ask("GET \(target)")
                return [
                    first, try wire.ask("GET \(target)", try client.answer(first, "GET \(target)")),
                    try wire.ask("GET \(target)", try client.answer(first, "GET /a", count: 2)),
                    try wire.ask("GET http://elsewhere.test/open"),
                ]
            }
            #expect(got.map(\.status) == [407, 200, 407, 200])
            #expect(got[0].values("Proxy-Authenticate").count == 1)
            #expect(got[0].values("WWW-Authenticate").isEmpty)
            #expect(got[1].values("Proxy-Authentication-Info").count == 1)
            let fault = try #require(run.journal.verdicts.last?.faults.first)
            #expect(fault.kind == .wrongURI)
            #expect(run.journal.verdicts.allSatisfy { $0.field == "Proxy-Authorization" })
        }
    }

    @Test func `CONNECT is refused with content, and the connection goes on`() async throws {
        try await withRun(Self.yaml) { run in
            let proxy = try #require(run.origin("p"))
            let got = try await talk(to: proxy) { wire in
                let client = DigestClient(field: "Proxy-Authorization")
                let line = "CONNECT refused.test:443"
                let first = try wire.ask(line)
                return [
                    first, try wire.ask(line, try client.answer(first, line)),
                    try wire.ask("GET http://elsewhere.test/open"),
                ]
            }
            #expect(got.map(\.status) == [407, 403, 200])
            #expect(got[1].hasSuffix("\r\n\r\nno"))
        }
    }

    @Test func `a tunnel is opened by a head alone, and then the connection ends`() async throws {
        try await withRun(Self.yaml) { run in
            let proxy = try #require(run.origin("p"))
            let got = try await talk(to: proxy) { wire in
                let client = DigestClient(field: "Proxy-Authorization")
                let line = "CONNECT a.test:443"
                let first = try wire.ask(line)
                try wire.send(.request(line, try client.answer(first, line)))
                return try wire.readToEnd()
            }
            #expect(got.ending == .closed)
            #expect(got.text.hasPrefix("HTTP/1.1 200 OK\r\nX: y\r\nProxy-Authentication-Info: "))
            #expect(got.text.hasSuffix("\r\n\r\n"))
            #expect(got.text.values("Content-Length").isEmpty)
        }
    }
}
