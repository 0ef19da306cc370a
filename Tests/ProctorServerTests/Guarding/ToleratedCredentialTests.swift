import ProctorHTTP
import ProctorServer
import ProctorTestWire
import Testing

@testable import ProctorJournal

/// Credentials whose form is wrong and whose meaning is one: guards accept them unless the scenario says otherwise.
struct ToleratedCredentialTests {
    private func yaml(_ top: String) -> String {
        """
        summary: guarded
        \(top)
        guards: { lab: { users: { user: secret }, schemes: [basic] } }
        auth: lab
        exchanges: [{ request: GET /a, reply: { status: 200, body: welcome } }]
        """
    }

    @Test(arguments: [
        ("Basic dXNlcjpzZWNyZXQ", CredentialFault.Kind.malformedBase64), ("Basic\tdXNlcjpzZWNyZXQ=", .malformedField),
        ("Basic dXNlcjpzZWNyZXQ=,", .malformedField),
    ])
    func `the guard accepts it with a remark, and a strict server counts it`(
        field: String, kind: CredentialFault.Kind
    ) async throws {
        let faults = ClientFaults()
        try await withRun(yaml(""), configure: { $0.faults = faults }) { run in
            let got = try await exchange(.request("GET /a", "Authorization: \(field)"), with: run.base)
            #expect(got.text.status == 200, "\(run.journal.lines)")
            #expect(run.journal.verdicts.map(\.outcome) == [.admitted])
            #expect(run.journal.verdicts.flatMap(\.faults) == [])
            #expect(run.journal.verdicts.flatMap(\.remarks).map(\.kind) == [kind])
            #expect(faults.tally.violationCount == 1 && faults.tally.examples.count == 1)
        }
        try await withRun(yaml("tolerates: none")) { run in
            let got = try await exchange(.request("GET /a", "Authorization: \(field)"), with: run.base)
            #expect(got.text.status == 401)
            #expect(run.journal.verdicts.flatMap(\.faults).first?.kind != nil)
        }
    }

    @Test func `what is not tolerated by name is refused, and all else accepted`() async throws {
        try await withRun(yaml("tolerates: { except: credential-separators }")) { run in
            let wrong = try await exchange(.request("GET /a", "Authorization: Basic\tdXNlcjpzZWNyZXQ="), with: run.base)
            let right = try await exchange(.request("GET /a", "Authorization: Basic dXNlcjpzZWNyZXQ"), with: run.base)
            #expect([wrong.text.status, right.text.status] == [401, 200])
        }
    }
}
