import ProctorServer
import Testing

/// The reply to ranges that are not there, as the fixture writes it.
struct UnsatisfiableTests {
    private func ask(_ own: String, _ fields: String...) async throws -> String {
        let reply = """
            { status: 200, honours: [ranges, conditions], headers: { ETag: '"v1"' }, body: 0123456789, unsatisfiable: \(own) }
            """
        return try await withRun(always(reply)) { run in
            let head = (["GET / HTTP/1.1", "Host: a", "Connection: close"] + fields).joined(separator: "\r\n")
            return try await exchange(head + "\r\n\r\n", with: run.base).text
        }
    }

    @Test func `it is sent as it is written, with 416 where it says no status`() async throws {
        let text = try await ask("{ reason: Nothing, headers: { X: y }, body: no }", "Range: bytes=10-")
        #expect(text == "HTTP/1.1 416 Nothing\r\nX: y\r\nContent-Length: 2\r\n\r\nno")
    }

    @Test func `it can be raw, or another status`() async throws {
        #expect(try await ask(#"{ raw: "HTTP/1.1 416\r\n\r\n" }"#, "Range: bytes=10-") == "HTTP/1.1 416\r\n\r\n")
        #expect(try await ask("{ status: 200, body: all }", "Range: bytes=10-").hasPrefix("HTTP/1.1 200 OK\r\n"))
    }

    @Test func `ranges that are there, conditions and whole contents are answered as ever`() async throws {
        let own = "{ body: no }"
        #expect(try await ask(own, "Range: bytes=8-").hasSuffix("\r\n\r\n89"))
        #expect(try await ask(own).hasSuffix("\r\n\r\n0123456789"))
        #expect(try await ask(own, "Range: bytes=10-", "If-None-Match: \"v1\"").hasPrefix("HTTP/1.1 304 "))
        #expect(try await ask(own, "Range: bytes=10-", "If-Range: \"v0\"").hasPrefix("HTTP/1.1 200 "))
    }
}
