import ProctorHTTP
import ProctorJournal
import ProctorServer
import ProctorTestSupport
import ProctorTestWire
import Testing

/// What the journal tells of a request's body, and what exchanges learn from it.
struct BodyJournalTests {
    private func bodies(_ content: String, configure: (inout ServerConfiguration) -> Void = { _ in }) async throws
        -> [RequestBody]
    {
        try await withRun(always("{ status: 200 }"), configure: configure) { run in
            _ = try await exchange(.request("PUT /", "Transfer-Encoding: chunked") + content, with: run.base)
            _ = try await run.journal.lines(untilClosed: 1)
            return run.journal.snapshot().entries.compactMap { entry in
                if case .requestBody(let body) = entry.event { body } else { nil }
            }
        }
    }

    @Test func `the size of each chunk is kept, but not of the last one, and trailers are`() async throws {
        let got = try await bodies("3\r\nabc\r\n05;x=1\r\ndefgh\r\nA\r\n0123456789\r\n0\r\nX-Sum: 18\r\n\r\n")
        #expect(
            got == [
                RequestBody(
                    kept: Array("abcdefgh0123456789".utf8), byteCount: 18, isComplete: true,
                    trailers: [Array("X-Sum: 18".utf8)], chunks: [3, 5, 10],
                    chunkLines: ["3", "05;x=1", "A", "0"].map { Array($0.utf8) })
            ])
    }

    @Test func `an empty chunked body has no chunks`() async throws {
        #expect(
            try await bodies("0\r\n\r\n") == [
                RequestBody(kept: [], byteCount: 0, isComplete: true, trailers: [], chunks: [], chunkLines: [[0x30]])
            ])
    }

    @Test func `a chunk that is cut off tells the size it had in its head`() async throws {
        #expect(
            try await bodies("4\r\nabcd\r\n8\r\nef") == [
                RequestBody(
                    kept: Array("abcdef".utf8), byteCount: 6, isComplete: false, trailers: [], chunks: [4, 8],
                    chunkLines: [[0x34], [0x38]])
            ])
    }

    @Test func `of very many chunks the first thousand are told`() async throws {
        let got = try await bodies(String(repeating: "1\r\nx\r\n", count: 1_500) + "0\r\n\r\n")
        #expect(got.map(\.byteCount) == [1_500])
        #expect(got.map(\.chunks) == [[Int](repeating: 1, count: 1_000)])
    }

    @Test func `a body that is longer than what is kept matches nothing, and the page says why`() async throws {
        let yaml = """
            summary: long
            exchanges:
              - { request: { method: PUT, path: /, body: { repeat: x, bytes: 100 } }, reply: { status: 200 } }
            """
        try await withRun(yaml, configure: { $0.limits.keptBodyByteCount = 99 }) { run in
            let body = String(repeating: "x", count: 100)
            let page = try await exchange(.request("PUT /", "Content-Length: 100") + body, with: run.base)
            #expect(page.text.hasPrefix("HTTP/1.1 404 "))
            #expect(page.text.contains("body: wanted 100 bytes, got 100 bytes, of which only the first 99 are kept"))
        }
        try await withRun(yaml, configure: { $0.limits.keptBodyByteCount = 100 }) { run in
            let body = String(repeating: "x", count: 100)
            let reply = try await exchange(.request("PUT /", "Content-Length: 100") + body, with: run.base)
            #expect(reply.text.hasPrefix("HTTP/1.1 200 "))
        }
    }

    @Test(arguments: ["Connection: close", "X-Other: 1"])
    func `content of no bytes is complete, also of a request that nothing expects`(field: String) async throws {
        let yaml = "summary: s\nexchanges: [{ request: GET /a, reply: { status: 200 } }]\n"
        try await withRun(yaml) { run in
            let reply = try await exchange(.request("POST /b", "Content-Length: 0", field), with: run.base)
            #expect(reply.text.hasPrefix("HTTP/1.1 404 "))
            let told = run.journal.snapshot().entries.compactMap { entry in
                if case .requestBody(let body) = entry.event { body.isComplete } else { nil }
            }
            #expect(told == [true])
        }
    }

    @Test func `a body that no exchange asks about is not read before its exchange is chosen`() async throws {
        let yaml = """
            summary: one looks at bodies
            exchanges:
              - { request: { method: PUT, path: /a, body: abc }, reply: { status: 200, body: a } }
              - { request: PUT /b, reads: none, reply: { status: 200, body: b } }
            """
        try await withRun(yaml) { run in
            let got = try await talk(to: run.base) { wire in
                try wire.send(.request("PUT /b", "Content-Length: 3"))
                let first = try wire.readReply()
                try wire.send("abc" + .request("PUT /a", "Content-Length: 3"))
                let isSilent = wire.isSilent(milliseconds: 40)
                try wire.send("abc")
                return (first.hasSuffix("b"), isSilent, try wire.readReply().hasSuffix("a"))
            }
            #expect(got == (true, true, true))
        }
    }

    @Test func `a wanted body may name the address it is sent to`() async throws {
        let yaml = """
            summary: late-bound
            exchanges:
              - { request: { method: PUT, path: /, body: "{{base}}" }, reply: { status: 200 } }
            """
        try await withRun(yaml) { run in
            for (body, status) in [(run.base, "200"), ("http://127.0.0.1:1", "404")] {
                let request = String.request("PUT /", "Content-Length: \(body.utf8.count)") + body
                let reply = try await exchange(request, with: run.base)
                #expect(reply.text.hasPrefix("HTTP/1.1 \(status) "))
            }
        }
    }

    @Test func `forms and parts choose the exchange, and a miss says which field differs`() async throws {
        let yaml = """
            summary: forms
            exchanges:
              - { request: { method: POST, path: /, form: { a: "1", b: "*" } }, reply: { status: 200, body: form } }
              - request: { method: POST, path: /, parts: [{ name: a, filename: "*.txt" }] }
                reply: { status: 200, body: parts }
            """
        let form = "Content-Type: application/x-www-form-urlencoded"
        let parts = "Content-Type: multipart/form-data; boundary=x"
        let part = "--x\r\nContent-Disposition: form-data; name=a; filename=b.txt\r\n\r\nhi\r\n--x--\r\n"
        try await withRun(yaml) { run in
            let base = run.base
            func post(_ type: String, _ body: String) async throws -> String {
                try await exchange(.request("POST /", type, "Content-Length: \(body.utf8.count)") + body, with: base)
                    .text
            }
            let first = try await post(form, "b=%32&a=1")
            #expect(first.hasSuffix("\r\n\r\nform"))
            let second = try await post(parts, part)
            #expect(second.hasSuffix("\r\n\r\nparts"))
            let miss = try await post(form, "b=%32&a=2")
            #expect(miss.contains("nearest: POST /  (test/one.yaml:3:5)\n  form field a: wanted \"1\", got \"2\"\n"))
            let other = try await post("Content-Type: text/plain", "a=1")
            #expect(other.contains("body: wanted a form, got content of type \"text/plain\"\n"))
        }
    }
}

/// Every byte that came stands in the journal, also of what was refused.
@Suite(.limit(minutes: 5))
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
            await run.stop(grace: Patience.whole)
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
            await run.stop(grace: Patience.whole)
            #expect(run.journal.received.flatMap(\.kept) == Array(bytes.utf8))
        }
    }

    @Test func `of a flood the beginning is kept, and all of it counted`() async throws {
        try await withRun(always("{ status: 200 }")) { run in
            let line = "GET / HTTP/1.1\r\nHost: a\r\nA: " + String(repeating: "x", count: 100_000)
            _ = try await exchange(line, with: run.base)
            await run.stop(grace: Patience.whole)
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
            await run.stop(grace: Patience.whole)
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
            await run.stop(grace: Patience.whole)
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
            await run.stop(grace: Patience.whole)
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
            await run.stop(grace: Patience.whole)
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
