import ProctorProgram
import ProctorScenario
import Testing

struct TrustAssignmentTests {
    private static let alice = Assignment.Identity(
        name: "alice", certificate: "/ca/alice.pem", key: "/ca/alice.key", pkcs12: "/ca/alice.p12",
        passphrase: "proctor")

    private func assignment(_ client: String, trust: TrustFiles?) throws -> Assignment {
        let scenario = try load(
            """
            summary: s
            origins: { main: { scheme: https }, plain: {} }
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: \(client) } }
            """)
        let context = TemplateContext(
            base: Array("https://127.0.0.1:1".utf8), authorities: ["127.0.0.1:1".bytes, "127.0.0.1:2".bytes],
            schemes: scenario.origins.map(\.scheme), trust: trust)
        return try #require(scenario.cases.first).assignment(scenario: "a/b", run: "r1", in: context)
    }

    private let files = TrustFiles(authority: "/ca/ca.pem", identities: ["alice": alice])

    @Test func `origins have the schemes of their own`() throws {
        let made = try assignment(
            #"[{ url: /a }, { url: "{{origin.plain}}/b" }, { url: "{{origin.main}}/c" }]"#, trust: files)
        #expect(made.steps.map(\.url) == ["https://127.0.0.1:1/a", "http://127.0.0.1:2/b", "https://127.0.0.1:1/c"])
    }

    @Test func `the authority is trusted unless the session says otherwise`() throws {
        #expect(try assignment("{ url: /a }", trust: files).session.trust == "/ca/ca.pem")
        #expect(
            try assignment("{ url: /a, session: { trust: authority } }", trust: files).session.trust == "/ca/ca.pem")
        #expect(try assignment("{ url: /a, session: { trust: none } }", trust: files).session.trust == nil)
        #expect(try assignment("{ url: /a }", trust: nil).session.trust == nil)
    }

    @Test func `an identity comes with its files, for the session and as an answer`() throws {
        let made = try assignment(
            "{ url: /a, onChallenge: [trust, { identity: alice }, default], session: { identity: alice } }",
            trust: files)
        #expect(made.session.identity == Self.alice)
        #expect(
            made.steps[0].onChallenge == [.trust, .identity(Self.alice), .performDefault])
    }
}
