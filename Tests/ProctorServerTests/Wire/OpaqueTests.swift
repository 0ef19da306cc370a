import ProctorGrading
import ProctorJournal
import ProctorScenario
import ProctorServer
import ProctorTestSupport
import ProctorTestWire
import Testing

/// Connections that are no HTTP any more: behind 101, and behind a 2xx to CONNECT.
@Suite(.limit(minutes: 5))
struct OpaqueTests {
    private static let switching =
        #"raw: "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n""#

    private func yaml(_ reply: String, request: String = "GET /", facts: String = "wire.count: 1") -> String {
        """
        summary: switches
        exchanges:
          - { request: "\(request)", reply: { \(reply) } }
        cases:
          case: { client: { url: / }, facts: { \(facts) } }
        """
    }

    @Test(arguments: [
        switching, "status: 101, headers: { Upgrade: x, Connection: Upgrade }",
    ])
    func `behind 101 whatever comes is journalled and never answered`(reply: String) async throws {
        let sent = "GET /b HTTP/1.1\r\n\r\n\u{0}\u{1}"
        try await withRun(yaml(reply, facts: "\"wire[0].opaque.length\": 21, \"wire[0].reply.status\": 101")) { run in
            let got = try await talk(to: run.base) { wire in
                try wire.send(.request("GET /", "Upgrade: x", "Connection: Upgrade"))
                let head = try wire.readHead()
                try wire.send(sent)
                wire.finish()
                return [head, try wire.readToEnd().text]
            }
            #expect(got[0].hasPrefix("HTTP/1.1 101 ") && got[1].isEmpty)
            await run.stop(grace: Patience.whole)
            #expect(run.journal.received.flatMap(\.kept) == Array(sent.utf8))
            #expect(run.journal.received.allSatisfy { $0.kind == .opaque })
            #expect(!run.journal.lines.contains { $0.contains("violation") || $0.contains("c0 r1") })
            #expect(run.wireVerdict(of: run.scenario.cases[0]).failures.isEmpty)
        }
    }

    @Test func `what came with the request is opaque too, where the reply switches`() async throws {
        try await withRun(yaml(Self.switching)) { run in
            _ = try await exchange(.request("GET /", "Upgrade: x", "Connection: Upgrade") + "ping", with: run.base)
            await run.stop(grace: Patience.whole)
            #expect(run.journal.received == [ReceivedBytes(.opaque, text: "ping")])
        }
    }

    @Test func `a tunnel that the fixture opens by a raw 2xx is opaque`() async throws {
        let yaml = """
            summary: a tunnel of its own
            origins: { p: { role: proxy } }
            exchanges:
              - { request: "CONNECT *", origin: p, reply: { raw: "HTTP/1.1 200 OK\\r\\n\\r\\n", opaque: [{ read: 3 }, { send: { hex: 0001 } }] } }
            """
        try await withRun(yaml) { run in
            let base = try #require(run.origins.first { $0.name == "p" }?.url)
            let got = try await talk(to: base) { wire in
                try wire.send("CONNECT a.test:443 HTTP/1.1\r\nHost: a.test:443\r\n\r\n\u{16}\u{3}\u{1}")
                _ = try wire.readHead()
                let answer = try wire.read(2)
                try wire.send("\r\n\r\n")
                wire.finish()
                return [answer, try wire.readToEnd().bytes]
            }
            #expect(got == [[0, 1], []])
            await run.stop(grace: Patience.whole)
            #expect(run.journal.received.flatMap(\.kept) == Array("\u{16}\u{3}\u{1}\r\n\r\n".utf8))
            #expect(!run.journal.lines.contains { $0.contains("violation") })
        }
    }

    @Test func `the script sends and expects`() async throws {
        let script =
            #"opaque: [{ send: "hello\n" }, { expect: "name\n" }, { send: "welcome\n" }, { read: 2 }, { do: close }]"#
        try await withRun(yaml(Self.switching + ", " + script, facts: "\"wire[0].opaque\": \"name\\nab\"")) { run in
            let got = try await talk(to: run.base) { wire in
                try wire.send(.request("GET /", "Upgrade: x", "Connection: Upgrade"))
                _ = try wire.readHead()
                let first = try wire.read(6)
                try wire.send("na")
                try wire.send("me\n")
                let second = try wire.read(8)
                try wire.send("ab")
                return [first, second, try wire.readToEnd().bytes]
            }
            #expect(got == [Array("hello\n".utf8), Array("welcome\n".utf8), []])
            await run.stop(grace: Patience.whole)
            #expect(
                run.journal.lines.dropFirst(4).filter { !$0.contains("sent") } == [
                    "c0 r0 effect send 6 bytes at opaque 0", "c0 r0 expected 5: met at 5",
                    "c0 r0 effect send 8 bytes at opaque 2", "c0 r0 expected 2: met at 2",
                    "c0 r0 effect close at opaque 4", "c0 closed by server: closed",
                ])
            let verdict = run.wireVerdict(of: run.scenario.cases[0])
            #expect(verdict.failures.isEmpty, "\(verdict)")
        }
    }

    @Test func `other bytes than those expected fail the case, and end the connection`() async throws {
        try await withRun(yaml(Self.switching + #", opaque: [{ expect: "name;" }, { send: never }]"#)) { run in
            let got = try await exchange(
                .request("GET /", "Upgrade: x", "Connection: Upgrade") + "nome;more", with: run.base)
            #expect(!got.text.contains("never"))
            await run.stop(grace: Patience.whole)
            #expect(run.journal.lines.contains("c0 r0 expected 5: differed at 1"))
            #expect(run.journal.received.flatMap(\.kept) == Array("nome;more".utf8))
            let verdict = run.wireVerdict(of: run.scenario.cases[0])
            #expect(verdict.outcome == .fail)
            #expect(
                verdict.failures.map(\.sentence) == [
                    #"request 0, GET /: behind the reply wanted "ame;" behind the first 1, got "ome;more""#
                ])
        }
    }

    @Test func `bytes that do not come in time, or never, are told so`() async throws {
        for (within, leaves, line) in [
            ("20ms", false, "c0 r0 expected 3: timedOut at 1"), ("5m", true, "c0 r0 expected 3: ended at 1"),
        ] {
            try await withRun(yaml(Self.switching + ", opaque: [{ read: 3, within: \(within) }]")) { run in
                _ = try await talk(to: run.base) { wire in
                    try wire.send(.request("GET /", "Upgrade: x", "Connection: Upgrade") + "a")
                    if leaves { wire.finish() }
                    return try wire.readToEnd()
                }
                await run.stop(grace: Patience.whole)
                #expect(run.journal.lines.contains(line), "\(run.journal.lines)")
            }
        }
    }

    @Test func `of a long stream the beginning is kept, and all of it counted`() async throws {
        try await withRun(yaml(Self.switching), configure: { $0.limits.keptBodyByteCount = 100_000 }) { run in
            _ = try await talk(to: run.base) { wire in
                try wire.send(.request("GET /", "Upgrade: x", "Connection: Upgrade"))
                _ = try wire.readHead()
                try wire.send([UInt8](repeating: 0x61, count: 1 << 20))
                wire.finish()
                return try wire.readToEnd()
            }
            await run.stop(grace: Patience.whole)
            let received = run.journal.received
            #expect(received.reduce(0) { $0 + $1.byteCount } == 1 << 20)
            #expect(received.reduce(0) { $0 + $1.kept.count } == 100_000)
            #expect(received.count <= 4)
        }
    }
}
