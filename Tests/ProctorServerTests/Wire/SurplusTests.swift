import ProctorGrading
import ProctorHTTP
import ProctorJournal
import ProctorScenario
import ProctorServer
import ProctorServing
import ProctorTestSupport
import ProctorTestWire
import Testing

/// Bytes behind the last request of a connection, as the journal and the verdict tell of them.
@Suite(.limit(minutes: 5))
struct SurplusTests {
    private static let post = "Content-Length: 14"
    private static let body = "abcdefghijklmn"

    private static let yaml = """
        summary: takes a body, and may close
        exchanges:
          - { request: "POST /close", reads: all, reply: { status: 200, headers: { Connection: close }, body: ok } }
          - { request: "POST /early", reads: none, reply: { status: 200, headers: { Connection: close }, body: ok } }
          - { request: "POST /half", reads: all, reply: { status: 200, body: ok, effects: [{ at: end, do: half-close }] } }
          - { request: "GET /other", reads: all, reply: { status: 101, headers: { Upgrade: x, Connection: "upgrade, close" } } }
          - { request: "* /*", reads: all, reply: { status: 200, body: ok } }
        cases:
          case: { client: { url: / }, wire: request* }
          cancels: { client: { url: /, cancelAt: response }, wire: request* }
        """

    enum Sending: String, Sendable, CaseIterable {
        case whole, byByte, behindReply
    }

    enum Leaving: String, Sendable, CaseIterable {
        case fin, rst
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let request: String
        let surplus: String
        /// Kind and offset behind the request.
        let violation: (kind: Violation.Kind, offset: Int)?
        let fails: Bool
        /// The server ends the connection behind the reply.
        var closes = true
        var testDescription: String { name }
    }

    static let rows: [Row] = [
        Row(
            name: "a longer body, and the client said close",
            request: .request("POST /", post, "Connection: close") + body, surplus: "opq",
            violation: (.bytesAfterRequest, 0), fails: true),
        Row(
            name: "a longer body of HTTP/1.0",
            request: "POST / HTTP/1.0\r\nContent-Length: 14\r\n\r\n" + body, surplus: "opq",
            violation: (.bytesAfterRequest, 0), fails: true),
        Row(
            name: "a longer body, and the reply says close", request: .request("POST /close", post) + body,
            surplus: "opq\r\n", violation: (.bytesAfterRequest, 0), fails: true),
        Row(
            name: "a longer body, and the server half-closes", request: .request("POST /half", post) + body,
            surplus: "opq", violation: (.bytesAfterRequest, 0), fails: true),
        Row(
            name: "a longer body that is not read for the reply", request: .request("POST /early", post) + body,
            surplus: "opq", violation: (.bytesAfterRequest, 0), fails: true),
        Row(
            name: "a longer body in chunks",
            request: .request("POST /close", "Transfer-Encoding: chunked") + "2\r\nab\r\n0\r\n\r\n", surplus: "cd",
            violation: (.bytesAfterRequest, 0), fails: true),
        Row(
            name: "a longer body without a line end on a kept connection",
            request: .request("POST /", post) + body, surplus: "opq", violation: (.bytesAfterRequest, 0), fails: true,
            closes: false),
        Row(
            name: "a CRLF and then more on a kept connection", request: .request("POST /", post) + body,
            surplus: "\r\nopq", violation: (.bytesAfterRequest, 2), fails: true, closes: false),
        Row(
            name: "the beginning of a head on a kept connection", request: .request("POST /", post) + body,
            surplus: "GET /b HT", violation: (.incompleteHead, 9), fails: true, closes: false),
        Row(
            name: "a request behind one that said close",
            request: .request("POST /", post, "Connection: close") + body, surplus: .request("GET /"),
            violation: (.requestAfterClose, 0), fails: true),
        Row(
            name: "a request behind a reply that says close", request: .request("POST /close", post) + body,
            surplus: .request("GET /"), violation: (.unansweredRequest, 0), fails: false),
        Row(
            name: "a CRLF behind the body", request: .request("POST /close", post) + body, surplus: "\r\n",
            violation: (.emptyLineBeforeRequest, 0), fails: false),
        Row(
            name: "bytes of another protocol behind 101", request: .request("GET /other"), surplus: "opq",
            violation: nil, fails: false),
        Row(
            name: "nothing behind the request", request: .request("POST /close", post) + body, surplus: "",
            violation: nil, fails: false),
    ]

    @Test(arguments: rows, Sending.allCases)
    func `what stands behind the last request is noted with its place, and the reply comes all the same`(
        _ row: Row, _ sending: Sending
    ) async throws {
        for leaving in Leaving.allCases { try await check(row, sending, leaving: leaving) }
    }

    private func check(_ row: Row, _ sending: Sending, leaving: Leaving) async throws {
        let (head, found, verdict) = try await sit(row, sending, leaving: leaving)
        let isAnswered = head.hasPrefix("HTTP/1.1 200 OK") || head.hasPrefix("HTTP/1.1 101")
        #expect(isAnswered)
        // A reset may drop unread bytes.
        if leaving == .rst, sending == .behindReply, found.isEmpty { return }
        #expect(found.map(\.kind) == row.expectedKinds)
        if let last = found.last, let violation = row.violation, last.kind == .bytesAfterRequest {
            #expect(last.offset == row.request.utf8.count + violation.offset)
            let isQuoted = last.sentence.contains("opq") || last.sentence.contains("cd")
            #expect(isQuoted)
        }
        // The end of the load was not reported.
        let wanted: WireVerdict.Outcome = row.fails ? .fail : .partly
        #expect(verdict.outcome == wanted, "\(verdict)")
    }

    /// The head of the reply, what the journal says was wrong, and the verdict.
    private func sit(
        _ row: Row, _ sending: Sending, leaving: Leaving
    ) async throws -> (head: String, violations: [Violation], verdict: WireVerdict) {
        // However late the bytes of a slow machine are, they are what the client sent.
        let waits: (inout ServerConfiguration) -> Void = {
            $0.limits.lingerDuration = Patience.whole
            $0.limits.wholeLingerDuration = Patience.whole
        }
        return try await withRun(Self.yaml, configure: waits) { run in
            let head = try await talk(to: run.base) { wire in
                switch sending {
                case .whole: try wire.send(row.request + row.surplus)
                case .byByte: for byte in (row.request + row.surplus).utf8 { try wire.send([byte]) }
                case .behindReply: try wire.send(row.request)
                }
                let head = try wire.readHead()
                if !head.hasPrefix("HTTP/1.1 101") { _ = try wire.read(2) }
                if sending == .behindReply { try wire.send(row.surplus) }
                if leaving == .rst { wire.reset() } else { wire.close() }
                return head
            }
            await run.stop(grace: Patience.whole)
            var found: [Violation] = []
            for entry in run.journal.snapshot().entries {
                if case .violation(let violation) = entry.event { found.append(violation) }
            }
            return (head, found, run.wireVerdict(of: run.scenario.cases[0]))
        }
    }

    @Test func `a head that a client leaves unfinished fails nothing where its program has it cancel`() async throws {
        try await withRun(Self.yaml) { run in
            try await talk(to: run.base) { wire in
                try wire.send(.request("GET /"))
                _ = try wire.readReply()
                try wire.send("GET /b HT")
                wire.close()
            }
            _ = try await run.journal.lines(untilClosed: 1)
            let plain = try run.scenario.case(named: "case")
            let cancelling = try run.scenario.case(named: "cancels")
            #expect(run.wireVerdict(of: plain).outcome == .fail)
            #expect(run.wireVerdict(of: cancelling).outcome == .partly)
        }
    }

    @Test func `a client that closes in order is not waited for, and one that stays is not for ever`() async throws {
        let times = try await withRun(Self.yaml, configure: { $0.limits.lingerDuration = .seconds(5) }) { run in
            try await talk(to: run.base) { wire in
                try wire.send(.request("POST /close", "Content-Length: 0"))
                _ = try wire.readToEnd()
            }
            let start = ContinuousClock.now
            await run.stop(grace: Patience.whole)
            return ContinuousClock.now - start
        }
        #expect(times < .seconds(4))
    }

    @Test func `surplus without end is read as far as the bound, and told of by its length`() async throws {
        try await withRun(Self.yaml, configure: { $0.limits.lingerByteCount = 1 << 20 }) { run in
            let base = run.base
            try await onThread {
                let wire = try Wire(to: base)
                defer { wire.close() }
                try wire.send(.request("POST /close", "Content-Length: 0"))
                _ = try wire.readToEnd()
                let piece = [UInt8](repeating: 0x78, count: 64 << 10)
                for _ in 0..<64 { guard (try? wire.send(piece)) != nil else { break } }
            }
            await run.stop(grace: Patience.whole)
            let lines = run.journal.lines.filter { $0.contains("violation") }
            #expect(lines.count == 1)
            #expect(lines.first?.contains("bytes-after-request") == true)
        }
    }
}

extension SurplusTests.Row {
    /// An empty line before other bytes is told of with the request that never came.
    fileprivate var expectedKinds: [Violation.Kind] { violation.map { [$0.kind] } ?? [] }
}
