import ProctorBase
import ProctorFixtures
import ProctorHTTP
import ProctorJournal
import ProctorScenario
import Testing

@testable import ProctorEvents
@testable import ProctorGrading

/// Snapshots of whole timelines.
struct TimelineTests {
    static let trace =
        "resume +4 redirect(302){to=/b} answer(refuse){to=redirect} +2 response(302) answer(allow){to=response} "
        + "data{n=1} data{n=1} data{n=1} complete(ok)"

    static func journal() throws -> [JournalEntry] {
        var script = try JournalScript.opened("GET /a", after: 2)
        script.add(.exchangeChosen(exchange: 0, turn: 0), request: 0)
        script.wait(milliseconds: 1)
        script.add(.replySent(status: 302, byteCount: 90), request: 0)
        script.wait(milliseconds: 20)
        script.close()
        return script.entries
    }

    static func evidence(isMonotonic: Bool = true, journal: [JournalEntry]? = nil) throws -> CaseEvidence {
        CaseEvidence(events: try TraceScript.events(trace, isMonotonic: isMonotonic), journal: journal)
    }

    static func verdict(_ evidence: CaseEvidence, task: String) throws -> CaseVerdict {
        CaseGrader(try makeCase(lanes: ["task": task]), scenario: "a").grade(evidence)
    }

    @Test func `wire, callbacks and harness stand in columns, and the first divergence is marked`() throws {
        let evidence = try Self.evidence(journal: try Self.journal())
        let verdict = try Self.verdict(evidence, task: "redirect(302) response(200) data+ complete(ok)")
        #expect(
            Timeline(evidence, verdict: verdict).description == """
                      ms  wire                                                callbacks      harness
                   0.000                                                                     resume
                   1.000  c0 opened by 127.0.0.1:50 to 127.0.0.1:8088 (main)
                   1.000  c0 GET /a HTTP/1.1, 1 field
                   2.000  c0 replied 302, 90 bytes
                   5.000                                                      redirect(302)
                   6.000                                                                     answer(refuse)
                ▶  9.000                                                      response(302)   wanted: response(200)
                  10.000                                                                     answer(allow)
                  11.000                                                      data×3
                  14.000                                                      complete(ok)
                  22.000  c0 closed by the client
                """)
    }

    @Test func `a timeline that costs more than its budget says so in one line`() throws {
        let evidence = try Self.evidence(journal: try Self.journal())
        #expect(
            Timeline(evidence, within: WorkBudget(stepLimit: 10)).lines
                == [
                    "there is no timeline: it takes more than 10 steps, which is the bound; give a shorter trace or journal"
                ])
        let budget = WorkBudget()
        #expect(Timeline(evidence, within: budget).lines == Timeline(evidence).lines)
        #expect(budget.stepCount > 10)
    }

    @Test func `a guard's verdict stands in the wire's column, and its faults below it over the whole line`() throws {
        var script = JournalScript()
        script.wait(milliseconds: 2)
        try script.guarded(
            "GET /a",
            .judging(.refused, attempt: 1, scheme: "Digest", user: "user", nc: 1, faults: [.wrongURI, .wrongResponse]))
        let evidence = CaseEvidence(events: try TraceScript.events("resume complete(ok)"), journal: script.entries)
        let lines = Timeline(evidence).lines
        let place = try #require(lines.firstIndex { $0.contains("c0 guard lab refuses Digest credential 1") })
        #expect(
            lines[(place + 1)...].prefix(2) == [
                #"  … c0 uri is "/b", and the request-target is "/a" (RFC 7616 §3.4.6)"#,
                "  … c0 expected response aa, received bb, computed with the wrong uri (RFC 7616 §3.4.1)",
            ])
        #expect(Timeline(evidence, width: 60).lines.allSatisfy { $0.count <= 60 })
    }

    @Test func `a missing event is marked behind the last line`() throws {
        let evidence = try Self.evidence()
        let verdict = try Self.verdict(evidence, task: "redirect(302) response(302) data+ complete(ok) metrics")
        #expect(
            Timeline(evidence, verdict: verdict).lines.suffix(2) == [
                "  14.000        complete(ok)", "▶               the end   wanted: metrics",
            ])
    }

    @Test func `a crash is the last line`() throws {
        var evidence = CaseEvidence(events: try TraceScript.events("resume redirect(302)"))
        evidence.ending = .crashed(signal: "SIGILL", lastErrorLine: nil)
        let verdict = try Self.verdict(evidence, task: "redirect(302) complete(ok)")
        #expect(
            Timeline(evidence, verdict: verdict).description == """
                     ms  wire  callbacks      harness
                  0.000                       resume
                  1.000        redirect(302)
                ▶              crash: SIGILL   wanted: its end
                """)
    }

    @Test func `a trace of another clock is not mixed with the wire`() throws {
        let evidence = try Self.evidence(isMonotonic: false, journal: try Self.journal())
        let lines = Timeline(evidence).lines
        #expect(lines.contains("  … the trace has no times of the server's clock:"))
        let note = try #require(lines.firstIndex { $0.hasPrefix("  … the trace has") })
        #expect(lines[..<note].allSatisfy { !$0.contains("GET /a") })
        #expect(lines[note...].contains { $0.hasPrefix("   0.000  c0 GET /a") })
        #expect(lines[1].hasPrefix("   0.000  "))
    }

    @Test func `lanes are named when there are several`() throws {
        let evidence = CaseEvidence(
            events: try TraceScript.events(
                "resume [1]resume response(200) [1]response(204) session:sessionInvalid handler(ok)"))
        #expect(
            Timeline(evidence).description == """
                     ms  wire  callbacks               harness
                  0.000                                resume
                  1.000                                [1] resume
                  2.000        task response(200)
                  3.000        task[1] response(204)
                  4.000        session sessionInvalid
                  5.000        handler handler(ok)
                """)
    }

    @Test func `a wrong request is marked in the wire's column`() throws {
        let evidence = try Self.evidence(journal: try Self.journal())
        let item = try makeCase(wire: "request(GET /z)")
        let verdict = CaseGrader(item, scenario: "a").grade(evidence)
        let line = try #require(Timeline(evidence, verdict: verdict).lines.first { $0.hasPrefix("▶") })
        #expect(line.hasPrefix("▶  1.000  c0 GET /a HTTP/1.1, 1 field"))
        #expect(line.hasSuffix("   wanted: GET /z"))
    }

    @Test func `the middle of a long timeline is left out, but not the marked line`() throws {
        let texts = (0..<500).map { "response(\(200 + $0 % 100))" }.joined(separator: " ")
        let evidence = CaseEvidence(events: try TraceScript.events("resume \(texts) complete(ok)"))
        let item = try makeCase(lanes: ["task": "response{250} data complete(ok)"])
        let verdict = CaseGrader(item, scenario: "a").grade(evidence)
        // Other rules break earlier, so that the test sets the mark itself.
        let marked = CaseVerdict(
            id: verdict.id, kind: .must, outcome: .fail,
            findings: verdict.findings.filter { if case .expression = $0.subject { true } else { false } })
        for limit in [20, 60, 200] {
            let lines = Timeline(evidence, verdict: marked, limit: limit).lines
            #expect(lines.count <= limit)
            #expect(lines.contains { $0.hasPrefix("▶ ") && $0.hasSuffix("wanted: data") })
            #expect(lines.filter { $0.hasSuffix("lines left out") }.count == 2)
            #expect(lines.last?.contains("complete(ok)") == true)
        }
        #expect(Timeline(evidence, limit: 10_000).lines.count == 503)
    }

    @Test func `no line is wider than asked, and no bound is broken`() throws {
        let long = String(repeating: "x", count: 500)
        let evidence = CaseEvidence(
            events: try TraceScript.events("resume challenge(\(long)) answer(\(long)) complete(ok)"),
            journal: try JournalScript.requests("GET /\(long)"))
        let item = try makeCase(lanes: ["task": "challenge(basic) complete(ok)"])
        let verdict = CaseGrader(item, scenario: "a").grade(evidence)
        for width in [-1, 0, 60, 61, 80, 120, 400, 4_000] {
            let bound = min(max(width, 60), 400)
            let lines = Timeline(evidence, verdict: verdict, width: width, limit: -1).lines
            #expect(lines.allSatisfy { $0.count <= bound })
            #expect(lines.count <= 20)
        }
    }

    @Test func `bytes of a client cannot control a terminal`() throws {
        var event = try TraceScript.events("resume challenge(x)")
        event[1].argument = "a\u{1B}[2J\u{202E}\nb"
        let text = Timeline(CaseEvidence(events: event)).description
        #expect(text.contains("challenge(a?[2J??b)"))
        #expect(text.split(separator: "\n").count == 3)
    }

    @Test func `an empty timeline is one line`() {
        #expect(Timeline(CaseEvidence()).lines == ["     ms  wire  callbacks  harness"])
        #expect(
            Timeline(CaseEvidence(journal: [], droppedCount: 3)).lines.last == "  … 3 entries of the journal dropped")
    }
}

/// The fields that a timeline shows below a head, because the case speaks of them.
struct ShownFieldsTests {
    private func shown(_ part: String) throws -> ShownFields {
        let yaml = """
            summary: One case
            exchanges: [ { request: GET /, reply: { status: 200 } } ]
            cases: { one: { client: { url: / }, \(part) } }
            """
        let (scenario, diagnostics) = ScenarioLoader.parse(Array(yaml.utf8), id: "a/one", file: "one.yaml")
        return ShownFields(try #require(scenario?.cases.first, "\(diagnostics)"))
    }

    private func head(_ fields: String...) throws -> RequestHead {
        var reader = RequestReader()
        var offset = 0
        let text = (["GET / HTTP/1.1", "Host: a"] + fields + ["", ""]).joined(separator: "\r\n")
        guard case .head(let head)? = reader.next(Array(text.utf8).span, at: &offset) else { throw Unreadable() }
        return head
    }

    private struct Unreadable: Error {}

    private func reply(_ status: Int, _ fields: [(String, String)]) -> SentReply {
        SentReply(
            status: status, fields: FieldSection(fields.map { (Array($0.0.utf8), Array($0.1.utf8)) }), headByteCount: 1,
            content: nil)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let part: String
        let lines: [String]
        var testDescription: String { part }
    }

    @Test(arguments: [
        Row(part: "wire: request(GET /)", lines: []),
        Row(part: #"facts: { "wire[0].headers.x-a": [ "1", "2" ] }"#, lines: ["X-A: 1", "x-a: 2"]),
        Row(part: #"facts: { "wire[0].headers.X-None": null }"#, lines: []),
        Row(part: #"facts: { "wire[0].cookies": [ a ] }"#, lines: ["Cookie: a=1"]),
        Row(part: #"facts: { "wire[0].framing": none }"#, lines: ["Content-Length: 0"]),
        Row(part: #"facts: { "wire[0].authority": null }"#, lines: ["Host: a"]),
    ]) func `request fields that a fact names are shown as they came`(row: Row) throws {
        let head = try head("X-A: 1", "x-a: 2", "Cookie: a=1", "Content-Length: 0", "Accept: */*")
        #expect(try shown(row.part).lines(of: head) == row.lines)
    }

    @Test func `reply fields that lead to the next request are shown`() throws {
        let shown = try shown("wire: request(GET /)")
        let fields = [("Location", "/b"), ("WWW-Authenticate", "Basic"), ("Server", "x")]
        #expect(shown.lines(of: reply(302, fields)) == ["Location: /b"])
        #expect(shown.lines(of: reply(401, fields)) == ["WWW-Authenticate: Basic"])
        #expect(shown.lines(of: reply(200, fields)).isEmpty)
        #expect(ShownFields().lines(of: reply(302, fields)).isEmpty)
    }

    @Test func `many lines are counted`() throws {
        let shown = try shown(#"facts: { "wire[0].headers.X-A": null }"#)
        let lines = shown.lines(of: try head(String(repeating: "X-A: 1\r\n", count: 24) + "X-A: 1"))
        #expect(lines.count == 21 && lines.last == "and 5 more such fields")
    }

    @Test func `fields stand below the head in the journal's own timeline`() throws {
        let shown = try shown(#"facts: { "wire[0].headers.X-A": null }"#)
        let entries = [
            JournalEntry(
                sequence: 3, nanoseconds: 0, connection: 0, request: 0,
                event: .requestHead(try head("X-A: 1"), target: [0x2F]))
        ]
        let lines = WireTimeline(entries, droppedCount: 2, shown: shown).lines
        #expect(lines.count == 3 && lines[0] == "… 2 entries dropped, for want of room")
        #expect(
            lines[1].hasSuffix("GET / HTTP/1.1, 2 fields") && lines[2] == String(repeating: " ", count: 25) + "X-A: 1")
    }
}
