import ProctorGrading
import ProctorJournal
import ProctorScenario
import ProctorServer
import ProctorTestSupport
import ProctorTestWire
import Testing

/// Bodies that a client keeps back because it was sent no 100 (Continue), and those that it sends all the same.
@Suite(.limit(minutes: 5))
struct WithheldBodyTests {
    private static let yaml = """
        summary: expects nothing
        exchanges:
          - { request: PUT /, reads: none, reply: { status: 417 } }
          - { request: PUT /close, reads: none, reply: { status: 417, headers: { Connection: close } } }
          - { request: PUT /takes, reply: { status: 200 } }
          - { request: GET /next, reply: { status: 200, body: next } }
        cases:
          kept-back: { client: { url: / }, facts: { "wire[0].withheld": true, "wire[1].target": /next } }
          sent: { client: { url: / }, facts: { "wire[0].withheld": false, "wire[0].body": hello } }
        """

    private static let expecting = ["Content-Length: 5", "Expect: 100-continue"]

    private func head(_ target: String) -> String {
        .request("PUT \(target)", Self.expecting[0], Self.expecting[1])
    }

    @Test func `the next request is answered, and no byte of it is a body`() async throws {
        try await withRun(Self.yaml) { run in
            let head = head("/")
            let got = try await talk(to: run.base) { wire in
                try wire.send(head)
                let first = try wire.readHead()
                // In pieces, so that its line is not there at once.
                try wire.send("GE")
                try wire.send("T /next HTTP/1.1\r\n")
                try wire.send("Host: a\r\n\r\n")
                return [first, try wire.readReply()]
            }
            #expect(got[0].hasPrefix("HTTP/1.1 417 ") && got[1].hasSuffix("\r\n\r\nnext"))
            await run.stop(grace: Patience.whole)
            let lines = run.journal.lines
            #expect(
                lines.filter { $0.contains(" body ") || $0.contains(" head ") } == [
                    "c0 r0 head PUT /", "c0 r0 body 0 withheld", "c0 r1 head GET /next",
                ])
            #expect(!lines.contains { $0.contains("violation") })
            #expect(run.journal.received.isEmpty)
            #expect(run.wireVerdict(of: run.scenario.cases[0]).failures.isEmpty)
            #expect(!run.wireVerdict(of: run.scenario.cases[1]).failures.isEmpty)
        }
    }

    @Test(arguments: [true, false])
    func `a body that comes all the same is one`(isAtOnce: Bool) async throws {
        try await withRun(Self.yaml) { run in
            let head = head("/")
            _ = try await talk(to: run.base) { wire in
                try wire.send(isAtOnce ? head + "hello" : head)
                _ = try wire.readHead()
                if !isAtOnce { try wire.send("hello") }
                try wire.send(.request("GET /next"))
                return try wire.readReply()
            }
            await run.stop(grace: Patience.whole)
            #expect(
                run.journal.lines.filter { $0.contains(" body ") || $0.contains(" head ") } == [
                    "c0 r0 head PUT /", "c0 r0 body 5 complete", "c0 r1 head GET /next",
                ])
            #expect(run.wireVerdict(of: run.scenario.cases[1]).failures.isEmpty)
        }
    }

    @Test func `a client that leaves behind the reply has kept it back`() async throws {
        try await withRun(Self.yaml) { run in
            let head = head("/")
            _ = try await talk(to: run.base) { wire in
                try wire.send(head)
                _ = try wire.readHead()
            }
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(lines.suffix(2) == ["c0 r0 body 0 withheld", "c0 closed by client: closed"])
        }
    }

    @Test func `behind a reply that closes, the next request is no body either`() async throws {
        try await withRun(Self.yaml) { run in
            let head = head("/close")
            _ = try await talk(to: run.base) { wire in
                try wire.send(head)
                _ = try wire.readHead()
                try wire.send(.request("GET /next"))
                wire.finish()
                return try wire.readToEnd()
            }
            await run.stop(grace: Patience.whole)
            #expect(run.journal.lines.contains("c0 r0 body 0 withheld"))
            #expect(run.journal.lines.contains { $0.contains("violation unanswered-request") })
            #expect(run.journal.received == [ReceivedBytes(.behind, text: .request("GET /next"))])
        }
    }

    @Test func `a client that was sent 100 owes its body`() async throws {
        try await withRun(Self.yaml) { run in
            let head = head("/takes")
            let got = try await talk(to: run.base) { wire in
                try wire.send(head)
                let first = try wire.readHead()
                try wire.send("GET /")
                return [first, try wire.readHead()]
            }
            #expect(got.map { $0.prefix(12) } == ["HTTP/1.1 100", "HTTP/1.1 200"])
            await run.stop(grace: Patience.whole)
            #expect(run.journal.lines.contains("c0 r0 body 5 complete"))
        }
    }
}
