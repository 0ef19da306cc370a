import ProctorHTTP
import ProctorServer
import ProctorTestWire
import Testing

@testable import ProctorJournal

/// Bearer (RFC 6750) before exchanges: its errors and where a token may stand.
struct BearerGuardTests {
    private func yaml(_ bearer: String, more: String = "") -> String {
        """
        summary: guarded
        guards:
          lab:
            tokens: [T, { token: S, scope: "read write" }, { token: OLD, expired: true }]
            schemes: [bearer: { \(bearer) }]
            \(more)
        auth: lab
        exchanges: [{ request: "* /a*", reply: { status: 200, body: content } }]
        """
    }

    @Test(
        arguments: [
            (nil, 401, nil, nil), ("Bearer S", 200, nil, nil), ("bearer S", 200, nil, nil),
            ("Bearer T", 403, "insufficient_scope", "insufficient-scope"),
            ("Bearer OLD", 401, "invalid_token", "expired-token"),
            ("Bearer X", 401, "invalid_token", "unknown-token"),
            ("Bearer a b", 400, "invalid_request", "malformed-token"),
            ("Bearer", 400, "invalid_request", "malformed-token"), ("Basic dXNlcjpwYXNz", 401, nil, "wrong-scheme"),
        ] as [(String?, Int, String?, String?)])
    func `every error has its status and its text`(field: String?, status: Int, error: String?, kind: String?)
        async throws
    {
        try await withRun(yaml("scope: read")) { run in
            let got = try await talk(to: run.base) { wire in
                try field.map { try wire.ask("GET /a", "Authorization: \($0)") } ?? wire.ask("GET /a")
            }
            #expect(got.status == status)
            let verdict = try #require(run.journal.verdicts.first)
            #expect(verdict.faults.first?.kind.rawValue == kind)
            guard status != 200 else { return }
            let challenge = try #require(DigestClient.challenges(of: got).first)
            #expect(challenge.scheme == "Bearer")
            #expect(challenge["realm"] == "lab")
            #expect(challenge["scope"] == "read")
            #expect(challenge["error"] == error)
            #expect((challenge["error_description"] == nil) == (error == nil))
        }
    }

    @Test func `a reply of the fixture is played as it stands, with the error in its challenge`() async throws {
        try await withRun(yaml("scope: read", more: "refuse: { body: mine }")) { run in
            let got = try await talk(to: run.base) { wire in try wire.ask("GET /a", "Authorization: Bearer T") }
            #expect(got.status == 401)
            #expect(got.hasSuffix("mine"))
            #expect(DigestClient.challenges(of: got).first?["error"] == "insufficient_scope")
        }
    }

    @Test(arguments: ["header", "query"])
    func `a token in the query passes only where the guard says so`(place: String) async throws {
        try await withRun(yaml("in: \(place)")) { run in
            let got = try await talk(to: run.base) { wire in try wire.ask("GET /a?access_token=T") }
            #expect(got.status == (place == "query" ? 200 : 400))
            #expect(run.journal.verdicts.first?.faults.map(\.kind) == (place == "query" ? [] : [.tokenInQuery]))
        }
    }
}
