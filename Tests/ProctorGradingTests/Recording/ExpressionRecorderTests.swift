import ProctorDocument
import ProctorEvents
import ProctorNotation
import ProctorTestSupport
import Testing

@testable import ProctorGrading

/// Proposed expressions, and that each accepts what it was made from.
struct ExpressionRecorderTests {
    static func proposals(_ trace: String) throws -> [String: String] {
        Dictionary(
            uniqueKeysWithValues: ExpressionRecorder.proposals(for: try TraceScript.of(trace)).map { ($0.key, $0.text) }
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
    ])
    func `a lane becomes an expression`(trace: String, expected: String) throws {
        #expect(try Self.proposals(trace) == ["task": expected])
    }

    @Test func `each lane has its own`() throws {
        let trace =
            "p.canInit p.init resume [1]resume p.start response(200) [1]response(204) [1]complete(ok) complete(ok) "
            + "p.stop handler(ok) [2]awaited(timedOut) invalidate(finish) sessionInvalid"
        #expect(
            ExpressionRecorder.proposals(
                for: try TraceScript.of(trace), journal: try JournalScript.of("GET /a", "GET /a")
            )
            .map { "\($0.key): \($0.text)" } == [
                "wire: request(GET /a){2}", "task: response(200) complete(ok)", "task[1]: response(204) complete(ok)",
                "session: sessionInvalid", "proto: p.init p.start p.stop", "handler: handler(ok)",
                "handler[2]: awaited(timedOut)",
            ])
    }

    @Test func `a download is proposed as one`() throws {
        var events = try TraceScript.of("progress progress fileReady complete(ok)")
        events[0].family = .sessionDownload
        #expect(
            ExpressionRecorder.proposals(for: events)
                == [ExpressionRecorder.Proposal(key: "download", text: "progress+ fileReady complete(ok)")])
    }

    @Test func `where only the ambient happened nothing is proposed`() throws {
        #expect(try Self.proposals("created resume metrics") == [:])
        #expect(ExpressionRecorder.proposals(for: []).isEmpty)
    }

    @Test func `a long lane keeps its beginning and its end`() throws {
        let trace = (0..<900).map { "response(\(200 + $0 * 7 % 300))" }.joined(separator: " ")
        let events = try TraceScript.of(trace)
        let text = try #require(ExpressionRecorder.proposals(for: events).first?.text)
        #expect(text.split(separator: " ").count == ExpressionRecorder.mostGroups + 1)
        #expect(try Notation(parsing: text, lane: .task).diagnosis(of: events.map(\.symbol), terminals: []) == nil)
    }

    @Test(arguments: 0..<UInt64(Extent.count(200)))
    func `a proposal accepts the trace it came from`(seed: UInt64) throws {
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
        let events = try TraceScript.of(texts.joined(separator: " "))
        for proposal in ExpressionRecorder.proposals(for: events) {
            let notation = try Notation(parsing: proposal.text, lane: .task)
            let diagnosis = notation.diagnosis(
                of: events.map(\.symbol), ignoring: EventVocabulary.ambientNames)
            #expect(diagnosis == nil, "\(proposal.text)")
            // And as it would stand in a file.
            let (root, diagnostics) = Self.read("case:\n" + proposal.yaml(indentation: 2) + "\n")
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
                for: try TraceScript.of("challenge(a:\u{20}b) complete(ok)".replacing(" b", with: "b")),
                journal: try JournalScript.of("GET /a")))
        #expect(text == "    wire: request(GET /a)\n    task: challenge(a:b) complete(ok)\n")
    }

    @Test(arguments: [
        "plain", "a: b", "a #b", "#a", "a:", "(a){3}", "\"a\"", "tab\t", "line\nfeed", "\u{7}", "é\u{2028}\u{FEFF}x",
        "'", "a ",
    ])
    func `any text is one scalar`(text: String) {
        let (root, diagnostics) = Self.read("k: \(YAMLText.scalar(text))\n")
        #expect(diagnostics.isEmpty)
        #expect(root?.entries?.first?.value.text == text)
    }
}
