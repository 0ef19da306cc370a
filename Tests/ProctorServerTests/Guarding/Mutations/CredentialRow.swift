import ProctorHTTP
import ProctorServer
import ProctorTestWire
import Testing

@testable import ProctorJournal

/// A Basic or Bearer credential that is a little wrong, or only looks so.
struct CredentialRow: Sendable, CustomTestStringConvertible {
    let name: String
    let section: String
    /// Field lines of the request.
    let lines: [String]
    let status: Int
    let kinds: [CredentialFault.Kind]
    /// Words of the sentence.
    let says: [String]
    /// The request-target.
    let target: String

    init(
        _ name: String, _ section: String, lines: String..., status: Int = 401,
        faults kinds: [CredentialFault.Kind] = [],
        says: [String] = [], target: String = "/a"
    ) {
        self.name = name
        self.section = section
        self.lines = lines
        self.status = status
        self.kinds = kinds
        self.says = says
        self.target = target
    }

    var testDescription: String { name }

    static let basicScenario = """
        summary: A guard for Basic
        tolerates: none
        guards:
          lab:
            users: { user: "pa:ss", "": nobody, "Jäsøn Doe": "Secret, or not?" }
            schemes: [basic: { charset: UTF-8 }]
        auth: lab
        exchanges:
          - { request: "* /*", reply: { status: 200, body: open } }
        """

    /// `user:pa:ss` is `dXNlcjpwYTpzcw==`.
    static let basic: [CredentialRow] = [
        CredentialRow("as it should be", "RFC 7617 §2", lines: "Authorization: Basic dXNlcjpwYTpzcw==", status: 200),
        CredentialRow(
            "scheme in other case", "RFC 9110 §11.1", lines: "authorization: bASIC dXNlcjpwYTpzcw==", status: 200),
        CredentialRow(
            "several blanks", "RFC 9110 §11.4", lines: "Authorization: Basic   dXNlcjpwYTpzcw==", status: 200),
        CredentialRow("an empty user", "RFC 7617 §2", lines: "Authorization: Basic Om5vYm9keQ==", status: 200),
        CredentialRow(
            "UTF-8 beyond ASCII", "RFC 7617 §2.1", lines: "Authorization: Basic SsOkc8O4biBEb2U6U2VjcmV0LCBvciBub3Q/",
            status: 200),
        CredentialRow(
            "cut at the second colon", "RFC 7617 §2", lines: "Authorization: Basic dXNlcjpwYQ==",
            faults: [.wrongPassword],
            says: ["user"]),
        CredentialRow(
            "an unknown user", "RFC 7617 §2", lines: "Authorization: Basic dTpwYTpzcw==", faults: [.unknownUser],
            says: ["\"u\""]),
        CredentialRow(
            "no colon", "RFC 7617 §2", lines: "Authorization: Basic dXNlcg==", faults: [.missingColon], says: ["colon"]),
        CredentialRow(
            "half a group of Base64", "RFC 7617 §2", lines: "Authorization: Basic dXNlcjpwYTpzcw",
            faults: [.malformedBase64],
            says: ["padding", "14"]),
        CredentialRow(
            "not encoded at all", "RFC 7617 §2", lines: "Authorization: Basic user:pa:ss", faults: [.malformedBase64],
            says: [":"]),
        CredentialRow(
            "nothing behind the scheme", "RFC 7617 §2", lines: "Authorization: Basic", faults: [.malformedField]),
        CredentialRow(
            "a control character", "RFC 7617 §2", lines: "Authorization: Basic dXNlcjpwYQdzcw==",
            faults: [.controlCharacter, .wrongPassword]),
        CredentialRow(
            "Latin-1 in the place of UTF-8", "RFC 7617 §2.1",
            lines: "Authorization: Basic SuRz+G4gRG9lOlNlY3JldCwgb3Igbm90Pw==", faults: [.wrongCharset], says: ["UTF-8"]
        ),
        CredentialRow(
            "two fields", "RFC 9110 §5.3", lines: "Authorization: Basic dXNlcjpwYTpzcw==",
            "Authorization: Basic dXNlcjpwYTpzcw==", faults: [.severalFields], says: ["2"]),
        CredentialRow(
            "parameters in place of the token", "RFC 7617 §2",
            lines: "Authorization: Basic user=\"user\", password=\"pa:ss\"",
            faults: [.malformedBase64]),
    ]

    static let bearerScenario = """
        summary: A guard for Bearer
        tolerates: none
        guards:
          lab:
            tokens: [{ token: mF_9.B5f-4.1JqM, scope: "read write" }, { token: old, scope: read, expired: true }, { token: small, scope: write }]
            schemes: [bearer: { scope: read, in: [header, query] }]
        auth: lab
        exchanges:
          - { request: "* /*", reply: { status: 200, body: open } }
        """

    static let bearer: [CredentialRow] = [
        CredentialRow("as it should be", "RFC 6750 §2.1", lines: "Authorization: Bearer mF_9.B5f-4.1JqM", status: 200),
        CredentialRow(
            "scheme in other case", "RFC 9110 §11.1", lines: "Authorization: bearer mF_9.B5f-4.1JqM", status: 200),
        CredentialRow("in the query", "RFC 6750 §2.3", status: 200, target: "/a?access_token=mF_9.B5f-4.1JqM"),
        CredentialRow(
            "an unknown token", "RFC 6750 §3.1", lines: "Authorization: Bearer mF_9.B5f-4.1JqN", faults: [.unknownToken]
        ),
        CredentialRow("an expired token", "RFC 6750 §3.1", lines: "Authorization: Bearer old", faults: [.expiredToken]),
        CredentialRow(
            "too small a scope", "RFC 6750 §3.1", lines: "Authorization: Bearer small", status: 403,
            faults: [.insufficientScope],
            says: ["read"]),
        CredentialRow(
            "a token in quotes", "RFC 6750 §2.1", lines: "Authorization: Bearer \"mF_9.B5f-4.1JqM\"", status: 400,
            faults: [.malformedToken], says: ["b64token"]),
        CredentialRow(
            "no token", "RFC 6750 §2.1", lines: "Authorization: Bearer", status: 400, faults: [.malformedToken]),
        CredentialRow(
            "a token and another", "RFC 6750 §2.1", lines: "Authorization: Bearer mF_9.B5f-4.1JqM old", status: 400,
            faults: [.malformedToken]),
        CredentialRow(
            "in two places", "RFC 6750 §2", lines: "Authorization: Bearer mF_9.B5f-4.1JqM", status: 400,
            faults: [.tokenSentTwice],
            target: "/a?access_token=mF_9.B5f-4.1JqM"),
        CredentialRow(
            "Basic where only Bearer is offered", "RFC 9110 §11.6.2", lines: "Authorization: Basic dXNlcjpwYTpzcw==",
            faults: [.wrongScheme], says: ["Basic", "Bearer"]),
    ]
}

/// Credentials of the schemes that compute nothing.
struct `Mutated Basic and Bearer credentials` {
    @Test(arguments: CredentialRow.basic)
    func `Basic is judged by its rules`(row: CredentialRow) async throws {
        try await Self.judge(row, CredentialRow.basicScenario)
    }

    @Test(arguments: CredentialRow.bearer)
    func `Bearer is judged by its rules`(row: CredentialRow) async throws {
        try await Self.judge(row, CredentialRow.bearerScenario)
    }

    private static func judge(_ row: CredentialRow, _ scenario: String) async throws {
        try await withRun(scenario) { run in
            let head = (["GET \(row.target) HTTP/1.1", "Host: a"] + row.lines).joined(separator: "\r\n") + "\r\n\r\n"
            let reply = try await exchange(head, with: run.base)
            let faults = run.journal.verdicts.flatMap(\.faults)
            let sentences = faults.map(\.description).joined(separator: "\n")
            #expect(reply.text.hasPrefix("HTTP/1.1 \(row.status) "), "\(sentences)")
            #expect(faults.map(\.kind) == row.kinds, "\(sentences)")
            for word in row.says {
                #expect(sentences.contains(word), "the sentence should speak of '\(word)': \(sentences)")
            }
            #expect(row.kinds.isEmpty || sentences.contains(row.section), "\(sentences)")
        }
    }
}
