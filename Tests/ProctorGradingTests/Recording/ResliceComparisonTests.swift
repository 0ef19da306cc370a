import ProctorHTTP
import ProctorJournal
import ProctorScenario
import Testing

@testable import ProctorGrading

/// What may differ between sittings with other slices, and what may not.
struct ResliceComparisonTests {
    /// The second origin's port begins like the first one's, or not.
    private func context(_ port: Int) -> TemplateContext {
        TemplateContext(
            base: Array("http://127.0.0.1:\(port)".utf8),
            authorities: [Array("127.0.0.1:\(port)".utf8), Array("127.0.0.1:\(port == 4_000 ? 40_009 : 6_000)".utf8)])
    }

    private func evidence(
        _ trace: String, _ requests: [String] = [], ending: ClientEnding = .finished
    ) throws -> CaseEvidence {
        var script = JournalScript()
        script.open()
        for line in requests { try script.request(line) }
        return CaseEvidence(events: try TraceScript.of(trace), journal: script.entries, ending: ending)
    }

    private func differences(_ first: CaseEvidence, _ second: CaseEvidence) -> [String] {
        ResliceComparison(first, context: context(4_000)).findings(seed: 7, second, context: context(5_000))
            .map(\.sentence)
    }

    @Test(arguments: [
        ("resume response(200) data complete(ok)", "resume response(200) data data data complete(ok)"),
        ("progress fileReady complete(ok)", "progress progress created fileReady metrics complete(ok)"),
        (
            "response(200) data complete(ok) result{status=200,bytes=5,body=hello,url=a}",
            "response(200) data data complete(ok) result{status=200,bytes=5,body=hello,url=b}"
        ),
        (
            "response(200) data complete(cancelled) result{status=200,error=cancelled,bytes=3}",
            "response(200) data data complete(cancelled) result{status=200,error=cancelled,bytes=4}"
        ),
    ])
    func `counts of bytes' events, the ambient and what a broken load had may differ`(first: String, second: String)
        throws
    {
        let (before, after) = (try evidence(first), try evidence(second))
        #expect(differences(before, after) == [])
    }

    @Test func `another order, result, request or end is told with both sides`() throws {
        let first = try evidence("response(200) data complete(ok) result{status=200,bytes=5}", ["GET /a", "GET /b"])
        let second = try evidence(
            "data response(200) complete(ok) result{status=200,bytes=4}", ["GET /a"],
            ending: .crashed(signal: "SIGILL", lastErrorLine: nil))
        #expect(
            differences(first, second) == [
                "with other slices (seed 7) the client's process was 'crashed' and not 'finished'",
                "with other slices (seed 7) the requests were 'request(GET /a)' and not "
                    + "'request(GET /a) request(GET /b)'",
                "with other slices (seed 7) the callbacks of task were 'data+ response(200) complete(ok)' and not "
                    + "'response(200) data+ complete(ok)'",
                "with other slices (seed 7) the result of step 0 was 'status=200 bytes=4' and not "
                    + "'status=200 bytes=5'",
            ])
    }

    @Test func `a lane that is there only once differs from nothing`() throws {
        let (before, after) = (try evidence("resume"), try evidence("resume handler(ok)"))
        #expect(
            differences(before, after) == [
                "with other slices (seed 7) the callbacks of handler were 'handler(ok)' and not 'nothing'"
            ])
    }

    @Test func `ports of the run are no difference, those of others are`() throws {
        let first = try evidence("", ["GET http://127.0.0.1:4000/a", "GET http://127.0.0.1:40009/b"])
        let same = try evidence("", ["GET http://127.0.0.1:5000/a", "GET http://127.0.0.1:6000/b"])
        let other = try evidence("", ["GET http://127.0.0.1:6000/a", "GET http://127.0.0.1:5000/b"])
        #expect(differences(first, same) == [])
        #expect(differences(first, other).count == 1)
    }

    /// A challenge and its answer, as one run of a Digest guard brings them.
    private func digest(_ nonce: String, nc: UInt32 = 1, _ outcome: GuardVerdict.Outcome = .admitted) throws
        -> CaseEvidence
    {
        var script = JournalScript()
        script.open()
        try script.guarded("GET /a", .of(.challenged), status: 401)
        let faults = outcome == .refused ? [CredentialFault.wrongResponse] : []
        try script.guarded(
            "GET /a",
            fields: [
                "Authorization: Digest username=\"u\", realm=\"lab\", nonce=\"\(nonce)\", uri=\"/a\", qop=auth, "
                    + "nc=0000000\(nc), cnonce=\"c\(nonce)\", response=\"\(nonce)f0\", opaque=\"o\(nonce)\""
            ],
            .of(outcome, attempt: 1, scheme: "Digest", user: "u", nc: nc, faults: faults), status: 200)
        return CaseEvidence(
            events: try TraceScript.of("challenge(digest) response(200) complete(ok)"), journal: script.entries)
    }

    @Test func `nonces and what is computed from them differ from run to run`() throws {
        let (before, after) = (try digest("a1"), try digest("77"))
        #expect(differences(before, after) == [])
    }

    @Test func `what guards made of the credentials does not`() throws {
        let (before, other, refused) = (try digest("a1"), try digest("77", nc: 2), try digest("78", .refused))
        #expect(
            differences(before, other) == [
                "with other slices (seed 7) the word of guard lab was 'challenged, admitted nc 2' and not "
                    + "'challenged, admitted nc 1'"
            ])
        #expect(
            differences(before, refused) == [
                "with other slices (seed 7) the word of guard lab was 'challenged, refused nc 1 wrong-response' and not "
                    + "'challenged, admitted nc 1'"
            ])
    }

    @Test func `findings fail a case that passed, are told of one that observes, and should stays should`() throws {
        let first = try evidence("response(200) complete(ok)")
        let findings = ResliceComparison(first, context: context(4_000)).findings(
            seed: 7, try evidence("complete(ok)"), context: context(5_000))
        for (kind, outcome, weight) in [
            (Case.Kind.must, CaseVerdict.Outcome.fail, Finding.Weight.failure), (.should, .fail, .failure),
            (.observes, .observed, .observation),
        ] {
            var verdict = try grade(makeCase(kind: kind), "resume response(200) answer(allow) data complete(ok)")
            #expect(verdict.invitesReslicing)
            verdict.take([])
            #expect(verdict.outcome != .fail && verdict.invitesReslicing)
            verdict.take(findings)
            #expect(verdict.outcome == outcome)
            let last = try #require(verdict.findings.last)
            #expect(last.weight == weight && last.isRecommendation == (kind == .should))
            #expect(verdict.invitesReslicing == (kind == .observes))
        }
    }
}
