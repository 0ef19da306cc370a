import ProctorBase
import ProctorHTTP
import ProctorNTLM
import ProctorServer
import ProctorServing
import ProctorTestWire
import Testing

@testable import ProctorJournal

/// NTLM whose last message is verified, bound to its connection.
struct NTLMGuardTests {
    private func yaml(_ scheme: String = "ntlm", more: String = "") -> String {
        """
        summary: guarded
        guards: { lab: { users: { user: pass }, schemes: [\(scheme)]\(more) } }
        auth: lab
        exchanges: [{ request: GET /a, reply: { status: 200, body: content } }]
        """
    }

    /// One client of one connection.
    private struct Client {
        let wire: Wire
        let field: String
        let answer: String
        var session = NTLMSession()

        init(_ wire: Wire, isProxy: Bool = false) {
            self.wire = wire
            field = isProxy ? "Proxy-Authorization" : "Authorization"
            answer = isProxy ? "Proxy-Authenticate" : "WWW-Authenticate"
        }

        mutating func first() throws -> String {
            let reply = try wire.ask("GET /a", line("pass"))
            let text = try #require(reply.values(answer).first { $0.hasPrefix("NTLM ") }).dropFirst(5)
            let token: NTLMServerToken = try #require(NTLMServerToken(String(text)))
            session.receive(token)
            return reply
        }

        mutating func line(_ password: String) -> String {
            let value = session.fieldValue(user: "user", password: password) ?? []
            return "\(field): \(String(decoding: value, as: UTF8.self))"
        }
    }

    @Test func `two messages open the connection, and a third request needs none`() async throws {
        try await withRun(yaml()) { run in
            let got = try await talk(to: run.base) { wire in
                var client = Client(wire)
                let asked = try wire.ask("GET /a")
                return [
                    asked, try client.first(), try wire.ask("GET /a", client.line("pass")), try wire.ask("GET /a"),
                ]
            }
            #expect(got.map(\.status) == [401, 401, 200, 200])
            #expect(got[0].values("WWW-Authenticate") == ["NTLM"])
            let verdicts = run.journal.verdicts
            #expect(verdicts.map(\.outcome) == [.challenged, .continued, .admitted, .admitted])
            #expect(verdicts[2].user == "user" && verdicts[2].faults.isEmpty && verdicts[2].remarks.isEmpty)
            #expect(verdicts[1].message?.hasPrefix("type 1: flags 0x") == true)
            #expect(verdicts[2].message?.contains("user \"user\"") == true)
        }
    }

    @Test func `a proxy asks in its own fields`() async throws {
        try await withRun(yaml(more: ", proxy: true")) { run in
            let statuses = try await talk(to: run.base) { wire in
                var client = Client(wire, isProxy: true)
                return [
                    try wire.ask("GET /a").status, try client.first().status,
                    try wire.ask("GET /a", client.line("pass")).status,
                ]
            }
            #expect(statuses == [407, 407, 200])
        }
    }

    @Test func `a wrong password is refused, and the challenge can't be answered twice`() async throws {
        try await withRun(yaml()) { run in
            let statuses = try await talk(to: run.base) { wire in
                var client = Client(wire)
                _ = try client.first()
                let last = client.line("no")
                return [try wire.ask("GET /a", last).status, try wire.ask("GET /a", last).status]
            }
            #expect(statuses == [401, 401])
            #expect(
                run.journal.verdicts.flatMap(\.faults).map(\.kind) == [.wrongResponse, .wrongConnection])
        }
    }

    @Test func `the last message on another connection is told from a wrong password`() async throws {
        try await withRun(yaml()) { run in
            let base = run.base
            let status = try await talk(to: base) { wire in
                let other = try Wire(to: base)
                defer { other.close() }
                var client = Client(wire)
                _ = try client.first()
                return try other.ask("GET /a", client.line("pass")).status
            }
            #expect(status == 401)
            #expect(run.journal.verdicts.last?.faults.map(\.kind) == [.wrongConnection])
        }
    }

    @Test func `a challenge has what the scenario says`() async throws {
        try await withRun(yaml("ntlm: { challenge: 0123456789ABCDEF, target: Süd, time: true, spelled: ntlm }")) {
            run in
            let text = try await talk(to: run.base) { wire in
                var session = NTLMSession()
                let value = String(decoding: session.fieldValue(user: "", password: "") ?? [], as: UTF8.self)
                return try wire.ask("GET /a", "Authorization: \(value)").values("WWW-Authenticate").joined()
            }
            #expect(text.hasPrefix("ntlm "))
            let reading = NTLMReader.read(try Base64Text.decode(Array(text.dropFirst(5).utf8)))
            guard case .challenge(let challenge)? = reading.message else {
                Issue.record("\(reading)")
                return
            }
            #expect(reading.violations.isEmpty)
            #expect(challenge.nonce == [0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF])
            #expect(challenge.target == "Süd" && challenge.info[.time]?.count == 8)
            #expect(
                challenge.flags.contains([.unicode, .ntlm, .targetInfo]) && !challenge.flags.contains(.keyExchange))
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let value: String
        let kinds: [CredentialFault.Kind]
        var testDescription: String { value }
    }

    @Test(arguments: [
        Row(value: "NTLM", kinds: [.malformedField]),
        Row(value: "NTLM a=b", kinds: [.malformedField]),
        Row(value: "NTLM AAA-", kinds: [.malformedBase64]),
        Row(value: "NTLM AAAA", kinds: [.malformedMessage]),
        Row(value: "NTLM TlRMTVNTUAABAAAA", kinds: [.malformedMessage]),
        Row(value: "NTLM TlRMTVNTUAACAAAA", kinds: [.malformedMessage]),
        Row(value: "NTLM TlRMTVNTUAABAAAAAAAAAA==", kinds: [.malformedMessage, .malformedMessage]),
        Row(value: "Negotiate AAAA", kinds: [.wrongScheme]),
    ])
    func `what can't be read is told with its place`(row: Row) async throws {
        try await withRun(yaml()) { run in
            let status = try await talk(to: run.base) { try $0.ask("GET /a", "Authorization: \(row.value)").status }
            #expect(status == 401)
            let faults = run.journal.verdicts.flatMap(\.faults)
            #expect(faults.map(\.kind) == row.kinds)
            for fault in faults where fault.kind == .malformedMessage { #expect(fault.sentence.hasPrefix("at byte ")) }
        }
    }
}
