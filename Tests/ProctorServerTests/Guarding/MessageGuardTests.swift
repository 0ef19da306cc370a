import ProctorHTTP
import ProctorServer
import ProctorServing
import ProctorTestWire
import Testing

@testable import ProctorJournal

/// Schemes that are bound to their connection: offered, answered message by message, never verified.
struct MessageGuardTests {
    /// `NTLMSSP`, a zero and the number of the message.
    private static let first = "Authorization: NTLM TlRMTVNTUAABAAAA"
    private static let last = "Authorization: NTLM TlRMTVNTUAADAAAA"

    private func yaml(_ schemes: String) -> String {
        """
        summary: guarded
        guards: { lab: { \(schemes.contains("basic") ? "users: { user: pass }, " : "")schemes: [\(schemes)] } }
        auth: lab
        exchanges: [{ request: GET /a, reply: { status: 200, body: content } }]
        """
    }

    @Test func `a negotiation of two messages opens its connection`() async throws {
        try await withRun(yaml("ntlm: { offer-only: [VHlwZTI=] }, basic")) { run in
            let got = try await talk(to: run.base) { wire in
                [
                    try wire.ask("GET /a"), try wire.ask("GET /a", Self.first), try wire.ask("GET /a", Self.last),
                    try wire.ask("GET /a"), try wire.ask("GET /a"),
                ]
            }
            #expect(got.map(\.status) == [401, 401, 200, 200, 200])
            #expect(got[0].values("WWW-Authenticate") == ["NTLM", "Basic realm=\"lab\""])
            #expect(got[1].values("WWW-Authenticate") == ["NTLM VHlwZTI="])
            #expect(
                run.journal.verdicts.map(\.outcome) == [.challenged, .continued, .admitted, .admitted, .admitted])
            #expect(run.journal.verdicts.map(\.attempt) == [0, 1, 2, 2, 2])
        }
    }

    @Test func `another connection is asked anew, and can't end what began elsewhere`() async throws {
        try await withRun(yaml("ntlm: { offer-only: [VHlwZTI=] }")) { run in
            let base = run.base
            let got = try await talk(to: base) { wire in
                let other = try Wire(to: base)
                defer { other.close() }
                _ = try wire.ask("GET /a", Self.first)
                let elsewhere = try other.ask("GET /a", Self.last)
                let here = try wire.ask("GET /a", Self.last)
                return [elsewhere, here, try other.ask("GET /a"), try other.ask("GET /a", Self.first)]
            }
            #expect(got.map(\.status) == [401, 200, 401, 401])
            #expect(got[0].values("WWW-Authenticate") == ["NTLM"])
            #expect(run.journal.verdicts[1].faults.map(\.kind) == [.wrongConnection])
            #expect(run.journal.verdicts.last?.outcome == .continued)
        }
    }

    @Test func `without messages of the guard the first one opens the connection`() async throws {
        try await withRun(yaml("negotiate: { offer-only: [] }")) { run in
            let statuses = try await talk(to: run.base) { wire in
                [
                    try wire.ask("GET /a").status, try wire.ask("GET /a", "Authorization: Negotiate").status,
                    try wire.ask("GET /a", "Authorization: Negotiate a=b").status,
                    try wire.ask("GET /a", "Authorization: Negotiate YII=").status, try wire.ask("GET /a").status,
                ]
            }
            #expect(statuses == [401, 401, 401, 200, 200])
        }
    }

    @Test func `a reset forgets what a connection had come to`() async throws {
        try await withRun(yaml("negotiate: { offer-only: [] }")) { run in
            let statuses = try await talk(to: run.base) { wire in
                let first = try wire.ask("GET /a", "Authorization: Negotiate YII=").status
                run.reset()
                return [first, try wire.ask("GET /a").status]
            }
            #expect(statuses == [200, 401])
        }
    }
}
