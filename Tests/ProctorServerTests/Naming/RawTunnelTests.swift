import ProctorServer
import Testing

/// Tunnels behind a head that the fixture writes byte for byte, and proxies that take whatever comes.
struct RawTunnelTests {
    private static let yaml = """
        summary: a raw head opens a tunnel
        origins: { main: { host: home.example.org }, p: { role: proxy } }
        exchanges:
          - { request: GET /who, reply: { status: 200, body: home } }
          - { request: "CONNECT *", origin: p, reply: { raw: ["HTTP/1.1 200Go\\r\\nX: ", { repeat: x, times: 3 }, "\\r\\n\\r\\n"], tunnel: main } }
          - { request: { method: "*", path: "*" }, origin: p, reply: { status: 200, body: proxy } }
        """

    @Test func `behind the raw head the connection is the origin's`() async throws {
        try await withRun(Self.yaml) { run in
            let head = "HTTP/1.1 200Go\r\nX: xxx\r\n\r\n"
            let got = try await talk(to: try #require(run.origin("p"))) { wire in
                try wire.send("CONNECT home.example.org:80 HTTP/1.1\r\nHost: home.example.org:80\r\n\r\n")
                let opened = try wire.read(head.utf8.count)
                try wire.send("GET /who HTTP/1.1\r\nHost: home.example.org\r\nConnection: close\r\n\r\n")
                return [String(decoding: opened, as: UTF8.self), try wire.readToEnd().text]
            }
            #expect(got[0] == head && got[1].hasSuffix("\r\n\r\nhome"), "\(got)")
            let lines = try await run.journal.lines(untilClosed: 2)
            #expect(
                lines.contains("c0 tunnel to home.example.org:80 (main)") && lines.contains("c1 r1 head GET /who"),
                "\(lines)")
        }
    }

    @Test(arguments: ["GET http://home.example.org/a", "OPTIONS *", "POST http://news.example.org/b?c"])
    func `an asterisk in a mapping takes any target at a proxy, as it does in one line`(_ line: String) async throws {
        try await withRun(Self.yaml) { run in
            let reply = try await talk(to: try #require(run.origin("p"))) { wire in
                try wire.send("\(line) HTTP/1.1\r\nHost: home.example.org\r\nContent-Length: 0\r\n\r\n")
                return try wire.readReply()
            }
            #expect(reply.hasSuffix("\r\n\r\nproxy"), "\(reply)")
        }
    }
}
