import ProctorHTTP
import ProctorServer
import ProctorTestWire
import Testing

/// Use limits of nonces, unknown nonces, and the spelling of schemes.
struct NonceUseTests {
    private func yaml(_ schemes: String) -> String {
        """
        summary: guarded
        guards:
          lab: { users: { user: pass }, tokens: T, schemes: [\(schemes)] }
        auth: lab
        exchanges: [{ request: GET /a, reply: { status: 200, body: content } }]
        """
    }

    private static func challenge(_ nonce: String) -> String {
        "HTTP/1.1 401 \r\nWWW-Authenticate: Digest realm=\"lab\", nonce=\"\(nonce)\", algorithm=MD5, qop=\"auth\""
    }

    private func guards(_ run: Run) -> [String] {
        run.journal.lines.filter { $0.contains(" guard ") }.map { String($0.drop { $0 != "g" }) }
    }

    @Test func `a fixed nonce is known before any challenge, and once its count was used it is not new`() async throws {
        try await withRun(yaml("digest: { nonce: { fixed: abc } }, bearer")) { run in
            let got = try await talk(to: run.base) { wire in
                let client = DigestClient()
                // What a test has computed by hand.
                let known =
                    Self.challenge("abc")
                let answer = try client.answer(known, "GET /a")
                return [try wire.ask("GET /a", answer), try wire.ask("GET /a", answer)]
            }
            #expect(got.map(\.status) == [200, 401])
            #expect(guards(run) == ["guard lab admitted", "guard lab refused replayed-nonce-count"])
        }
    }

    @Test func `another nonce than the fixed one stays unknown`() async throws {
        try await withRun(yaml("digest: { nonce: { fixed: abc } }, bearer")) { run in
            let known =
                Self.challenge("abd")
            let answer = try DigestClient().answer(known, "GET /a")
            #expect(try await talk(to: run.base) { try $0.ask("GET /a", answer) }.status == 401)
            #expect(guards(run).last?.contains("unknown-nonce") == true, "\(guards(run))")
        }
    }

    @Test func `the first right answer is stale where the first nonce has no uses`() async throws {
        try await withRun(yaml("digest: { uses: [0, 2] }, bearer")) { run in
            let got = try await talk(to: run.base) { wire in
                let client = DigestClient()
                let first = try wire.ask("GET /a")
                let second = try wire.ask("GET /a", try client.answer(first, "GET /a"))
                return [
                    first, second, try wire.ask("GET /a", try client.answer(second, "GET /a")),
                    try wire.ask("GET /a", try client.answer(second, "GET /a", count: 2)),
                    try wire.ask("GET /a", try client.answer(second, "GET /a", count: 3)),
                ]
            }
            #expect(got.map(\.status) == [401, 401, 200, 200, 401])
            #expect(DigestClient.challenges(of: got[1]).first?["stale"] == "true")
            #expect(
                guards(run) == [
                    "guard lab challenged", "guard lab stale stale-nonce", "guard lab admitted", "guard lab admitted",
                    "guard lab stale stale-nonce",
                ])
        }
    }

    @Test func `with no use at all every nonce is stale, and a wrong password still a failure`() async throws {
        try await withRun(yaml("digest: { uses: 0 }, bearer")) { run in
            _ = try await talk(to: run.base) { wire in
                var reply = try wire.ask("GET /a")
                for _ in 0..<3 { reply = try wire.ask("GET /a", try DigestClient().answer(reply, "GET /a")) }
                var wrong = DigestClient()
                wrong.password = "false"
                return try wire.ask("GET /a", try wrong.answer(reply, "GET /a"))
            }
            #expect(guards(run).dropFirst().dropLast().allSatisfy { $0 == "guard lab stale stale-nonce" })
            #expect(guards(run).last?.hasPrefix("guard lab refused wrong-") == true, "\(guards(run))")
        }
    }

    @Test func `schemes are spelled as the fixture likes, and answers are taken in any spelling`() async throws {
        let schemes =
            "digest: { spelled: dIGEST }, basic: { spelled: BASIC }, bearer: { spelled: bearer }, "
            + "ntlm: { offer-only: [TlRM], spelled: ntlm }"
        try await withRun(yaml(schemes)) { run in
            let got = try await talk(to: run.base) { wire in
                let first = try wire.ask("GET /a")
                return [
                    first, try wire.ask("GET /a", try DigestClient().answer(first, "GET /a")),
                    try wire.ask("GET /a", "Authorization: basic dXNlcjpwYXNz"),
                    try wire.ask("GET /a", "Authorization: BEARER T"),
                    try wire.ask("GET /a", "Authorization: NTLM AAAA"),
                ]
            }
            let names = got[0].values("WWW-Authenticate").map { String($0.prefix { $0 != " " }) }
            #expect(names == ["dIGEST", "BASIC", "bearer", "ntlm"])
            #expect(got.map(\.status) == [401, 200, 200, 200, 401])
            #expect(got[4].values("WWW-Authenticate") == ["ntlm TlRM"])
        }
    }
}
