import ProctorCrypto
import ProctorHTTP
import ProctorServer
import ProctorTestWire
import Testing

@testable import ProctorJournal

/// What an admitted reply says of itself (RFC 7616 §3.5).
struct GuardInfoTests {
    private func yaml(_ digest: String, reply: String = "{ status: 200, body: content }") -> String {
        """
        summary: guarded
        guards: { lab: { users: { user: pass }, schemes: [digest: { \(digest) }] } }
        auth: lab
        exchanges: [{ request: "* /a", reply: \(reply) }]
        """
    }

    private func info(_ reply: String) -> AuthenticationInfo {
        AuthenticationInfo(reply.values("Authentication-Info").map { Array($0.utf8) })
    }

    /// What the server has to prove, worked out by the client.
    private func proof(_ challenge: String, _ quality: QualityOfProtection?, content: String) throws -> [UInt8] {
        let challenge = try #require(DigestClient.challenges(of: challenge).first.flatMap { DigestChallenge($0) })
        return DigestAnswer(
            to: challenge, user: "user", password: "pass", method: "GET", target: Array("/a".utf8), quality: quality,
            nonceCount: 1, clientNonce: DigestClient().clientNonce
        ).responseAuthentication(content: Array(content.utf8), by: OpenSSLHasher())
    }

    @Test(arguments: [QualityOfProtection.authentication, .integrity, nil])
    func `rspauth is what the client works out`(quality: QualityOfProtection?) async throws {
        try await withRun(yaml("qop: \(quality?.rawValue ?? "none"), info: rspauth")) { run in
            let got = try await talk(to: run.base) { wire in
                let first = try wire.ask("GET /a")
                let answer = try DigestClient(quality: quality).answer(first, "GET /a")
                return [first, try wire.ask("GET /a", answer)]
            }
            let info = info(got[1])
            #expect(info.rspauth == (try proof(got[0], quality, content: "content")))
            #expect(info.quality == quality)
            #expect(info.clientNonce == (quality == nil ? nil : Array(DigestClient().clientNonce.utf8)))
            #expect(info.nonceCount == (quality == nil ? nil : Array("00000001".utf8)))
            #expect(info.nextNonce == nil)
            #expect(got[1].hasSuffix("\r\n\r\ncontent"))
        }
    }

    @Test func `a wrong rspauth has the right form`() async throws {
        try await withRun(yaml("info: wrong-rspauth")) { run in
            let got = try await talk(to: run.base) { wire in
                let first = try wire.ask("GET /a")
                return [first, try wire.ask("GET /a", try DigestClient().answer(first, "GET /a"))]
            }
            let right = try proof(got[0], .authentication, content: "")
            let told = try #require(info(got[1]).rspauth)
            #expect(got[1].status == 200)
            #expect(told.count == right.count)
            #expect(told != right)
        }
    }

    @Test func `the next nonce passes, counted from 1, and the old one goes on`() async throws {
        try await withRun(yaml("info: [rspauth, nextnonce]")) { run in
            let got = try await talk(to: run.base) { wire in
                let first = try wire.ask("GET /a")
                let client = DigestClient()
                let second = try wire.ask("GET /a", try client.answer(first, "GET /a"))
                let next = AuthenticationInfo(second.values("Authentication-Info").map { Array($0.utf8) }).nextNonce
                let nonce = String(decoding: next ?? [], as: UTF8.self)
                return [
                    second, try wire.ask("GET /a", try client.answer(first, "GET /a", nonce: nonce)),
                    try wire.ask("GET /a", try client.answer(first, "GET /a", count: 2)),
                ]
            }
            #expect(got.map(\.status) == [200, 200, 200])
            let nonces = got.map { info($0).nextNonce }
            #expect(Set(nonces).count == 3)
            #expect(nonces.allSatisfy { $0?.count == 32 })
        }
    }

    @Test(arguments: ["MD5-sess", "SHA-256-sess"])
    func `a session goes on over every next nonce`(algorithm: String) async throws {
        try await withRun(yaml("algorithm: \(algorithm), info: nextnonce")) { run in
            let got = try await talk(to: run.base) { wire in
                let first = try wire.ask("GET /a")
                var client = DigestClient()
                var replies = [try wire.ask("GET /a", try client.answer(first, "GET /a"))]
                let began = try #require(DigestClient.challenges(of: first).first?["nonce"])
                client.session = (Array(began.utf8), client.clientNonce)
                for _ in 0..<2 {
                    let next = String(decoding: try #require(info(replies[replies.count - 1]).nextNonce), as: UTF8.self)
                    replies.append(try wire.ask("GET /a", try client.answer(first, "GET /a", nonce: next)))
                }
                // As if the next nonce began another session.
                client.session = nil
                client.clientNonce = "another"
                let next = String(decoding: try #require(info(replies[2]).nextNonce), as: UTF8.self)
                return replies + [try wire.ask("GET /a", try client.answer(first, "GET /a", nonce: next))]
            }
            #expect(got.map(\.status) == [200, 200, 200, 401], "\(run.journal.verdicts.map(\.faults))")
        }
    }

    @Test func `a guard that admitted says so on the refusal of the next one`() async throws {
        let text = """
            summary: a proxy and an origin ask
            guards:
              gate: { proxy: true, users: { user: pass }, schemes: [digest: { info: [rspauth, nextnonce] }] }
              lab: { users: { user: pass }, schemes: [basic] }
            auth: [gate, lab]
            exchanges: [{ request: GET /a, reply: { status: 200, body: content } }]
            """
        try await withRun(text) { run in
            let got = try await talk(to: run.base) { wire in
                let client = DigestClient(field: "Proxy-Authorization")
                let first = try wire.ask("GET /a")
                let second = try wire.ask("GET /a", try client.answer(first, "GET /a"))
                let told = AuthenticationInfo(second.values("Proxy-Authentication-Info").map { Array($0.utf8) })
                let next = String(decoding: try #require(told.nextNonce, "\(second)"), as: UTF8.self)
                return [
                    first, second,
                    try wire.ask(
                        "GET /a", try client.answer(first, "GET /a", nonce: next), "Authorization: Basic dXNlcjpwYXNz"),
                ]
            }
            #expect(got.map(\.status) == [407, 401, 200])
            #expect(got[0].values("Proxy-Authentication-Info").isEmpty)
            #expect(got[1].values("WWW-Authenticate") == ["Basic realm=\"lab\""])
            let told = AuthenticationInfo(got[1].values("Proxy-Authentication-Info").map { Array($0.utf8) })
            #expect(told.rspauth == (try proof(got[0], .authentication, content: "")))
        }
    }

    @Test(arguments: ["{ pattern: offset, bytes: 1000000 }", "content"], ["auth", "auth-int"])
    func `a proof over content that is not in memory is left out, and the journal says why`(body: String, qop: String)
        async throws
    {
        let text = yaml("qop: \(qop), info: [rspauth, nextnonce]", reply: "{ status: 200, body: \(body) }")
        try await withRun(text) { run in
            let got = try await talk(to: run.base) { wire in
                let first = try wire.ask("GET /a")
                let client = DigestClient(quality: QualityOfProtection(rawValue: qop))
                return try wire.ask("GET /a", try client.answer(first, "GET /a"))
            }
            let isLeftOut = qop == "auth-int" && body != "content"
            #expect(got.status == 200)
            #expect((info(got).rspauth == nil) == isLeftOut)
            #expect(info(got).nextNonce != nil)
            let verdict = try #require(run.journal.verdicts.last)
            #expect(verdict.outcome == .admitted)
            #expect(verdict.remarks.map(\.kind) == (isLeftOut ? [.proofLeftOut] : []))
        }
    }

    @Test func `a reply to HEAD proves no content`() async throws {
        try await withRun(yaml("qop: auth-int, info: rspauth")) { run in
            let got = try await talk(to: run.base) { wire in
                try wire.send(.request("HEAD /a"))
                let first = try wire.readHead()
                let answer = try DigestClient(quality: .integrity).answer(first, "HEAD /a")
                try wire.send(.request("HEAD /a", answer))
                return [first, try wire.readHead()]
            }
            #expect(got.map(\.status) == [401, 200])
            #expect(info(got[1]).rspauth == (try proof(got[0], .integrity, content: "")))
        }
    }
}
