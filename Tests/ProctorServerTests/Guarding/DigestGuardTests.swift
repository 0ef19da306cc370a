import ProctorHTTP
import ProctorServer
import ProctorTestWire
import Testing

@testable import ProctorJournal

/// Digest (RFC 7616) before exchanges, over sockets.
struct DigestGuardTests {
    private func yaml(_ digest: String, realm: String = "lab", more: String = "") -> String {
        """
        summary: guarded
        guards:
          lab: { realm: \(realm), users: { user: pass, other: secret }, schemes: [\(digest)]\(more) }
        auth: lab
        exchanges:
          - { request: "* /a", reply: { status: 200, body: content } }
          - { request: GET /b, reply: { status: 200, body: content } }
        """
    }

    private func guards(_ run: Run) -> [String] {
        run.journal.lines.filter { $0.contains(" guard ") }.map { String($0.drop { $0 != "g" }) }
    }

    @Test(arguments: DigestAlgorithm.allCases, [QualityOfProtection.authentication, .integrity, nil])
    func `every algorithm passes with every quality`(algorithm: DigestAlgorithm, quality: QualityOfProtection?)
        async throws
    {
        let qop = quality?.rawValue ?? "none"
        try await withRun(yaml("digest: { algorithm: \(algorithm.rawValue), qop: \(qop) }")) { run in
            let got = try await talk(to: run.base) { wire in
                let client = DigestClient(quality: quality)
                let first = try wire.ask("GET /a")
                var wrong = client
                wrong.password = "false"
                return [
                    first, try wire.ask("GET /a", try client.answer(first, "GET /a")),
                    try wire.ask("GET /a", try wrong.answer(first, "GET /a", count: 2)),
                ]
            }
            #expect(got.map(\.status) == [401, 200, 401])
            let challenge = try #require(DigestClient.challenges(of: got[0]).first)
            #expect(challenge["algorithm"] == algorithm.rawValue)
            #expect(challenge["qop"] == quality?.rawValue)
            #expect(challenge["nonce"]?.count == 32)
            #expect(challenge["stale"] == nil)
            #expect(guards(run).dropLast() == ["guard lab challenged", "guard lab admitted"])
            #expect(guards(run).last?.hasPrefix("guard lab refused wrong-") == true, "\(guards(run))")
        }
    }

    /// RFC 7616 §3.9.1: these answers were computed by others.
    @Test(arguments: [
        ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
        ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
    ])
    func `the example of RFC 7616 passes`(algorithm: String, response: String) async throws {
        let nonce = "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v"
        let opaque = "FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"
        let text = """
            summary: the example of RFC 7616
            guards:
              rfc:
                realm: http-auth@example.org
                users: { Mufasa: Circle of Life }
                schemes:
                  - digest:
                      { algorithm: \(algorithm), qop: [auth, auth-int], opaque: "\(opaque)", nonce: { fixed: "\(nonce)" } }
            auth: rfc
            exchanges: [{ request: GET /dir/index.html, reply: { status: 200, body: simba } }]
            """
        try await withRun(text) { run in
            let got = try await talk(to: run.base) { wire in
                _ = try wire.ask("GET /dir/index.html")
                return try wire.ask(
                    "GET /dir/index.html",
                    """
                    Authorization: Digest username="Mufasa", realm="http-auth@example.org", uri="/dir/index.html", \
                    algorithm=\(algorithm), nonce="\(nonce)", nc=00000001, \
                    cnonce="f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ", qop=auth, response="\(response)", \
                    opaque="\(opaque)"
                    """)
            }
            #expect(got.status == 200, "\(run.journal.verdicts.map(\.faults))")
        }
    }

    @Test func `a nonce count comes once, in any order unless gaps are refused`() async throws {
        try await withRun(yaml("digest: {}")) { run in
            let statuses = try await counts([1, 3, 2, 3, 2, 40, 4, 1], run)
            #expect(statuses == [200, 200, 200, 401, 401, 200, 200, 401])
            #expect(guards(run).filter { $0.contains("refused") }.allSatisfy { $0.hasSuffix(" replayed-nonce-count") })
        }
        try await withRun(yaml("digest: { nonce-count: gapless }")) { run in
            let statuses = try await counts([1, 3, 2, 3], run)
            #expect(statuses == [200, 401, 200, 200])
            #expect(guards(run).contains("guard lab refused skipped-nonce-count"))
        }
    }

    private func counts(_ counts: [UInt32], _ run: Run) async throws -> [Int?] {
        try await talk(to: run.base) { wire in
            let first = try wire.ask("GET /a")
            return try counts.map {
                try wire.ask("GET /a", try DigestClient().answer(first, "GET /a", count: $0)).status
            }
        }
    }

    @Test func `a nonce that was used up is stale, and the fresh one passes`() async throws {
        try await withRun(yaml("digest: { uses: 2 }")) { run in
            let got = try await talk(to: run.base) { wire in
                let client = DigestClient()
                let first = try wire.ask("GET /a")
                var replies = try (1...3).map { try wire.ask("GET /a", try client.answer(first, "GET /a", count: $0)) }
                replies.append(try wire.ask("GET /a", try client.answer(replies[2], "GET /a")))
                var wrong = client
                wrong.password = "false"
                replies.append(try wire.ask("GET /a", try wrong.answer(first, "GET /a", count: 4)))
                return replies
            }
            #expect(got.map(\.status) == [200, 200, 401, 200, 401])
            #expect(DigestClient.challenges(of: got[2]).first?["stale"] == "true")
            #expect(DigestClient.challenges(of: got[4]).first?["stale"] == nil)
            #expect(guards(run)[3] == "guard lab stale stale-nonce")
            #expect(guards(run).last?.hasPrefix("guard lab refused ") == true)
        }
    }

    @Test func `a nonce that lived too long is stale`() async throws {
        try await withRun(yaml("digest: { lifetime: 1ms }")) { run in
            let got = try await talk(to: run.base) { wire in
                let first = try wire.ask("GET /a")
                // Asking again takes longer than the nonce lives, sooner or later.
                var reply = first
                var count: UInt32 = 0
                repeat {
                    count += 1
                    reply = try wire.ask("GET /a", try DigestClient().answer(first, "GET /a", count: count))
                } while reply.status == 200 && count < 1_000_000
                return reply
            }
            #expect(got.status == 401)
            #expect(DigestClient.challenges(of: got).first?["stale"] == "true")
        }
    }

    @Test func `a foreign nonce, an old one and one of an earlier run are unknown`() async throws {
        try await withRun(yaml("digest: {}")) { run in
            let got = try await talk(to: run.base) { wire in
                let first = try wire.ask("GET /a")
                let made = try wire.ask("GET /a", try DigestClient().answer(first, "GET /a", nonce: "made-up"))
                run.reset()
                return [made, try wire.ask("GET /a", try DigestClient().answer(first, "GET /a"))]
            }
            #expect(got.map(\.status) == [401, 401])
            #expect(guards(run) == ["guard lab refused unknown-nonce"])
        }
    }

    @Test func `a thousand nonces are remembered and no more`() async throws {
        try await withRun(yaml("digest: {}")) { run in
            let got = try await talk(to: run.base) { wire in
                let first = try wire.ask("GET /a")
                let second = try wire.ask("GET /a")
                for _ in 0..<998 { _ = try wire.ask("GET /b") }
                let last = try wire.ask("GET /a", try DigestClient().answer(first, "GET /a"))
                // The thousand-and-first.
                _ = try wire.ask("GET /b")
                return [
                    last, try wire.ask("GET /a", try DigestClient().answer(first, "GET /a", count: 2)),
                    try wire.ask("GET /a", try DigestClient().answer(second, "GET /a")),
                ]
            }
            // The refusal gives out one more, which pushes the second out.
            #expect(got.map(\.status) == [200, 401, 401])
            #expect(guards(run).suffix(2) == ["guard lab refused unknown-nonce", "guard lab refused unknown-nonce"])
        }
    }

    @Test func `nonces are unguessable, or always the same, or the same in each run`() async throws {
        func nonces(_ policy: String) async throws -> [String] {
            try await withRun(yaml("digest: { \(policy) }, digest: { algorithm: SHA-256, \(policy) }")) { run in
                try await talk(to: run.base) { wire in
                    try (0..<2).flatMap { _ in
                        DigestClient.challenges(of: try wire.ask("GET /a")).compactMap { $0["nonce"] }
                    }
                }
            }
        }
        let random = try await nonces("nonce: random") + nonces("nonce: random")
        #expect(Set(random).count == 8)
        let fixed = try await nonces("nonce: fixed")
        #expect(Set(fixed).count == 1)
        let seeded = try await nonces("nonce: { seed: 7 }")
        #expect(Set(seeded).count == 4)
        let again = try await nonces("nonce: { seed: 7 }")
        #expect(again == seeded)
        let other = try await nonces("nonce: { seed: 8 }")
        #expect(Set(other).isDisjoint(with: seeded))
    }

    @Test func `a fixed nonce that is given out again counts from the beginning`() async throws {
        try await withRun(yaml("digest: { nonce: fixed }")) { run in
            let statuses = try await talk(to: run.base) { wire in
                try (0..<3).flatMap { _ in
                    let first = try wire.ask("GET /a")
                    let answer = try DigestClient().answer(first, "GET /a")
                    return [first.status, try wire.ask("GET /a", answer).status, try wire.ask("GET /a", answer).status]
                }
            }
            #expect(statuses == [401, 200, 401, 401, 200, 401, 401, 200, 401])
        }
    }

    @Test func `the client nonce of a session stays the same`() async throws {
        try await withRun(yaml("digest: { algorithm: MD5-sess }")) { run in
            let statuses = try await talk(to: run.base) { wire in
                let first = try wire.ask("GET /a")
                var client = DigestClient()
                let right = try (1...2).map { try wire.ask("GET /a", try client.answer(first, "GET /a", count: $0)) }
                client.clientNonce = "another"
                return (right + [try wire.ask("GET /a", try client.answer(first, "GET /a", count: 3))]).map(\.status)
            }
            #expect(statuses == [200, 200, 401])
            #expect(guards(run).last?.contains("changed-client-nonce") == true, "\(guards(run))")
        }
    }

    @Test func `a nonce of one algorithm is not taken for another`() async throws {
        try await withRun(yaml("digest: { algorithm: SHA-256 }, digest: {}")) { run in
            let statuses = try await talk(to: run.base) { wire in
                let first = try wire.ask("GET /a")
                let nonce = DigestClient.challenges(of: first)[0]["nonce"]
                return [
                    try wire.ask("GET /a", try DigestClient().answer(first, "GET /a", offer: 0)).status,
                    try wire.ask("GET /a", try DigestClient().answer(first, "GET /a", offer: 1)).status,
                    try wire.ask("GET /a", try DigestClient().answer(first, "GET /a", count: 2, offer: 1, nonce: nonce))
                        .status,
                ]
            }
            #expect(statuses == [200, 200, 401])
            #expect(guards(run).last == "guard lab refused nonce-of-another-algorithm")
        }
    }
}
