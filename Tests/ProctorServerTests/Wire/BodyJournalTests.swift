import ProctorServer
import ProctorTrace
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
