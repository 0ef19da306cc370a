import ProctorDocument
import ProctorEvents
import ProctorHTTP
import ProctorJournal
import ProctorNotation
import ProctorScenario
import ProctorTestSupport
import Testing

@testable import ProctorGrading

/// Proposed expressions, and that each accepts what it was made from.
struct ExpressionRecorderTests {
    static func proposals(_ trace: String) throws -> [String: String] {
        Dictionary(
            uniqueKeysWithValues: ExpressionRecorder.proposals(for: try TraceScript.events(trace)).map {
                ($0.key, $0.text)
            }
        )
    }

    @Test(arguments: [
        ("resume redirect(302) response(200) data data complete(ok)", "redirect(302) response(200) data+ complete(ok)"),
        ("created response(200) data bodySent metrics complete(ok)", "response(200) data+ complete(ok)"),
        (
            "redirect(302) redirect(302) redirect(302) complete(tooManyRedirects)",
            "redirect(302){3} complete(tooManyRedirects)"
        ),
        (
            "response(200) data response(200) data data response(200) data complete(ok)",
            "(response(200) data+){3} complete(ok)"
        ),
        // Twice is no period.
        ("response(200) data response(200) data complete(ok)", "response(200) data+ response(200) data+ complete(ok)"),
        ("challenge(basic) challenge(a|b) complete(error)", #"challenge(basic) challenge("a|b") complete("error")"#),
        ("response(abc) complete(ok)", "response complete(ok)"),
        ("response(200) /response(200) data /data complete(ok)", "response(200) data+ complete(ok)"),
    ]) func `a lane becomes an expression`(trace: String, expected: String) throws {
        #expect(try Self.proposals(trace) == ["task": expected])
    }

    @Test func `each lane has its own`() throws {
        let trace =
            "p.canInit p.init resume [1]resume p.start response(200) [1]response(204) [1]complete(ok) complete(ok) "
            + "p.stop handler(ok) [2]awaited(timedOut) invalidate(finish) sessionInvalid"
        #expect(
            ExpressionRecorder.proposals(
                for: try TraceScript.events(trace), journal: try JournalScript.requests("GET /a", "GET /a")
            ).map { "\($0.key): \($0.text)" } == [
                "wire: request(GET /a){2}", "task: response(200) complete(ok)", "task[1]: response(204) complete(ok)",
                "session: sessionInvalid", "proto: p.init p.start p.stop", "handler: handler(ok)",
                "handler[2]: awaited(timedOut)",
            ])
    }

    @Test func `a download is proposed as one`() throws {
        var events = try TraceScript.events("progress progress fileReady complete(ok)")
        events[0].family = .sessionDownload
        #expect(
            ExpressionRecorder.proposals(for: events) == [
                ExpressionRecorder.Proposal(key: "download", text: "progress+ fileReady complete(ok)")
            ])
    }

    @Test func `a lane with only ambient events gives no proposal`() throws {
        #expect(try Self.proposals("created resume metrics") == [:])
        #expect(ExpressionRecorder.proposals(for: []).isEmpty)
    }

    @Test func `a long lane keeps its beginning and its end`() throws {
        let trace = (0..<900).map { "response(\(200 + $0 * 7 % 300))" }.joined(separator: " ")
        let events = try TraceScript.events(trace)
        let text = try #require(ExpressionRecorder.proposals(for: events).first?.text)
        #expect(text.split(separator: " ").count == ExpressionRecorder.mostGroups + 1)
        #expect(try Notation(parsing: text, lane: .task).diagnosis(of: events.map(\.symbol), terminals: []) == nil)
    }

    @Test(arguments: 0..<UInt64(Extent.count(200))) func `a proposal accepts the trace it came from`(seed: UInt64)
        throws
    {
        var generator = SeededGenerator(seed: seed)
        let alphabet = [
            "redirect(302)", "response(200)", "response(x)", "data", "data", "progress", "challenge(a|b)",
            "challenge(basic)", "challenge(\u{1})", "complete(ok)", "complete(error)", "complete(a\"b\\)", "metrics",
            "created", "needBodyStream",
        ]
        var texts: [String] = []
        for _ in 0..<Int.random(in: 1...40, using: &generator) {
            let piece = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
                alphabet.randomElement(using: &generator) ?? "data"
            }
            for _ in 0..<Int.random(in: 1...5, using: &generator) { texts += piece }
        }
        let events = try TraceScript.events(texts.joined(separator: " "))
        for proposal in ExpressionRecorder.proposals(for: events) {
            let notation = try Notation(parsing: proposal.text, lane: .task)
            let diagnosis = notation.diagnosis(of: events.map(\.symbol), ignoring: EventVocabulary.ambientNames)
            #expect(diagnosis == nil, "\(proposal.text)")
            // And as it would stand in a file.
            let (root, diagnostics) = Self.read("case:\n" + proposal.yaml + "\n")
            #expect(diagnostics.isEmpty)
            #expect(root?.entries?.first?.value.entries?.first?.value.text == proposal.text)
        }
    }

    private static func read(_ text: String) -> (Node?, [Diagnostic]) {
        let document = Document.parse(Array(text.utf8), file: "a.yaml")
        return (document.root, document.diagnostics)
    }

    @Test func `the lines can be pasted below a case`() throws {
        let text = ExpressionRecorder.yaml(
            ExpressionRecorder.proposals(
                for: try TraceScript.events("challenge(a:\u{20}b) complete(ok)".replacing(" b", with: "b")),
                journal: try JournalScript.requests("GET /a")))
        #expect(text == "    wire: request(GET /a)\n    task: challenge(a:b) complete(ok)\n")
    }

    @Test(arguments: [
        "plain", "a: b", "a #b", "#a", "a:", "(a){3}", #""a""#, "tab\t", "line\nfeed", "\u{7}", "é\u{2028}\u{FEFF}x",
        "'", "a ",
    ]) func `any text is one scalar`(text: String) {
        let (root, diagnostics) = Self.read("k: \(YAMLText.scalar(text))\n")
        #expect(diagnostics.isEmpty)
        #expect(root?.entries?.first?.value.text == text)
    }
}

/// What may differ between sittings with other slices, and what may not.
struct ResliceComparisonTests {
    /// The second origin's port begins like the first one's, or not.
    private func context(_ port: Int) -> TemplateContext {
        TemplateContext(
            base: Array("http://127.0.0.1:\(port)".utf8),
            authorities: [Array("127.0.0.1:\(port)".utf8), Array("127.0.0.1:\(port == 4_000 ? 40_009 : 6_000)".utf8)])
    }

    private func evidence(_ trace: String, _ requests: [String] = [], ending: ClientEnding = .finished) throws
        -> CaseEvidence
    {
        var script = JournalScript.opened()
        for line in requests { try script.request(line) }
        return CaseEvidence(events: try TraceScript.events(trace), journal: script.entries, ending: ending)
    }

    private func differences(_ first: CaseEvidence, _ second: CaseEvidence) -> [String] {
        ResliceComparison(first, context: context(4_000)).findings(seed: 7, second, context: context(5_000)).map(
            \.sentence)
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
    ]) func `counts of bytes' events, the ambient and what a broken load had may differ`(first: String, second: String)
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

    @Test func `a lane that only one run has differs from an empty one`() throws {
        let (before, after) = (try evidence("resume"), try evidence("resume handler(ok)"))
        #expect(
            differences(before, after) == [
                "with other slices (seed 7) the callbacks of handler were 'handler(ok)' and not 'nothing'"
            ])
    }

    @Test func `the run's own ports are no difference, other ports are`() throws {
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
        var script = JournalScript.opened()
        try script.guarded("GET /a", .judging(.challenged), status: 401)
        let faults = outcome == .refused ? [CredentialFault.wrongResponse] : []
        try script.guarded(
            "GET /a",
            fields: [
                #"Authorization: Digest username="u", realm="lab", nonce="\#(nonce)", uri="/a", qop=auth, "#
                    + #"nc=0000000\#(nc), cnonce="c\#(nonce)", response="\#(nonce)f0", opaque="o\#(nonce)""#
            ], .judging(outcome, attempt: 1, scheme: "Digest", user: "u", nc: nc, faults: faults), status: 200)
        return CaseEvidence(
            events: try TraceScript.events("challenge(digest) response(200) complete(ok)"), journal: script.entries)
    }

    @Test func `nonces and what is computed from them differ from run to run`() throws {
        let (before, after) = (try digest("a1"), try digest("77"))
        #expect(differences(before, after) == [])
    }

    @Test func `verdicts of guards must be the same in every run`() throws {
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
            verdict.addDifferences([])
            #expect(verdict.outcome != .fail && verdict.invitesReslicing)
            verdict.addDifferences(findings)
            #expect(verdict.outcome == outcome)
            let last = try #require(verdict.findings.last)
            #expect(last.weight == weight && last.isRecommendation == (kind == .should))
            #expect(verdict.invitesReslicing == (kind == .observes))
        }
    }
}
