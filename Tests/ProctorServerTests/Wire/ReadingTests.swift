import Foundation
import ProctorBase
import ProctorEvents
import ProctorHTTP
import ProctorJournal
import ProctorLoop
import ProctorScenario
import ProctorServer
import ProctorServing
import ProctorTestSupport
import ProctorTestWire
import Testing

/// The part of a body that is read before the reply, and the answer to `Expect: 100-continue`.
struct ReadingTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
    private static let proceed = "HTTP/1.1 100 Continue\r\n\r\n"

    private func yaml(_ policy: String) -> String {
        """
        summary: reading
        exchanges:
          - { request: PUT /, \(policy), reply: { status: 200, body: ok } }
          - { request: GET /, reply: { status: 200, body: ok } }
        """
    }

    @Test func `the whole body is read before the reply by default`() async throws {
        try await withRun(yaml("reads: all")) { run in
            let (isSilent, reply) = try await talk(to: run.base) { wire in
                try wire.send(.request("PUT /", "Content-Length: 4") + "abc")
                let isSilent = wire.isSilent(milliseconds: 40)
                try wire.send("d")
                return (isSilent, try wire.readReply())
            }
            #expect(isSilent)
            #expect(reply == Self.ok)
            #expect(
                try await run.journal.lines(untilClosed: 1) == [
                    "c0 opened main", "c0 r0 head PUT /", "c0 r0 exchange 0 turn 0", "c0 r0 body 4 complete",
                    "c0 r0 sent 200 40", "c0 closed by client: closed",
                ])
        }
    }

    @Test(arguments: ["Content-Length: 4", "Transfer-Encoding: chunked"])
    func `without reading, the reply comes first and the connection goes on after the rest`(framing: String)
        async throws
    {
        let isChunked = framing.hasSuffix("chunked")
        try await withRun(yaml("reads: none")) { run in
            let got = try await talk(to: run.base) { wire in
                try wire.send(.request("PUT /", framing))
                let first = try wire.readReply()
                try wire.send(isChunked ? "4\r\nabcd\r\n0\r\n\r\n" : "abcd")
                try wire.send(.request("GET /"))
                return [first, try wire.readReply()]
            }
            #expect(got == [Self.ok, Self.ok])
            #expect(
                try await run.journal.lines(untilClosed: 1) == [
                    "c0 opened main", "c0 r0 head PUT /", "c0 r0 exchange 0 turn 0", "c0 r0 sent 200 40",
                    "c0 r0 body 4 complete", "c0 r1 head GET /", "c0 r1 exchange 1 turn 0", "c0 r1 sent 200 40",
                    "c0 closed by client: closed",
                ])
        }
    }

    @Test func `a number of bytes is waited for, and not more`() async throws {
        try await withRun(yaml("reads: 3")) { run in
            let got = try await talk(to: run.base) { wire in
                try wire.send(.request("PUT /", "Content-Length: 6") + "ab")
                let isSilent = wire.isSilent(milliseconds: 40)
                try wire.send("c")
                let first = try wire.readReply()
                try wire.send("def" + .request("GET /"))
                return (isSilent, first, try wire.readReply())
            }
            #expect(got == (true, Self.ok, Self.ok))
        }
    }

    @Test(arguments: [1, 10, 600, 1_000], [true, false])
    func `no more than the number is read, however much is there`(count: Int, isChunked: Bool) async throws {
        let yaml = """
            summary: reads some
            exchanges:
              - request: PUT /
                reads: \(count)
                reply: { status: 413, headers: { Connection: close } }
            """
        try await withRun(yaml) { run in
            let content = String(repeating: "x", count: 5_000)
            let request: String =
                isChunked
                ? .request("PUT /", "Transfer-Encoding: chunked") + "1388\r\n\(content)\r\n0\r\n\r\n"
                : .request("PUT /", "Content-Length: 5000") + content
            let got = try await exchange(request, with: run.base)
            #expect(got.text.hasPrefix("HTTP/1.1 413 "))
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(lines.contains("c0 r0 body \(count) cut"), "\(lines)")
        }
    }

    @Test func `a shorter body than the number is enough`() async throws {
        try await withRun(yaml("reads: 100")) { run in
            let got = try await exchange(.request("PUT /", "Content-Length: 3") + "abc", with: run.base)
            #expect(got == Wire.Received(Self.ok, .closed))
        }
    }

    @Test(arguments: [("reads: all", true), ("reads: 1", true), ("reads: none", false), ("reads: 0", false)])
    func `100 is sent when the body is wanted and has not come`(policy: String, isDue: Bool) async throws {
        try await withRun(yaml(policy)) { run in
            let got = try await talk(to: run.base) { wire in
                try wire.send(.request("PUT /", "Content-Length: 2", "Expect: 100-continue"))
                var heads: [String] = []
                if isDue {
                    heads.append(try wire.readHead())
                    try wire.send("ab")
                }
                heads.append(try wire.readReply())
                return heads
            }
            #expect(got == (isDue ? [Self.proceed, Self.ok] : [Self.ok]))
        }
    }

    @Test func `100 is not sent when the fixture ignores the expectation`() async throws {
        try await withRun(yaml("expect: ignore")) { run in
            let (isSilent, reply) = try await talk(to: run.base) { wire in
                try wire.send(.request("PUT /", "Content-Length: 2", "Expect: 100-continue"))
                let isSilent = wire.isSilent(milliseconds: 40)
                try wire.send("ab")
                return (isSilent, try wire.readReply())
            }
            #expect(isSilent)
            #expect(reply == Self.ok)
        }
    }

    @Test(arguments: [
        String.request("PUT /", "Content-Length: 2", "Expect: 100-continue") + "ab",
        .request("PUT /", "Expect: 100-continue"),
        .request("PUT /", "Content-Length: 0", "Expect: 100-continue"),
        "PUT / HTTP/1.0\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\nab",
    ])
    func `100 is not sent for a body that is there, or empty, or of HTTP 1.0`(request: String) async throws {
        try await withRun(yaml("reads: all")) { run async throws in
            #expect(try await exchange(request, with: run.base) == Wire.Received(Self.ok, .closed))
        }
    }

    @Test func `where bodies decide, the first exchange that fits the head says what becomes of Expect`() async throws {
        for (policy, wanted) in [("continue", [Self.proceed, Self.ok]), ("ignore", [Self.ok])] {
            let yaml = """
                summary: bodies decide
                exchanges:
                  - request: { method: PUT, path: /, body: ab }
                    expect: \(policy)
                    reply: { status: 200, body: ok }
                """
            let got = try await withRun(yaml) { run in
                try await talk(to: run.base) { wire in
                    try wire.send(.request("PUT /", "Content-Length: 2", "Expect: 100-continue"))
                    var heads: [String] = []
                    if policy == "continue" { heads.append(try wire.readHead()) }
                    try wire.send("ab")
                    heads.append(try wire.readReply())
                    return heads
                }
            }
            #expect(got == wanted)
        }
    }

    @Test func `after an early reply that closes, what the client still sends does not destroy the reply`() async throws
    {
        let yaml = """
            summary: early
            exchanges:
              - { request: PUT /, reads: none, reply: { status: 413, headers: { Connection: close }, body: no } }
            """
        try await withRun(yaml) { run in
            let got = try await talk(to: run.base) { wire in
                try wire.send(.request("PUT /", "Content-Length: 1000000"))
                try wire.send([UInt8](repeating: 0, count: 1_000_000))
                return try wire.readToEnd()
            }
            #expect(got.ending == .closed)
            #expect(got.text.hasSuffix("\r\n\r\nno"))
        }
    }

    @Test func `a large upload is counted whole and kept in part`() async throws {
        let count = 8 << 20
        try await withRun(yaml("reads: all")) { run in
            let reply = try await talk(to: run.base) { wire in
                try wire.send(.request("PUT /", "Content-Length: \(count)"))
                try wire.send([UInt8](repeating: 0x61, count: count))
                return try wire.readReply()
            }
            #expect(reply == Self.ok)
            #expect(try await run.journal.lines(untilClosed: 1).contains("c0 r0 body \(count) complete"))
            let kept = run.journal.snapshot().entries.compactMap { entry in
                if case .requestBody(let body) = entry.event { body.kept.count } else { nil }
            }
            #expect(kept == [1 << 20])
        }
    }
}

/// `reads:` in portions, and `receive-buffer`.
struct PortionTests {
    private func yaml(_ reads: String, pattern: String = "POST /", more: String = "") -> String {
        """
        summary: content is read in portions
        origins: { main: { receive-buffer: 4096 } }
        exchanges:
          - request: \(pattern)
            reads: \(reads)
            reply: { status: 200, body: ok }
        \(more)
        """
    }

    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    @Test(arguments: [false, true])
    func `all of the content is read, with the pauses between its portions`(isChunked: Bool) async throws {
        try await withRun(yaml("{ bytes: 100, every: 20ms }")) { run in
            let content = String(repeating: "x", count: 1000)
            let framing = isChunked ? "Transfer-Encoding: chunked" : "Content-Length: 1000"
            let body =
                isChunked ? "1F4\r\n\(content.prefix(500))\r\n1f4\r\n\(content.prefix(500))\r\n0\r\n\r\n" : content
            let start = ContinuousClock.now
            let got = try await exchange(.request("POST /", framing) + body + .request("GET /"), with: run.base)
            #expect(ContinuousClock.now - start >= .milliseconds(9 * 20))
            #expect(got.text.hasPrefix(Self.ok + "HTTP/1.1 404"))
            // The client's FIN is seen in the first pause.
            let lines = try await run.journal.lines(untilClosed: 1).filter { $0 != "c0 FIN received" }
            #expect(lines.prefix(4).contains("c0 r0 body 1000 complete"))
        }
    }

    @Test func `what is not read yet shuts the client's window, and the run can end all the same`() async throws {
        try await withRun(yaml("{ bytes: 1000, every: 10m }")) { run in
            let address = try SocketAddress(base: run.base)
            let loop = try EventLoop()
            let acknowledged = try await loop.run {
                let socket = try await Socket.connect(to: address, on: loop, within: Patience.whole.wholeNanoseconds)
                defer { socket.close() }
                try await socket.write(Array(String.request("POST /", "Content-Length: 100000000").utf8))
                let piece = [UInt8](repeating: 0x78, count: 65_536)
                var written = 0
                do {
                    while true { written += try await socket.writeSome(piece, from: 0, within: 300_000_000) }
                } catch let error as SocketError {
                    #expect(error == .timedOut)
                }
                return written - (try #require(socket.unacknowledgedByteCount))
            }
            loop.stop()
            // The portion, and what fits into the buffer, which Linux makes twice as large.
            #expect(acknowledged < 20_000, "\(acknowledged) bytes were taken")
            await run.stop()
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(lines.contains("c0 r0 body 1000 cut"), "\(lines)")
        }
    }

    @Test func `a body that must be known to choose its exchange is read in portions too`() async throws {
        try await withRun(yaml("{ bytes: 2, every: 20ms }", pattern: "{ method: POST, path: /, body: abcdefgh }")) {
            run in
            let start = ContinuousClock.now
            let got = try await exchange(.request("POST /", "Content-Length: 8") + "abcdefgh", with: run.base)
            #expect(ContinuousClock.now - start >= .milliseconds(3 * 20))
            #expect(got == Wire.Received(Self.ok, .closed))
        }
    }

    @Test func `a client that leaves in the middle ends the reading`() async throws {
        try await withRun(yaml("{ bytes: 10, every: 1ms }")) { run in
            _ = try await exchange(.request("POST /", "Content-Length: 100") + "abcdefghijklmno", with: run.base)
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(lines.suffix(2) == ["c0 r0 body 15 cut", "c0 closed by client: closed"])
        }
    }
}
