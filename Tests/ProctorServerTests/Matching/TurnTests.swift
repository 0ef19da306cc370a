import Foundation
import ProctorServer
import ProctorTestWire
import Testing

/// Turns, counts and sequences, on a run and in the standing mount.
struct TurnTests {
    /// The bodies of replies to targets asked one after the other, each on a connection of its own; `-` is a miss.
    private func ask(_ targets: [String], _ base: String) async throws -> String {
        var bodies: [String] = []
        for target in targets {
            let got = try await exchange(.request("GET \(target)"), with: base).text
            let body = got.components(separatedBy: "\r\n\r\n").last ?? ""
            bodies.append(got.hasPrefix("HTTP/1.1 404") ? "-" : body)
        }
        return bodies.joined(separator: " ")
    }

    private func replies(_ names: String) -> String {
        "[ " + names.split(separator: " ").map { "{ status: 200, body: \($0) }" }.joined(separator: ", ") + " ]"
    }

    private func bodies(_ exchanges: [String], strict: Bool = false, _ targets: [String]) async throws -> [String] {
        let items = exchanges.map { "  - { \($0) }" }.joined(separator: "\n")
        let yaml = "summary: turns\n\(strict ? "sequence: strict\n" : "")exchanges:\n\(items)"
        return try await withServer([try scenario(yaml)]) { server in
            let run = try await server.run("test/one")
            let onRun = try await ask(targets, run.base)
            let mount = "\(server.base)/test/one"
            let standing = try await ask(targets.map { "/test/one\($0)" }, mount)
            return [onRun, standing]
        }
    }

    @Test func `replies come by turn; the last stays on a run, and the mount starts over`() async throws {
        let got = try await bodies(
            ["request: GET /a, reply: \(replies("a b c"))"], Array(repeating: "/a", count: 7))
        #expect(got == ["a b c c c c c", "a b c a b c a"])
    }

    @Test func `an exchange is used as often as times says, then the next one that fits`() async throws {
        let got = try await bodies(
            ["request: GET /a, times: 3, reply: \(replies("a b"))", "request: GET /*, reply: \(replies("z"))"],
            Array(repeating: "/a", count: 5))
        #expect(got == ["a b b z z", "a b b z z"])
    }

    @Test func `when all is used up a run misses, and the mount starts over`() async throws {
        let got = try await bodies(
            ["request: GET /a, times: 3, reply: \(replies("a b"))"], Array(repeating: "/a", count: 7))
        #expect(got == ["a b b - - - -", "a b b a b b a"])
    }

    @Test func `exchanges have turns of their own`() async throws {
        let got = try await bodies(
            ["request: GET /a, reply: \(replies("a b"))", "request: GET /c, reply: \(replies("c d"))"],
            ["/a", "/c", "/a", "/c", "/a", "/c"])
        #expect(got == ["a c b d b d", "a c b d a c"])
    }

    @Test func `a strict sequence takes its exchanges in the order of the file and no other`() async throws {
        let exchanges = [
            "request: GET /a, reply: \(replies("a b"))", "request: GET /c, times: 1, reply: \(replies("c"))",
            "request: GET /a, reply: \(replies("d"))",
        ]
        #expect(
            try await bodies(exchanges, strict: true, ["/c", "/a", "/c", "/a", "/c", "/a", "/a"])[0]
                == "- a - b c d -")
    }

    @Test func `a strict sequence on the mount starts over with its first request, and a wrong one changes nothing`()
        async throws
    {
        let exchanges = [
            "request: GET /a, reply: \(replies("a"))", "request: GET /b, reply: \(replies("b"))",
        ]
        let got = try await bodies(exchanges, strict: true, ["/a", "/x", "/b", "/a", "/a", "/b", "/a", "/b"])
        #expect(got == ["a - b - - - - -", "a - b a a b a b"])
    }

    @Test func `GET does not answer HEAD, and the first exchange that fits wins`() async throws {
        let yaml = """
            summary: order
            exchanges:
              - { request: GET /a/special, reply: { status: 200, body: special } }
              - { request: "GET /a/{x}", reply: { status: 200, body: other } }
            """
        try await withRun(yaml) { run async throws in
            #expect(try await exchange(.request("GET /a/special"), with: run.base).text.hasSuffix("special"))
            #expect(try await exchange(.request("GET /a/b"), with: run.base).text.hasSuffix("other"))
            #expect(try await exchange(.request("HEAD /a/b"), with: run.base).text.hasPrefix("HTTP/1.1 404 "))
        }
    }

    @Test func `an exchange answers on its own origin only`() async throws {
        let yaml = """
            summary: origins
            origins: { other: {} }
            exchanges:
              - { request: GET /, reply: { status: 200, body: main } }
              - { request: GET /, origin: other, reply: { status: 200, body: other } }
              - { request: GET /only, origin: other, reply: { status: 200 } }
            """
        try await withRun(yaml) { run async throws in
            let other = try #require(run.origin("other"))
            #expect(other != run.base)
            #expect(run.origin("none") == nil)
            #expect(try await exchange(.request("GET /"), with: run.base).text.hasSuffix("main"))
            #expect(try await exchange(.request("GET /"), with: other).text.hasSuffix("other"))
            #expect(try await exchange(.request("GET /only"), with: run.base).text.hasPrefix("HTTP/1.1 404 "))
        }
    }

    @Test func `the body decides where exchanges ask for it`() async throws {
        let yaml = """
            summary: bodies
            exchanges:
              - { request: { method: POST, path: /a, body: one }, reply: { status: 200, body: "1" } }
              - { request: { method: POST, path: /a, body: { hex: "00ff" } }, reply: { status: 200, body: "2" } }
              - { request: POST /a, reply: { status: 200, body: "3" } }
            """
        try await withRun(yaml) { run async throws in
            let one = try await exchange(
                .request("POST /a", "Transfer-Encoding: chunked") + "1\r\no\r\n2\r\nne\r\n0\r\n\r\n", with: run.base)
            #expect(one.text.hasSuffix("\r\n\r\n1"))
            let two = try await talk(to: run.base) { wire in
                try wire.send(Array(String.request("POST /a", "Content-Length: 2").utf8) + [0, 0xFF])
                return try wire.readReply()
            }
            #expect(two.hasSuffix("\r\n\r\n2"))
            let three = try await exchange(.request("POST /a", "Content-Length: 3") + "two", with: run.base)
            #expect(three.text.hasSuffix("\r\n\r\n3"))
        }
    }
}

/// Exchanges that take turns together.
struct SharedTurnTests {
    private static let yaml = """
        summary: turns
        exchanges:
          - { request: GET /a, turns: { shared: t }, reply: [{ status: 200, body: a0 }, { status: 200, body: a1 }, { status: 200, body: a2 }] }
          - { request: GET /b, turns: { shared: t }, reply: [{ status: 200, body: b0 }, { status: 200, body: b1 }] }
          - { request: GET /c, turns: { shared: u }, reply: { status: 200, body: c } }
          - { request: GET /d, turns: { shared: u }, reply: [{ status: 200, body: d0 }, { status: 200, body: d1 }] }
        """

    private func ask(_ targets: [String], _ base: String, below path: String = "") async throws -> String {
        var bodies: [String] = []
        for target in targets {
            let text = try await exchange(.request("GET \(path)/\(target)", "Connection: close"), with: base).text
            bodies.append(text.components(separatedBy: "\r\n\r\n").last ?? "")
        }
        return bodies.joined(separator: " ")
    }

    @Test func `a request to any of them takes the turn of all, and the last reply of each stays`() async throws {
        try await withRun(Self.yaml) { run in
            let shared = try await ask(["a", "b", "a", "b", "b", "a"], run.base)
            #expect(shared == "a0 b1 a2 b1 b1 a2")
            let other = try await ask(["c", "d", "d"], run.base)
            #expect(other == "c d1 d1")
        }
    }

    @Test func `on the shared port the turns start over together`() async throws {
        try await withServer([try scenario(Self.yaml)]) { server in
            let targets = ["a", "b", "b", "b", "a", "a"]
            let answers = try await ask(targets, server.base, below: "/test/one")
            #expect(answers == "a0 b1 b1 b0 a1 a2")
        }
    }
}
