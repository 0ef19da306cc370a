import ProctorServer
import ProctorServing
import ProctorTestWire
import Testing

/// `turns: connection`: the next reply is the next connection's.
struct ConnectionTurnTests {
    private func yaml(_ more: String = "") -> String {
        """
        summary: each connection has a reply of its own
        exchanges:
          - request: GET /a
            turns: connection
            \(more)
            reply:
              - { status: 200, body: x }
              - { status: 200, body: y }
              - { status: 200, body: z }
          - request: GET /b
            reply: { status: 200, body: b }
        """
    }

    /// The bodies of the replies to some requests on one connection.
    private func bodies(of paths: [String], at base: String) async throws -> String {
        let requests = paths.map { String.request("GET \($0)") }.joined()
        let text = try await exchange(requests, with: base).text
        return text.split(separator: "HTTP/1.1 ").map { $0.last.map(String.init) ?? "" }.joined()
    }

    @Test func `requests of one connection get the same reply, and the last one stays`() async throws {
        try await withRun(yaml()) { run in
            // A connection counts from its first answer by this exchange on.
            var got = [try await bodies(of: ["/b", "/b"], at: run.base)]
            for _ in 0..<4 { got.append(try await bodies(of: ["/a", "/b", "/a", "/a"], at: run.base)) }
            #expect(got == ["bb", "xbxx", "ybyy", "zbzz", "zbzz"])
            run.reset()
            #expect(try await bodies(of: ["/a", "/a"], at: run.base) == "xx")
        }
    }

    @Test func `connections that stand side by side keep their replies`() async throws {
        try await withRun(yaml()) { run in
            let got = try await talk(to: run.base) { first in
                let second = try Wire(to: run.base)
                defer { second.close() }
                var got = ""
                for wire in [first, second, first, second] {
                    try wire.send(.request("GET /a"))
                    got += try wire.readReply().suffix(1)
                }
                return got
            }
            #expect(got == "xyxy")
            let lines = run.journal.lines
            #expect(lines.filter { $0.contains("exchange") }.map { $0.suffix(1) } == ["0", "1", "0", "1"])
        }
    }

    @Test func `a connection that lives through a reset begins anew`() async throws {
        try await withRun(yaml()) { run in
            let got = try await talk(to: run.base) { first in
                var got = ""
                for isFirst in [false, true] {
                    let other = try Wire(to: run.base)
                    defer { other.close() }
                    for wire in isFirst ? [first, other] : [other, first] {
                        try wire.send(.request("GET /a"))
                        got += try wire.readReply().suffix(1)
                    }
                    run.reset()
                }
                return got
            }
            #expect(got == "xyxy")
        }
    }

    @Test func `times counts requests, not connections`() async throws {
        try await withRun(yaml("times: 3")) { run in
            #expect(try await bodies(of: ["/a", "/a"], at: run.base) == "xx")
            let text = try await exchange(.request("GET /a") + .request("GET /a"), with: run.base).text
            #expect(text.hasPrefix("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nyHTTP/1.1 404"))
        }
    }

    @Test func `a standing mount starts over with the connection after the last`() async throws {
        let fixture = try scenario(yaml(), id: "test/turns")
        try await withServer([fixture]) { server in
            var got: [String] = []
            for _ in 0..<4 {
                got.append(try await bodies(of: ["/test/turns/a", "/test/turns/a"], at: server.base))
            }
            #expect(got == ["xx", "yy", "zz", "xx"])
        }
    }
}
