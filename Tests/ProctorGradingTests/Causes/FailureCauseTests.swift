import ProctorBase
import ProctorHTTP
import ProctorJournal
import ProctorScenario
import Testing

@testable import ProctorEvents
@testable import ProctorGrading

/// The key of why a case failed: the same for one departure, whatever case shows it.
struct FailureCauseTests {
    /// A case that wants these requests, and its journal of others.
    private func key(wanting wire: String, _ lines: String..., spec: [String] = []) throws -> String? {
        var journal = JournalScript.opened()
        for line in lines { try journal.request(line) }
        let evidence = CaseEvidence.ofCommand(journal.entries, result: nil)
        return CaseGrader(try makeCase(spec: spec, wire: wire), scenario: "a").grade(evidence).cause?.key
    }

    @Test(
        arguments: [
            ("request(GET /a)", "GET /b", "requests: another path"),
            ("request(GET /c?x=1)", "GET /d?x=1", "requests: another path"),
            ("request(GET /a?)", "GET /a", "requests: another query"),
            ("request(GET /a)", "HEAD /a", "requests: another method"),
            ("request(GET /a)", "POST /b", "requests: another request"),
            ("request(GET /a)", "GET http://x/a", "requests: another form of target"),
            ("request(GET http://h:1/a)", "GET http://h:2/a", "requests: another authority"),
            ("request(GET /a|GET /b)", "POST /b", "requests: another method"),
        ])
    func `of a request the part that differs counts, and not its text`(wire: String, line: String, wanted: String)
        throws
    {
        #expect(try key(wanting: wire, line) == wanted)
    }

    @Test func `a request too many, one that is missing, and bad syntax of a target have keys of their own`() throws {
        #expect(try key(wanting: "request(GET /a)", "GET /a", "GET /b") == "requests: got request, wanted the end")
        #expect(try key(wanting: "request(GET /a) request(GET /b)", "GET /a") == "requests: ended without request")
        #expect(try key(wanting: "request(GET /a)", "GET /a#b") == "violation fragment-in-target")
    }

    @Test func `the same request has one key, whether an expression refuses it or no exchange answers it`() throws {
        var journal = try JournalScript.opened("GET /b")
        journal.add(.missed(Miss(nearestExchange: 3, differences: ["target: wanted /z, got /b"])), request: 0)
        let evidence = CaseEvidence.ofCommand(journal.entries, result: nil)
        let both = CaseGrader(try makeCase(wire: "request(GET /a)"), scenario: "a").grade(evidence)
        #expect(both.cause?.key == "requests: another path")
        // The sentence names the miss.
        #expect(both.sentence?.hasPrefix("the first request was GET /b; wanted") == true)
        #expect(both.findings.root?.request == Finding.Request(number: 0, name: "GET /b"))
        let alone = CaseGrader(try makeCase(), scenario: "a").grade(evidence)
        #expect(alone.cause?.key == "requests: another target")
    }

    @Test(
        arguments: [
            ("a.miss", "turns: it was already used once", "requests: one too often"),
            ("b.miss", "order: it comes later", "requests: one too early"),
            ("c.miss", "header Accept: wanted \"x\", got none", "requests: another header Accept"),
        ])
    func `a request that no exchange answers is told by what differs first`(
        name: String, difference: String, wanted: String
    ) throws {
        var journal = try JournalScript.opened("GET /b")
        journal.add(.missed(Miss(nearestExchange: 0, differences: [difference])), request: 0)
        let evidence = CaseEvidence.ofCommand(journal.entries, result: nil)
        #expect(CaseGrader(try makeCase(), scenario: name).grade(evidence).cause?.key == wanted)
    }

    @Test(
        arguments: [
            ("complete(error)", "status=200,bytes=1", "wanted an error, got ok"),
            (
                "challenge(serverTrust)+ response(200) data* complete(error)", "status=200,bytes=1",
                "wanted an error, got ok"
            ),
            ("response(200) data+ complete(ok)", "error=cannotConnect", "wanted ok, got an error"),
            ("redirect(302) response(204) complete(ok)", "error=unknown", "wanted ok, got an error"),
            ("response(200) data+ complete(ok)", "error=timedOut", "wanted ok, got a timeout"),
            (
                "informational(103)? response(200) data+ complete(ok)", "status=103,bytes=0",
                "an interim response for the final one"
            ),
            ("informational(103)? complete(error)", "status=103,bytes=0", "an interim response for the final one"),
            ("challenge(basic) response(200) data+ complete(ok)", "status=401,bytes=1", "a challenge is not answered"),
            ("redirect(302) response(200) data+ complete(ok)", "status=302,bytes=0", "a redirect is not followed"),
            ("response(200) data+ complete(ok)", "status=404,bytes=1", "wanted another status"),
            ("response(200) data+ complete(ok)", "status=200,bytes=0", "wanted content, got none"),
            ("response(200) complete(ok)", "status=200,bytes=5", "wanted no content, got some"),
        ])
    func `of the end of a load its kind counts`(expression: String, result: String, wanted: String) throws {
        let item = try makeCase(spec: ["RFC 9112 §7.1.1"], lanes: ["task": expression], asksReply: true)
        let verdict = try grade(item, "resume result{\(result)}", lanes: [.harness], abilities: [])
        let apart = wanted.hasPrefix("an interim") ? "" : " · RFC 9112 §7.1"
        #expect(verdict.cause?.key == "end of a load: \(wanted)\(apart)", "\(verdict)")
    }

    @Test(
        arguments: [
            ("wire[1].headers.Accept", Fact.Expectation.absent, "fact wire[].headers.Accept: unwanted"),
            ("wire[0].headers.Te", "a", "fact wire[].headers.Te: missing"),
            ("wire[0].headers.Accept", "a", "fact wire[].headers.Accept"),
            ("wire[0].target", "/b?made-up.name=1", "requests: another path"),
            ("wire[0].target", "/a", "requests: another query"),
            ("wire[0].method", "PUT", "requests: another method"),
            ("wire.count", "1", "fact wire.count: more"),
            ("wire.count", .range(minimum: 3, maximum: nil), "fact wire.count: less"),
            ("wire[0].query.made-up.name", "2", "fact wire[].query"),
            ("wire[0].cookies.a", .absent, "fact wire[].cookies: unwanted"),
            ("wire[0].headers.cookie", .absent, "fact wire[].cookies: unwanted"),
        ] as [(String, Fact.Expectation, String)])
    func `of a fact its name counts, and how it departs`(name: String, wanted: Fact.Expectation, key: String) throws {
        var journal = JournalScript.opened()
        for _ in 0..<2 {
            try journal.request("GET /a?made-up.name=1", fields: ["Host: x", "Accept: b", "Cookie: a=1"])
        }
        let item = try makeCase(facts: [(name, wanted)])
        let evidence = CaseEvidence.ofCommand(journal.entries, result: nil)
        #expect(CaseGrader(item, scenario: "a").grade(evidence).cause?.key == key)
    }

    @Test func `a fact about cookies has the key of what is wrong with them`() throws {
        let gone = CookieDifference(.expired, Array("a".utf8), sentence: "its time is over", section: "RFC 6265 §5.3")
        var journal = try JournalScript.opened("GET /a")
        try journal.request("GET /b", fields: ["Host: x", "Cookie: a=1"])
        journal.add(
            .cookiesJudged(
                CookieVerdict(sent: [Array("a=1".utf8)], expected: nil, conformsTo: [], differences: [gone])),
            request: 1)
        let evidence = CaseEvidence.ofCommand(journal.entries, result: nil)
        for name in ["wire[1].cookies.a", "wire[1].headers.Cookie", "wire[1].cookies"] {
            let verdict = CaseGrader(try makeCase(facts: [(name, .absent)]), scenario: "a").grade(evidence)
            #expect(verdict.cause?.key == "cookies: expired", "\(name)")
            #expect(verdict.causeSections == ["RFC 6265 §5.3"])
        }
    }

    @Test func `a fact about violations has the key of the violation`() throws {
        let journal = try JournalScript.opened("GET /a#b")
        let evidence = CaseEvidence.ofCommand(journal.entries, result: nil)
        let item = try makeCase(facts: [("wire[0].violations", .absent)])
        #expect(CaseGrader(item, scenario: "a").grade(evidence).cause?.key == "violation fragment-in-target")
    }

    @Test func `the root of an order of callbacks is the rule that broke there`() throws {
        let verdict = try grade(
            try makeCase(lanes: ["task": "response(200) data complete(ok)"]),
            "resume data{n=1} response(200) complete(ok)")
        let other = try grade(
            try makeCase(lanes: ["task": "response(200) complete(ok)"]),
            "resume data{n=1} response(200) complete(ok)")
        #expect(verdict.cause == other.cause)
        #expect(verdict.cause?.key.wholeMatch(of: /R\d+ .*/) != nil, "\(verdict)")
    }

    @Test func `a crash is told apart by where it came`() throws {
        let item = try makeCase(lanes: ["task": "response(200) complete(ok)"])
        let early = try grade(item, "resume", ending: .crashed(signal: "SIGILL", lastErrorLine: "main.swift:3: boom"))
        let later = try grade(item, "resume response(200)", ending: .crashed(signal: "SIGILL", lastErrorLine: nil))
        #expect(early.cause?.key == "crash by SIGILL · before any callback")
        #expect(later.cause?.key == "crash by SIGILL · after response")
        #expect(early.cause?.kind == later.cause?.kind)
    }

    @Test(
        arguments: [
            ("RFC 9112 §7.1.1", "RFC 9112 §7.1"), ("RFC 9112 §8", "RFC 9112 §8"), ("RFC 3986 §5.4.2", "RFC 3986 §5"),
            ("RFC 9110 §11.6.1", "RFC 9110 §11"), ("RFC 9110 §5.6.1.2", "RFC 9110 §5.6"),
            ("callback rule R12", "callback rule R12"), ("URL Standard, path state", "URL Standard, path state"),
        ])
    func `a section is cut to its topic`(section: String, topic: String) {
        #expect(FailureCause.topic(of: section) == topic)
    }

    @Test(
        arguments: [
            ("end of a load: wanted an error, got ok · RFC 9112 §8", "A load succeeded that had to fail (RFC 9112 §8)"),
            ("requests: another path · RFC 3986 §5", "A request had another path than was wanted (RFC 3986 §5)"),
            ("credential: wrong-quoting", "A credential was refused: wrong quoting"),
            ("fact wire[].headers.Te: missing", "The field Te of a request is missing"),
            ("fact wire[].query", "Wire[].query has not the value that was wanted"),
            ("fact status", "The status that the client reports has not the value that was wanted"),
            ("lane task: got data, wanted response", "Callbacks of task: got data, wanted response"),
            ("R12 challenge instead of response", "R12 challenge instead of response"),
        ])
    func `a key is told in words`(key: String, sentence: String) {
        let cause = FailureCause(key: key)
        #expect(cause.sentence == sentence)
    }

    @Test func `every kind of end has words`() {
        for end in Finding.EndMismatch.allCases {
            let cause = FailureCause(key: "end of a load: \(end.rawValue)")
            #expect(!cause.sentence.hasPrefix("End of a load"), "\(end)")
        }
    }

    @Test func `that two reports of the recorder differ stands behind what the server's bytes show`() throws {
        var own = Finding(subject: .content(field: "crc32"), sentence: "the result has other bytes there")
        own.isOfOwnReports = true
        let shown = Finding(subject: .fact(try FactName(parsing: "body")), sentence: "body: wanted a, got b")
        #expect([own, shown].root == shown && [own].root == own)
    }
}
