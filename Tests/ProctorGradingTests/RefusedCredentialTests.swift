import ProctorHTTP
import ProctorScenario
import ProctorTrace
import Testing

@testable import ProctorGrading

/// What a failed case says of credentials that were refused on the way.
struct RefusedCredentialTests {
    static func journal() throws -> [JournalEntry] {
        var script = JournalScript()
        script.wait(milliseconds: 2)
        script.open()
        try script.guarded("GET /a", .of(.challenged), status: 401)
        try script.guarded(
            "GET /a",
            .of(
                .refused, attempt: 1, scheme: "Digest", user: "user", nc: 1, faults: [.wrongURI, .wrongResponse],
                remarks: [.skipped]), status: 401)
        try script.guarded(
            "GET /a", .of(.gaveUp, attempt: 2, scheme: "Basic", faults: [.wrongPassword]), status: 403)
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
        let verdict = try verdict([(Self.status, .literal("200"))])
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
                == "status: wanted 200, got 403; a credential was refused: uri is \"/b\", and the request-target is \"/a\" "
                + "(RFC 7616 §3.4.6)")
    }

    @Test func `every report has the sentence`() throws {
        let verdict = try verdict([(Self.status, .literal("200"))])
        let sentence = "expected response aa, received bb, computed with the wrong uri (RFC 7616 §3.4.1)"
        let report = ExamReport(client: "mine", platform: "neutral", verdicts: [verdict])
        #expect(report.junit.contains(sentence))
        #expect(report.junit.contains("a credential was refused: uri is &quot;/b&quot;"))
        #expect(String(decoding: report.jsonLines, as: UTF8.self).contains(sentence))
        #expect(String(decoding: verdict.json, as: UTF8.self).contains(#""about":"credential","weight":"observation""#))
        #expect(verdict.description.contains(sentence))
        #expect(report.summary(width: 1_000).contains("a credential was refused"))
    }

    @Test func `a case that passes, or asks for exactly these faults, is silent about them`() throws {
        #expect(refusals(try verdict([(Self.status, .literal("403"))])).isEmpty)
        let wanted = (FactName.guarding(guardName: nil, .faults), ["wrong-uri", "wrong-response", "wrong-password"])
        let facts: [(FactName, Fact.Expectation)] = [
            (Self.status, .literal("200")), (wanted.0, .literals(wanted.1[0], wanted.1[1], wanted.1[2])),
        ]
        let verdict = try verdict(facts)
        #expect(verdict.outcome == .fail && refusals(verdict).isEmpty)
    }

    @Test func `faults that were asked for and were others are told, those of other requests too`() throws {
        let other = try verdict([(.guarding(guardName: "lab", .faults), .literal("wrong-qop"))])
        #expect(refusals(other).count == 2)
        let one = try verdict([
            (Self.status, .literal("200")), (.wire(index: 2, .guardFaults), .literal("wrong-password")),
        ])
        #expect(refusals(one).map(\.sequence) == [refusals(other).first?.sequence])
    }

    @Test func `a case that observes tells them when something was otherwise`() throws {
        let verdict = try verdict([(Self.status, .literal("200"))], kind: .observes)
        #expect(verdict.outcome == .observed)
        #expect(refusals(verdict).count == 2)
    }

    @Test func `the wire alone tells them as well`() throws {
        let item = try makeCase(measures: [(.requestCount, .literal("1"))])
        let verdict = WireGrader(item).grade(try Self.journal())
        #expect(verdict.description.contains("\n  fault   : uri is \"/b\""))
        #expect(verdict.failures.map(\.sentence) == ["wire.count: wanted 1, got 3"])
    }

    @Test func `a ledger that knows the failure knows the case`() throws {
        let ledger = try LedgerComparisonTests.ledger("facts: [status]")
        let item = try makeCase(measures: [(Self.status, .literal("200"))])
        let verdict = try grade(item, Self.trace, journal: try Self.journal(), ledger: ledger)
        #expect(verdict.outcome == .known)
        #expect(refusals(verdict).count == 2)
    }
}
