import ProctorHTTP
import ProctorServer
import ProctorTestWire
import Testing

@testable import ProctorJournal

/// Requests with content before a guard: what is read when, and what a refusal does to the rest.
struct GuardBodyTests {
    private static let right = "Authorization: Basic dXNlcjpwYXNz"

    private func yaml(_ schemes: String, _ policy: String = "reads: all") -> String {
        """
        summary: guarded
        guards: { lab: { \(schemes.hasPrefix("bearer") ? "tokens: [T]" : "users: { user: pass }"), schemes: [\(schemes)] } }
        auth: lab
        exchanges:
          - { request: "* /a", \(policy), reply: { status: 200, body: content } }
        """
    }

    @Test(arguments: ["reads: all", "reads: none", "reads: 2"], [true, false])
    func `a refused request is read to its end, and the next one is answered`(policy: String, isChunked: Bool)
        async throws
    {
        try await withRun(yaml("basic", policy)) { run in
            let got = try await talk(to: run.base) { wire in
                let framing = isChunked ? "Transfer-Encoding: chunked" : "Content-Length: 5"
                let body = isChunked ? "5\r\nhello\r\n0\r\n\r\n" : "hello"
                return [
                    try wire.ask("POST /a", framing, body: body),
                    try wire.ask("POST /a", framing, Self.right, body: body),
                ]
            }
            #expect(got.map(\.status) == [401, 200])
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(lines.count { $0.hasSuffix("body 5 complete") } == 2)
            let isLate = policy == "reads: none"
            let body = try #require(lines.firstIndex { $0.hasPrefix("c0 r0 body") })
            let sent = try #require(lines.firstIndex { $0.hasPrefix("c0 r0 sent") })
            #expect(isLate ? sent < body : true, "\(lines)")
        }
    }

    @Test func `a refusal comes in the middle of a long body where nothing is to be read`() async throws {
        try await withRun(yaml("basic", "reads: none")) { run in
            let got = try await talk(to: run.base) { wire in
                try wire.send(.request("POST /a", "Content-Length: 100000"))
                try wire.send([UInt8](repeating: 0, count: 50_000))
                let refusal = try wire.readReply()
                try wire.send([UInt8](repeating: 0, count: 50_000))
                return [refusal, try wire.ask("GET /a", Self.right)]
            }
            #expect(got.map(\.status) == [401, 200])
        }
    }

    @Test func `a client that waits for 100 has the refusal in its place`() async throws {
        try await withRun(yaml("basic")) { run in
            let got = try await talk(to: run.base) { wire in
                try wire.send(.request("POST /a", "Content-Length: 5", "Expect: 100-continue"))
                let refusal = try wire.readReply()
                // The client may still send what it announced; the next request stands behind it.
                try wire.send("hello")
                try wire.send(.request("POST /a", "Content-Length: 5", "Expect: 100-continue", Self.right))
                let interim = try wire.readHead()
                try wire.send("hello")
                return [refusal, interim, try wire.readReply()]
            }
            #expect(got.map(\.status) == [401, 100, 200])
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(lines.count { $0.hasSuffix(" continue") } == 1)
        }
    }

    @Test func `a refusal that closes is read by a client that sends all of a long body first`() async throws {
        let text = yaml("basic", "reads: none").replacing(
            "schemes:", with: "refuse: { headers: { Connection: close }, body: no }, schemes:")
        let configure = { @Sendable (configuration: inout ServerConfiguration) in
            configuration.limits.lingerDuration = .seconds(300)
            configuration.limits.wholeLingerDuration = .seconds(300)
        }
        try await withRun(text, configure: configure) { run in
            let got = try await talk(to: run.base) { wire in
                try wire.send(.request("POST /a", "Content-Length: \(16 << 20)"))
                try wire.send([UInt8](repeating: 0, count: 16 << 20))
                return try wire.readToEnd()
            }
            #expect(got.ending == .closed)
            #expect(got.text.status == 401)
            #expect(got.text.hasSuffix("\r\n\r\nno"))
        }
    }

    @Test(arguments: ["reads: all", "reads: none"])
    func `auth-int is judged over the content, whatever is read else`(policy: String) async throws {
        try await withRun(yaml("digest: { qop: [auth, auth-int] }", policy)) { run in
            let got = try await talk(to: run.base) { wire in
                let client = DigestClient(quality: .integrity)
                let length = "Content-Length: 5"
                let first = try wire.ask("POST /a", length, body: "hello")
                let right = try client.answer(first, "POST /a", content: "hello")
                let wrong = try client.answer(first, "POST /a", count: 2, content: "hallo")
                let empty = try client.answer(first, "POST /a", count: 3)
                try wire.send(.request("POST /a", length, "Expect: 100-continue", right))
                let interim = try wire.readHead()
                try wire.send("hello")
                return [
                    first, interim, try wire.readReply(), try wire.ask("POST /a", length, wrong, body: "hello"),
                    try wire.ask("POST /a", length, empty, body: "hello"),
                ]
            }
            #expect(got.map(\.status) == [401, 100, 200, 401, 401])
            let kinds = run.journal.verdicts.suffix(2).map { $0.faults.map(\.kind) }
            #expect(kinds[1] == [.wrongContentHash], "\(kinds)")
        }
    }

    @Test func `content that was too long to keep is no failure of the client`() async throws {
        let text = yaml("digest: { qop: auth-int }").replacing("schemes:", with: "gives-up: { after: 1 }, schemes:")
        try await withRun(text, configure: { $0.limits.keptBodyByteCount = 4 }) { run in
            let got = try await talk(to: run.base) { wire in
                let client = DigestClient(quality: .integrity)
                let first = try wire.ask("GET /a")
                func ask(_ count: UInt32, _ content: String) throws -> String {
                    let answer = try client.answer(first, "POST /a", count: count, content: content)
                    return try wire.ask("POST /a", "Content-Length: \(content.utf8.count)", answer, body: content)
                }
                return [try ask(1, "hello"), try ask(1, "hello"), try ask(1, "hell")]
            }
            #expect(got.map(\.status) == [401, 401, 200])
            #expect(got[0].hasSuffix("\r\n\r\nthe guard lab refuses this credential: content-not-kept\n"))
            let verdicts = run.journal.verdicts
            #expect(verdicts.map { $0.faults.map(\.kind) } == [[], [.contentNotKept], [.contentNotKept], []])
            #expect(verdicts.map(\.attempt) == [0, 0, 0, 1])
        }
    }

    @Test func `a token may stand in a form where the guard says so`() async throws {
        let form = "Content-Type: application/x-www-form-urlencoded"
        try await withRun(yaml("bearer: { in: [header, form] }", "reads: none")) { run in
            let got = try await talk(to: run.base) { wire in
                [
                    try wire.ask("POST /a", form, "Content-Length: 14", body: "access_token=T"),
                    try wire.ask("POST /a", form, "Content-Length: 14", body: "access_token=U"),
                    try wire.ask("POST /a", form, "Content-Length: 3", body: "a=b"),
                    try wire.ask(
                        "POST /a", form, "Authorization: Bearer T", "Content-Length: 14", body: "access_token=T"),
                ]
            }
            #expect(got.map(\.status) == [200, 401, 401, 400])
            #expect(run.journal.verdicts.map(\.outcome) == [.admitted, .refused, .challenged, .refused])
        }
    }
}
