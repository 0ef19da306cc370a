import ProctorScenario
import ProctorTrace
import Testing

@testable import ProctorGrading

/// Every fact of guards and credentials, each with what holds and what does not.
struct GuardFactTests {
    struct Row: CustomTestStringConvertible {
        let name: FactName
        let expected: Fact.Expectation
        /// nil when it holds, else what the finding says behind the name.
        let complaint: String?

        init(_ name: FactName, _ expected: Fact.Expectation, _ complaint: String? = nil) {
            self.name = name
            self.expected = expected
            self.complaint = complaint
        }

        init(_ fact: FactName.GuardFact, _ expected: Fact.Expectation, _ complaint: String? = nil) {
            self.init(.guarding(guardName: nil, fact), expected, complaint)
        }

        init(_ guardName: String, _ fact: FactName.GuardFact, _ expected: Fact.Expectation, _ complaint: String? = nil)
        {
            self.init(.guarding(guardName: guardName, fact), expected, complaint)
        }

        init(_ index: Int, _ fact: FactName.WireFact, _ expected: Fact.Expectation, _ complaint: String? = nil) {
            self.init(.wire(index: index, fact), expected, complaint)
        }

        var testDescription: String { "\(name.text) \(expected)" }
    }

    /// A proxy that admits at once, then a guard with a wrong, an old, a skipping and a right credential.
    static func journal() throws -> [JournalEntry] {
        var script = JournalScript()
        script.open()
        try script.guarded(
            "GET /a", .of(.admitted, by: "proxy", attempt: 1, scheme: "Basic", user: "p"), .of(.challenged))
        try script.guarded(
            "GET /a",
            fields: [
                "AUTHORIZATION: Digest username=\"us\\\"er\", realm=\"lab\", uri=\"/a\", QOP=auth, nc=00000001, nonce=\"n\""
            ],
            .of(
                .refused, attempt: 1, scheme: "DIGEST", user: "us\"er", nc: 1, faults: [.wrongURI, .wrongResponse]))
        try script.guarded(
            "GET /a", fields: ["Authorization: Basic dXNlcjpw", "Authorization: Bearer a.b.c"],
            .of(.stale, attempt: 2, scheme: "Digest", user: "user", nc: 2))
        try script.guarded(
            "GET /a", fields: ["Proxy-Authorization: Negotiate YII="],
            .of(.admitted, attempt: 3, scheme: "Digest", user: "user", nc: 10, remarks: [.skipped]))
        try script.guarded("GET /free")
        try script.guarded("GET /free", fields: ["Authorization: ", "Authorization: Digest realm=\"open"])
        return script.entries
    }

    static let rows: [Row] = [
        Row(.attempts, .literal("4")),
        Row(.attempts, .literal("5"), "wanted 5, got 4"),
        Row("lab", .attempts, .literal("3")),
        Row("lab", .attempts, .range(minimum: 4, maximum: nil), "wanted at least 4, got 3"),
        Row("proxy", .attempts, .literal("1")),
        Row("other", .attempts, .literal("0")),
        Row("other", .attempts, .literal("1"), #"wanted 1, got 0; guard "other" was not asked"#),
        Row(.failures, .literal("1")),
        Row("proxy", .failures, .literal("0")),
        Row("proxy", .failures, .literal("1"), "wanted 1, got 0"),
        Row(.challenges, .literal("3")),
        Row("proxy", .challenges, .literal("0")),
        Row(.scheme, .literal("digest")),
        Row(.scheme, .literal("Digest"), #"wanted "Digest", got "digest""#),
        Row("proxy", .scheme, .literal("basic")),
        Row("other", .scheme, .absent),
        Row("other", .scheme, .literal("basic"), #"wanted "basic", got nothing; guard "other" was not asked"#),
        Row(.user, .literal("user")),
        Row("proxy", .user, .literal("p")),
        Row(.nc, .literals("1", "2", "10")),
        Row(.nc, .literals("1", "2", "0000000a"), #"wanted ["1", "2", "0000000a"], got ["1", "2", "10"]"#),
        Row("proxy", .nc, .absent),
        Row("proxy", .nc, .literals("1"), #"wanted ["1"], got nothing; no credential had a nonce count"#),
        Row(.faults, .literals("wrong-uri", "wrong-response")),
        Row(.faults, .literal("wrong-uri"), #"wanted "wrong-uri", got ["wrong-uri", "wrong-response"]"#),
        Row("proxy", .faults, .absent),
        Row("proxy", .faults, .literals("wrong-uri"), #"wanted ["wrong-uri"], got nothing"#),
        Row(0, .guardOutcome, .literal("challenged")),
        Row(1, .guardOutcome, .literal("refused")),
        Row(2, .guardOutcome, .literal("stale")),
        Row(3, .guardOutcome, .literal("admitted")),
        Row(3, .guardOutcome, .literal("refused"), #"wanted "refused", got "admitted""#),
        Row(4, .guardOutcome, .absent),
        Row(4, .guardOutcome, .literal("admitted"), #"wanted "admitted", got nothing; no guard was asked for it"#),
        Row(9, .guardOutcome, .literal("admitted"), #"wanted "admitted", got nothing; 6 requests came"#),
        Row(1, .guardFaults, .literals("wrong-uri", "wrong-response")),
        Row(3, .guardFaults, .absent),
        Row(3, .guardFaults, .literal("skipped-nonce-count"), #"wanted "skipped-nonce-count", got nothing"#),
        Row(1, .credentials("scheme", isProxy: false), .literal("Digest")),
        Row(1, .credentials("username", isProxy: false), .literal("us\"er")),
        Row(1, .credentials("qop", isProxy: false), .literal("auth")),
        Row(1, .credentials("uri", isProxy: false), .literal("/a")),
        Row(1, .credentials("nc", isProxy: false), .literal("00000001")),
        Row(1, .credentials("token68", isProxy: false), .absent),
        Row(
            1, .credentials("opaque", isProxy: false), .literal("x"),
            #"wanted "x", got nothing; its Authorization has no opaque"#),
        Row(2, .credentials("scheme", isProxy: false), .literals("Basic", "Bearer")),
        Row(2, .credentials("token68", isProxy: false), .literals("dXNlcjpw", "a.b.c")),
        Row(3, .credentials("scheme", isProxy: true), .literal("Negotiate")),
        Row(3, .credentials("token68", isProxy: true), .literal("YII=")),
        Row(3, .credentials("scheme", isProxy: false), .absent),
        Row(
            3, .credentials("scheme", isProxy: false), .literal("Basic"),
            #"wanted "Basic", got nothing; the request has no Authorization"#),
        Row(5, .credentials("scheme", isProxy: false), .literal("Digest")),
        Row(5, .credentials("realm", isProxy: false), .literal("open")),
        Row(
            0, .credentials("realm", isProxy: true), .literal("x"),
            #"wanted "x", got nothing; the request has no Proxy-Authorization"#),
    ]

    @Test(arguments: rows)
    func `a fact of guards is measured from the journal`(row: Row) throws {
        let verdict = WireGrader(try makeCase(measures: [(row.name, row.expected)])).grade(try Self.journal())
        #expect(verdict.failures.map(\.sentence) == (row.complaint.map { ["\(row.name.text): \($0)"] } ?? []))
        #expect(verdict.undecidedFactCount == 0)
    }

    @Test func `without a guard nothing is counted, and the reason is said`() throws {
        let journal = try JournalScript.of("GET /a")
        let facts: [(FactName, Fact.Expectation)] = FactName.GuardFact.allCases.map { fact in
            (.guarding(guardName: nil, fact), .literal("7"))
        }
        let sentences = WireGrader(try makeCase(measures: facts)).grade(journal).failures.map(\.sentence)
        #expect(sentences.count == FactName.GuardFact.allCases.count)
        for sentence in sentences { #expect(sentence.hasSuffix("; no guard was asked"), "\(sentence)") }
    }

    @Test func `where no credential came, that is the reason`() throws {
        var script = JournalScript()
        try script.guarded("GET /a", .of(.challenged))
        let wanted: [(FactName.GuardFact, String)] = [
            (.attempts, "wanted 1, got 0; no credential came"),
            (.scheme, "wanted \"1\", got nothing; no credential came"),
            (.user, "wanted \"1\", got nothing; no credential came"),
            (.nc, "wanted \"1\", got nothing; no credential came"), (.failures, "wanted 1, got 0"),
        ]
        for (fact, sentence) in wanted {
            let item = try makeCase(measures: [(.guarding(guardName: nil, fact), .literal("1"))])
            #expect(
                WireGrader(item).grade(script.entries).failures.map(\.sentence) == [
                    "auth.\(fact.rawValue): \(sentence)"
                ])
        }
    }

    @Test func `a connection that was admitted before is no attempt, and giving up is a failure that asks nothing`()
        throws
    {
        var script = JournalScript()
        try script.guarded("GET /a", .of(.continued, attempt: 1, scheme: "NTLM"))
        try script.guarded("GET /a", .of(.admitted, attempt: 2, scheme: "NTLM"))
        try script.guarded("GET /b", .of(.admitted, attempt: 2))
        try script.guarded("GET /c", .of(.gaveUp, attempt: 3, scheme: "Basic", faults: [.wrongPassword]))
        let wanted: [(FactName.GuardFact, String)] = [(.attempts, "3"), (.challenges, "1"), (.failures, "1")]
        let item = try makeCase(
            measures: wanted.map { (.guarding(guardName: "lab", $0.0), .literal($0.1)) })
        #expect(WireGrader(item).grade(script.entries).outcome == .pass)
    }
}
