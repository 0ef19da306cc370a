import ProctorHTTP
import ProctorJournal
import ProctorReport
import ProctorScenario
import Testing

@testable import ProctorGrading

/// Every fact of guards and credentials, each with what holds and what does not.
struct GuardFactTests {
    /// A proxy that admits at once, then a guard with a wrong, an old, a skipping and a right credential.
    static func journal() throws -> [JournalEntry] {
        var script = JournalScript.opened()
        try script.guarded(
            "GET /a", .judging(.admitted, by: "proxy", attempt: 1, scheme: "Basic", user: "p"), .judging(.challenged))
        try script.guarded(
            "GET /a",
            fields: [
                #"AUTHORIZATION: Digest username="us\"er", realm="lab", uri="/a", QOP=auth, nc=00000001, nonce="n""#
            ],
            .judging(
                .refused, attempt: 1, scheme: "DIGEST", user: "us\"er", nc: 1, faults: [.wrongURI, .wrongResponse]))
        try script.guarded(
            "GET /a", fields: ["Authorization: Basic dXNlcjpw", "Authorization: Bearer a.b.c"],
            .judging(.stale, attempt: 2, scheme: "Digest", user: "user", nc: 2))
        try script.guarded(
            "GET /a", fields: ["Proxy-Authorization: Negotiate YII="],
            .judging(.admitted, attempt: 3, scheme: "Digest", user: "user", nc: 10, remarks: [.skipped]))
        try script.guarded("GET /free")
        try script.guarded("GET /free", fields: ["Authorization: ", "Authorization: Digest realm=\"open"])
        return script.entries
    }

    static let rows = [
        FactRow("auth.attempts", "4"), FactRow("auth.attempts", "5", fails: "wanted 5, got 4"),
        FactRow("auth[lab].attempts", "3"),
        FactRow("auth[lab].attempts", .range(minimum: 4, maximum: nil), fails: "wanted at least 4, got 3"),
        FactRow("auth[proxy].attempts", "1"), FactRow("auth[other].attempts", "0"),
        FactRow("auth[other].attempts", "1", fails: #"wanted 1, got 0; guard "other" was not asked"#),
        FactRow("auth.failures", "1"), FactRow("auth[proxy].failures", "0"),
        FactRow("auth[proxy].failures", "1", fails: "wanted 1, got 0"), FactRow("auth.challenges", "3"),
        FactRow("auth[proxy].challenges", "0"), FactRow("auth.scheme", "digest"),
        FactRow("auth.scheme", "Digest", fails: #"wanted "Digest", got "digest""#),
        FactRow("auth[proxy].scheme", "basic"), FactRow("auth[other].scheme", .absent),
        FactRow("auth[other].scheme", "basic", fails: #"wanted "basic", got nothing; guard "other" was not asked"#),
        FactRow("auth.user", "user"), FactRow("auth[proxy].user", "p"), FactRow("auth.nc", ["1", "2", "10"]),
        FactRow("auth.nc", ["1", "2", "0000000a"], fails: #"wanted ["1", "2", "0000000a"], got ["1", "2", "10"]"#),
        FactRow("auth[proxy].nc", .absent),
        FactRow("auth[proxy].nc", ["1"], fails: #"wanted ["1"], got nothing; no credential had a nonce count"#),
        FactRow("auth.faults", ["wrong-uri", "wrong-response"]),
        FactRow("auth.faults", "wrong-uri", fails: #"wanted "wrong-uri", got ["wrong-uri", "wrong-response"]"#),
        FactRow("auth[proxy].faults", .absent),
        FactRow("auth[proxy].faults", ["wrong-uri"], fails: #"wanted ["wrong-uri"], got nothing"#),
        FactRow("wire[0].auth", "challenged"), FactRow("wire[1].auth", "refused"), FactRow("wire[2].auth", "stale"),
        FactRow("wire[3].auth", "admitted"),
        FactRow("wire[3].auth", "refused", fails: #"wanted "refused", got "admitted""#),
        FactRow("wire[4].auth", .absent),
        FactRow("wire[4].auth", "admitted", fails: #"wanted "admitted", got nothing; no guard was asked for it"#),
        FactRow("wire[9].auth", "admitted", fails: #"wanted "admitted", got nothing; 6 requests came"#),
        FactRow("wire[1].auth.faults", ["wrong-uri", "wrong-response"]), FactRow("wire[3].auth.faults", .absent),
        FactRow("wire[3].auth.faults", "skipped-nonce-count", fails: #"wanted "skipped-nonce-count", got nothing"#),
        FactRow("wire[1].credentials.scheme", "Digest"), FactRow("wire[1].credentials.username", "us\"er"),
        FactRow("wire[1].credentials.qop", "auth"), FactRow("wire[1].credentials.uri", "/a"),
        FactRow("wire[1].credentials.nc", "00000001"), FactRow("wire[1].credentials.token68", .absent),
        FactRow("wire[1].credentials.opaque", "x", fails: #"wanted "x", got nothing; its Authorization has no opaque"#),
        FactRow("wire[2].credentials.scheme", ["Basic", "Bearer"]),
        FactRow("wire[2].credentials.token68", ["dXNlcjpw", "a.b.c"]),
        FactRow("wire[3].proxy-credentials.scheme", "Negotiate"), FactRow("wire[3].proxy-credentials.token68", "YII="),
        FactRow("wire[3].credentials.scheme", .absent),
        FactRow(
            "wire[3].credentials.scheme", "Basic",
            fails: #"wanted "Basic", got nothing; the request has no Authorization"#),
        FactRow("wire[5].credentials.scheme", "Digest"), FactRow("wire[5].credentials.realm", "open"),
        FactRow(
            "wire[0].proxy-credentials.realm", "x",
            fails: #"wanted "x", got nothing; the request has no Proxy-Authorization"#),
    ]

    @Test(arguments: rows) func `a fact of guards is measured from the journal`(row: FactRow) throws {
        try row.check(try Self.journal())
    }

    @Test func `without a guard nothing is counted, and the reason is said`() throws {
        let journal = try JournalScript.requests("GET /a")
        let facts: [(FactName, Fact.Expectation)] = FactName.GuardFact.allCases.map { fact in
            (.guarding(guardName: nil, fact), "7")
        }
        let sentences = WireGrader(try makeCase(measures: facts)).grade(journal).failures.map(\.sentence)
        #expect(sentences.count == FactName.GuardFact.allCases.count)
        for sentence in sentences { #expect(sentence.hasSuffix("; no guard was asked"), "\(sentence)") }
    }

    @Test func `the reason for a missing value is that no credential came`() throws {
        var script = JournalScript()
        try script.guarded("GET /a", .judging(.challenged))
        let wanted: [(FactName.GuardFact, String)] = [
            (.attempts, "wanted 1, got 0; no credential came"),
            (.scheme, #"wanted "1", got nothing; no credential came"#),
            (.user, #"wanted "1", got nothing; no credential came"#),
            (.nc, #"wanted "1", got nothing; no credential came"#), (.failures, "wanted 1, got 0"),
        ]
        for (fact, sentence) in wanted {
            let item = try makeCase(measures: [(.guarding(guardName: nil, fact), "1")])
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
        try script.guarded("GET /a", .judging(.continued, attempt: 1, scheme: "NTLM"))
        try script.guarded("GET /a", .judging(.admitted, attempt: 2, scheme: "NTLM"))
        try script.guarded("GET /b", .judging(.admitted, attempt: 2))
        try script.guarded("GET /c", .judging(.gaveUp, attempt: 3, scheme: "Basic", faults: [.wrongPassword]))
        let wanted: [(FactName.GuardFact, String)] = [(.attempts, "3"), (.challenges, "1"), (.failures, "1")]
        let item = try makeCase(measures: wanted.map { (.guarding(guardName: "lab", $0.0), .literal($0.1)) })
        #expect(WireGrader(item).grade(script.entries).outcome == .pass)
    }
}

/// What a failed case says of credentials that were refused on the way.
struct RefusedCredentialTests {
    static func journal() throws -> [JournalEntry] {
        var script = JournalScript.opened(after: 2)
        try script.guarded("GET /a", .judging(.challenged), status: 401)
        try script.guarded(
            "GET /a",
            .judging(
                .refused, attempt: 1, scheme: "Digest", user: "user", nc: 1, faults: [.wrongURI, .wrongResponse],
                remarks: [.skipped]), status: 401)
        try script.guarded(
            "GET /a", .judging(.gaveUp, attempt: 2, scheme: "Basic", faults: [.wrongPassword]), status: 403)
        return script.entries
    }

    private static let status: FactName = .client(step: 0, .status)
    private static let trace = "resume +5 response(403) answer(allow) complete(ok) result{status=403}"

    private func verdict(_ facts: [(FactName, Fact.Expectation)], kind: Case.Kind = .must) throws -> CaseVerdict {
        try grade(makeCase(kind: kind, measures: facts), Self.trace, journal: try Self.journal())
    }

    private func refusals(_ verdict: CaseVerdict) -> [Finding] {
        verdict.findings.filter { if case .credential = $0.subject { true } else { false } }
    }

    @Test func `a failed case tells every refused credential with each fault and its section`() throws {
        let verdict = try verdict([(Self.status, "200")])
        #expect(verdict.outcome == .fail)
        let found = refusals(verdict)
        #expect(
            found.map(\.description) == [
                """
                observed: request 1, GET /a: guard lab refuses Digest credential 1 of "user", nc 1: wrong-uri, wrong-response
                  fault   : uri is "/b", and the request-target is "/a" (RFC 7616 §3.4.6)
                            expected response aa, received bb, computed with the wrong uri (RFC 7616 §3.4.1)
                            remark: nc 00000003 follows 00000001 (RFC 7616 §3.4)
                """,
                """
                observed: request 2, GET /a: guard lab refuses Basic credential 2 and asks no more: wrong-password
                  fault   : the password of "user" is not "x" (RFC 7617 §2)
                """,
            ])
        #expect(found.map(\.got) == ["wrong-uri wrong-response", "wrong-password"])
        #expect(found.allSatisfy { $0.weight == .observation && $0.sequence != nil })
        #expect(
            verdict.reason
                == #"the second request, GET /a, had a credential that was refused: uri is "/b", and the request-target is "/a" "#
                + "(RFC 7616 §3.4.6)")
    }

    @Test func `every report has the sentence`() throws {
        let verdict = try verdict([(Self.status, "200")])
        let sentence = "expected response aa, received bb, computed with the wrong uri (RFC 7616 §3.4.1)"
        let report = ExamReport(client: "mine", platform: "neutral", verdicts: [verdict])
        #expect(report.junit.contains(sentence))
        #expect(report.junit.contains("had a credential that was refused: uri is &quot;/b&quot;"))
        #expect(String(decoding: report.jsonLines, as: UTF8.self).contains(sentence))
        #expect(String(decoding: verdict.json, as: UTF8.self).contains(#""about":"credential","weight":"observation""#))
        #expect(verdict.description.contains(sentence))
        #expect(report.summary(width: 1_000).contains("a credential that was refused"))
    }

    @Test func `a case that passes, or asks for exactly these faults, is silent about them`() throws {
        #expect(refusals(try verdict([(Self.status, "403")])).isEmpty)
        let facts: [(FactName, Fact.Expectation)] = [
            (Self.status, "200"),
            (.guarding(guardName: nil, .faults), ["wrong-uri", "wrong-response", "wrong-password"]),
        ]
        let verdict = try verdict(facts)
        #expect(verdict.outcome == .fail && refusals(verdict).isEmpty)
    }

    @Test func `where the case asks for other faults, all faults are named, those of other requests too`() throws {
        let other = try verdict([(.guarding(guardName: "lab", .faults), "wrong-qop")])
        #expect(refusals(other).count == 2)
        let one = try verdict([
            (Self.status, "200"), (.wire(index: 2, .guardFaults), "wrong-password"),
        ])
        #expect(refusals(one).map(\.sequence) == [refusals(other).first?.sequence])
    }

    @Test func `a case that observes names the faults when something differs`() throws {
        let verdict = try verdict([(Self.status, "200")], kind: .observes)
        #expect(verdict.outcome == .observed)
        #expect(refusals(verdict).count == 2)
    }

    @Test func `a verdict from the wire alone names the faults as well`() throws {
        let item = try makeCase(measures: [(.requestCount, "1")])
        let verdict = WireGrader(item).grade(try Self.journal())
        #expect(verdict.description.contains("\n  fault   : uri is \"/b\""))
        #expect(verdict.failures.map(\.sentence) == ["wire.count: wanted 1, got 3"])
    }

    @Test func `a ledger that knows the failure knows the case`() throws {
        let ledger = try LedgerComparisonTests.ledger("facts: [status]")
        let item = try makeCase(measures: [(Self.status, "200")])
        let verdict = try grade(item, Self.trace, journal: try Self.journal(), ledger: ledger)
        #expect(verdict.outcome == .known)
        #expect(refusals(verdict).count == 2)
    }
}
