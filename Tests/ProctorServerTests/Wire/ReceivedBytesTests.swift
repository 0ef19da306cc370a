import ProctorHTTP
import ProctorServer
import ProctorTrace
import Testing

/// Every byte that came stands in the journal, also of what was refused.
@Suite(.timeLimit(.minutes(5)))
struct ReceivedBytesTests {
    @Test(arguments: MalformedTests.refused, [true, false])
    func `a refused request is in the journal from its first byte`(_ row: MalformedTests.Row, isWhole: Bool)
        async throws
    {
        try await withRun(always("{ status: 200 }")) { run in
            let got = try await talk(to: run.base) { wire in
                let bytes = Array(row.request.utf8)
                if isWhole {
                    try wire.send(bytes)
                } else {
                    // A connection that is closed in the middle takes no more.
                    for start in stride(from: 0, to: bytes.count, by: 1000) {
                        guard (try? wire.send(Array(bytes[start..<min(start + 1000, bytes.count)]))) != nil else {
                            break
                        }
                    }
                }
                wire.finish()
                return try wire.readToEnd()
            }
            #expect(got.text.hasPrefix("HTTP/1.1 \(row.status) "))
            await run.stop(grace: .seconds(30))
            let received = run.journal.received
            #expect(received.first?.kind == .refused)
            #expect(received.dropFirst().allSatisfy { $0.kind == .behind })
            let kept = received.flatMap(\.kept)
            #expect(kept == Array(row.request.utf8), "\(kept.count) of \(row.request.utf8.count)")
            #expect(received.reduce(0) { $0 + $1.byteCount } == row.request.utf8.count)
        }
    }

    @Test func `an empty line before it, and what came behind it, stand beside it`() async throws {
        try await withRun(always("{ status: 200 }")) { run in
            let bytes = "\r\nGET /a HTTP/1.1\r\n\r\nand more"
            _ = try await exchange(bytes, with: run.base)
            await run.stop(grace: .seconds(30))
            #expect(run.journal.received.flatMap(\.kept) == Array(bytes.utf8))
        }
    }

    @Test func `of a flood the beginning is kept, and all of it counted`() async throws {
        try await withRun(always("{ status: 200 }")) { run in
            let line = "GET / HTTP/1.1\r\nHost: a\r\nA: " + String(repeating: "x", count: 100_000)
            _ = try await exchange(line, with: run.base)
            await run.stop(grace: .seconds(30))
            let received = run.journal.received
            #expect(received.reduce(0) { $0 + $1.byteCount } == line.utf8.count)
            #expect(received.allSatisfy { $0.kept.count <= ReceivedBytes.keptByteLimit })
            #expect(received.first.map { Array(line.utf8).starts(with: $0.kept) && $0.kept.count > 32_000 } == true)
        }
    }

    @Test func `of content that can't be read, the part stands there that no other entry holds`() async throws {
        try await withRun(always("{ status: 200 }")) { run in
            let head = String.request("PUT /", "Transfer-Encoding: chunked")
            _ = try await exchange(head + "3;a\r\nabc\r\n5\r\nhelloXX\r\nrest", with: run.base)
            await run.stop(grace: .seconds(30))
            #expect(run.journal.lines.contains("c0 r0 violation missing-crlf-after-chunk at \(head.utf8.count + 18)"))
            #expect(run.journal.received.flatMap(\.kept) == Array("XX\r\nrest".utf8))
            #expect(run.journal.received.first?.kind == .refused)
        }
    }

    @Test(arguments: [
        ("GET / HT", "GET / HT"), ("GET / HTTP/1.1\r\nHost: a\r\nA: b", "GET / HTTP/1.1\r\nHost: a\r\nA: b"),
        (.request("PUT /", "Transfer-Encoding: chunked") + "3\r\nabc\r\n1;ext=", "\r\n1;ext="), ("\r\n", "\r\n"),
    ])
    func `what was not whole when the client left stands there`(request: String, unfinished: String) async throws {
        try await withRun(always("{ status: 200 }")) { run in
            _ = try await exchange(request, with: run.base)
            await run.stop(grace: .seconds(30))
            #expect(run.journal.received == [ReceivedBytes(.unfinished, text: unfinished)])
        }
    }

    @Test func `what comes behind the last request, and a body behind its reply, stand there`() async throws {
        let yaml = """
            summary: early
            exchanges:
              - { request: PUT /, reads: none, reply: { status: 413, headers: { Connection: close } } }
            """
        try await withRun(yaml) { run in
            _ = try await talk(to: run.base) { wire in
                try wire.send(.request("PUT /", "Content-Length: 5"))
                _ = try wire.readHead()
                try wire.send("helloGET /b HTTP/1.1\r\n")
                wire.finish()
                return try wire.readToEnd()
            }
            await run.stop(grace: .seconds(30))
            #expect(
                run.journal.received == [
                    ReceivedBytes(.late, text: "hello"), ReceivedBytes(.behind, text: "GET /b HTTP/1.1\r\n"),
                ])
        }
    }

    @Test func `a request that is read whole leaves no such entry`() async throws {
        try await withRun(always("{ status: 200 }")) { run in
            let chunked = String.request("PUT /", "Transfer-Encoding: chunked") + "3\r\nabc\r\n0\r\nT: 1\r\n\r\n"
            _ = try await exchange(.request("GET /") + chunked + .request("GET /"), with: run.base)
            await run.stop(grace: .seconds(30))
            #expect(run.journal.received.isEmpty)
            #expect(run.journal.lines.count { $0.contains(" head ") } == 3)
        }
    }
}

extension ReceivedBytes {
    init(_ kind: Kind, text: String) {
        self.init(kind, kept: Array(text.utf8), byteCount: text.utf8.count)
    }
}
