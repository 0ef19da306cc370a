import ProctorHTTP
import ProctorJournal
import Testing

@testable import ProctorGrading
@testable import ProctorScenario

/// Departures that leave one meaning: remarks of most cases, and failures of those that are about them.
struct ToleranceTests {
    private static let quoted = CredentialFault(
        .wrongQuoting, #"qop="auth" stands in quotes"#, section: "RFC 7616 §3.4")
    private static let separators = CookieDifference(
        .separators, [], sentence: "the Cookie field is malformed at byte 4: nothing stands here",
        section: "RFC 6265 §5.4")

    private func verdict(
        of script: JournalScript, _ untolerated: Set<Departure>, facts: [(String, Fact.Expectation)] = [],
        cookies: Case.CookieDemand? = nil
    ) throws -> WireVerdict {
        var item = try makeCase(facts: facts, cookies: cookies)
        item.untolerated = untolerated
        return WireGrader(item).grade(script.entries)
    }

    private func credential() throws -> JournalScript {
        var script = JournalScript.opened()
        try script.guarded("GET /a", .judging(.challenged), status: 401)
        for _ in 0..<2 {
            try script.guarded(
                "GET /a",
                .judging(.admitted, attempt: 1, scheme: "Digest", user: "user", nc: 1, remarks: [Self.quoted]),
                status: 200)
        }
        return script
    }

    @Test func `a credential with quotes fails the case that is about them, by their kind and section`() throws {
        let found = try verdict(of: try credential(), [.digestQuoting, .cookieSeparators])
        #expect(found.outcome == .fail)
        #expect(found.failures.map(\.sentence) == [#"request 1: qop="auth" stands in quotes (RFC 7616 §3.4)"#])
        #expect(found.failures.map(\.causeKind) == ["credential: wrong-quoting"])
        #expect(found.failures.map(\.sections) == [["RFC 7616 §3.4"]])
    }

    @Test func `a remark explains no other failure`() throws {
        let found = try verdict(of: try credential(), [], facts: [("auth.failures", "1")])
        #expect(found.outcome == .fail)
        #expect(found.findings.root?.causeKind == "fact auth.failures: less")
    }

    private func cookies(_ field: String, _ differences: CookieDifference...) throws -> JournalScript {
        var script = JournalScript.opened()
        try script.judged("GET /set", cookie: nil, nil)
        let right = differences == [Self.separators]
        try script.judged(
            "GET /page", cookie: field,
            CookieVerdict(
                sent: [Array(field.utf8)], expected: Array("a=1".utf8), conformsTo: right ? CookieEdition.allCases : [],
                differences: differences))
        return script
    }

    @Test func `a semicolon at the end is read over, in the cookies and in the field`() throws {
        let script = try cookies("a=1;", Self.separators)
        let fact = [("wire[1].headers.Cookie", Fact.Expectation.literal("a=1"))]
        for order in Case.CookieDemand.Order.allCases {
            let found = try verdict(of: script, [], facts: fact, cookies: Case.CookieDemand(order: order))
            #expect(found.outcome == .pass && found.cookiesBy == CookieEdition.allCases)
            #expect(found.findings.map(\.subject) == [.tolerated(.cookieSeparators)])
        }
        let owner = try verdict(of: script, [.cookieSeparators], facts: fact, cookies: .conforming)
        #expect(owner.failures.map(\.causeKind) == ["fact wire[].cookies", "cookies: separators"])
        #expect(owner.findings.root?.causeKind == "cookies: separators")
    }

    @Test func `a cookie that is missing fails by itself, whatever the form`() throws {
        let found = try verdict(of: try cookies("b=2;", Self.separators, .lost), [], cookies: .conforming)
        #expect(found.failures.map(\.causeKind) == ["cookies: missing"])
        #expect(found.findings.root?.causeKind == "cookies: missing")
    }

    @Test func `what the server reads over fails a case that is about the grammar of requests`() throws {
        let script = try JournalScript.opened("GET /{id}")
        #expect(try verdict(of: script, []).outcome == .pass)
        let found = try verdict(of: script, [.requestGrammar])
        #expect(found.failures.map(\.causeKind) == ["violation illegal-character-in-target"])
    }
}

extension Finding {
    fileprivate var causeKind: String { FailureCause(self, sections: []).kind }
}
