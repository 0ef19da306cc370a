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

    @Test func `without a guard nothing is counted, and the reason is said`() throws {
        let journal = try JournalScript.requests("GET /a")
        let facts: [(FactName, Fact.Expectation)] = FactName.GuardFact.allCases.map { fact in
            (.guarding(guardName: nil, fact), "7")
        }
        let sentences = WireGrader(try makeCase(measures: facts)).grade(journal).failures.map(\.sentence)
        #expect(sentences.count == FactName.GuardFact.allCases.count)
        for sentence in sentences { #expect(sentence.hasSuffix("; no guard was asked"), "\(sentence)") }
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
}
