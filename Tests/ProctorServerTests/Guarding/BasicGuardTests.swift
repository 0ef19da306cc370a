import Foundation
import ProctorServer
import ProctorTestWire
import Testing

@testable import ProctorJournal

/// Basic (RFC 7617) before exchanges: admitted requests, challenges, and journal entries.
struct BasicGuardTests {
    private static let right = "Authorization: Basic dXNlcjpwYXNz"
    private static let wrong = "Authorization: Basic dXNlcjpmYWxzZQ=="

    private func yaml(
        _ guardText: String = "", replies: String = "[{ status: 200, body: one }, { status: 200, body: two }]"
    )
        -> String
    {
        """
        summary: guarded
        guards:
          lab:
            users: { user: pass, "": nobody, "Jäsøn": "Secret: or not?" }
            schemes: [basic: { charset: UTF-8 }]
        \(guardText)
        auth: lab
        exchanges:
          - { request: GET /a, reply: \(replies) }
          - { request: GET /open, auth: none, reply: { status: 200, body: open } }
        """
    }

    @Test func `a request without a credential is asked for one and takes no turn`() async throws {
        try await withRun(yaml()) { run in
            let got = try await talk(to: run.base) { wire in
                [
                    try wire.ask("GET /a"), try wire.ask("GET /a", Self.wrong), try wire.ask("GET /a", Self.right),
                    try wire.ask("GET /a", Self.right), try wire.ask("GET /open"),
                    try wire.ask("GET /open", Self.wrong),
                ]
            }
            #expect(got.map(\.status) == [401, 401, 200, 200, 200, 200])
            #expect(got[0].values("WWW-Authenticate") == ["Basic realm=\"lab\", charset=\"UTF-8\""])
            #expect(got[0].hasSuffix("\r\n\r\nthe guard lab asks for credentials\n"))
            #expect(got[2].hasSuffix("one"))
            #expect(got[3].hasSuffix("two"))
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(
                lines.filter { $0.contains(" guard ") || $0.contains(" exchange ") } == [
                    "c0 r0 guard lab challenged", "c0 r1 guard lab refused wrong-password",
                    "c0 r2 guard lab admitted", "c0 r2 exchange 0 turn 0", "c0 r3 guard lab admitted",
                    "c0 r3 exchange 0 turn 1", "c0 r4 exchange 1 turn 0", "c0 r5 exchange 1 turn 0",
                ])
            #expect(run.journal.verdicts.map(\.attempt) == [0, 1, 2, 3])
        }
    }

    @Test(arguments: [
        ("Basic Om5vYm9keQ==", 200), ("basic OnNvbWVib2R5", 401), ("BASIC dXNlcjpwYXNz", 200),
        ("Basic SsOkc8O4bjpTZWNyZXQ6IG9yIG5vdD8=", 200), ("Basic  dXNlcjpwYXNz", 200),
    ])
    func `an empty user, a colon in the password and other letters pass`(field: String, status: Int) async throws {
        try await withRun(yaml()) { run in
            let got = try await exchange(.request("GET /a", "Authorization: \(field)"), with: run.base)
            #expect(got.text.status == status, "\(run.journal.lines)")
        }
    }

    @Test(arguments: [
        ("Authorization: Basic *", "malformed-base64"), ("Authorization: Basic", "malformed-field"),
        ("Authorization: Basic dXNlcjpwYXN", "malformed-base64"),
        ("Authorization: Basic dXNlcg==", "missing-colon"), ("Authorization: Digest a=b", "wrong-scheme"),
        ("Authorization: Bearer x", "wrong-scheme"), ("Authorization: ", "malformed-field"),
        ("Authorization: \u{1F600}", "malformed-field"), ("Authorization: ,,,", "malformed-field"),
        ("Authorization: Basic SuRz+G46U2VjcmV0OiBvciBub3Q/", "wrong-charset"),
        ("Authorization: Basic b3RoZXI6cGFzcw==", "unknown-user"),
        ("Authorization: Basic dXNlcjpwYXNz\r\nAuthorization: Basic dXNlcjpwYXNz", "several-fields"),
    ])
    func `what is wrong with a credential is told`(fields: String, kind: String) async throws {
        try await withRun(yaml()) { run in
            let got = try await exchange(.request("GET /a", fields), with: run.base)
            #expect(got.text.status == 401)
            let lines = run.journal.lines.filter { $0.contains(" guard ") }
            #expect(lines == ["c0 r0 guard lab refused \(kind)"])
        }
    }

    @Test func `hostile bytes in a credential bring a refusal and nothing else`() async throws {
        let hostile: [[UInt8]] = [
            Array(repeating: UInt8(ascii: "="), count: 4_000),
            Array("Digest ".utf8) + Array(repeating: 0x22, count: 99),
            Array("Digest username=\"".utf8) + Array(repeating: 0x5C, count: 101),
            Array("Basic ".utf8) + Array(0x80...0xFF),
            Array("Digest nc=99999999999999999999, qop=auth-int, nonce=, realm==".utf8), Array("Negotiate \"".utf8),
            Array("Digest ".utf8) + Array(repeating: UInt8(ascii: ","), count: 4_000),
            Array(0x21...0xFF).filter { $0 != 0x7F },
        ]
        let schemes = "[basic, digest: { qop: [auth, auth-int] }, bearer: {}, ntlm: { offer-only: [TlRM] }]"
        let text = yaml().replacing(
            "schemes: [basic: { charset: UTF-8 }]", with: "tokens: [T]\n    schemes: \(schemes)")
        try await withRun(text) { run in
            let statuses = try await talk(to: run.base) { wire in
                try hostile.map { bytes in
                    try wire.send(
                        Array("GET /a HTTP/1.1\r\nHost: a\r\nAuthorization: ".utf8) + bytes + Array("\r\n\r\n".utf8))
                    return try wire.readReply().status
                }
            }
            #expect(statuses.allSatisfy { $0 == 401 || $0 == 400 }, "\(statuses)")
            #expect(statuses.count == hostile.count)
        }
    }
}
