import ProctorBase
import ProctorEvents
import ProctorRules
import ProctorScenario
import Testing

@testable import ProctorGrading
@testable import ProctorNotation

/// What a ledger makes of whole cases: known, fixed, or neither.
struct LedgerComparisonTests {
    static let early = "resume data{n=1} response(200) complete(ok)"
    static let good = "resume response(200) data{n=1} complete(ok)"
    static let crash = ClientEnding.crashed(signal: "SIGILL", lastErrorLine: nil)

    static func ledger(_ entry: String, rules: String = "{}", id: String = "redirect/302#follow") throws -> Ledger {
        try LedgerTests.ledger(
            """
            client: urlsession
            rules: \(rules)
            deviations:
              \(id): { because: so it is, \(entry) }
            """)
    }

    struct Row: CustomTestStringConvertible {
        let trace: String
        let entry: String
        let outcome: CaseVerdict.Outcome
        var ending = ClientEnding.finished
        var note: String?

        var testDescription: String { "\(entry) | \(trace)" }
    }

    static let fixedLane = "task no longer deviates: remove its entry (clients/curl.yaml:4:3)"

    static let rows: [Row] = [
        Row(trace: early, entry: "rules: [R25]", outcome: .known, note: "so it is"),
        Row(
            trace: early, entry: "rules: [R25, R1]", outcome: .fixed,
            note: "R1 no longer deviates: take that out of its entry (clients/curl.yaml:4:3)"),
        Row(trace: early, entry: "rules: [R1]", outcome: .fail),
        Row(
            trace: good, entry: "rules: [R25]", outcome: .fixed,
            note: "R25 no longer deviates: remove its entry (clients/curl.yaml:4:3)"),
        Row(trace: good, entry: "rules: [R25], sometimes: true", outcome: .pass),
        Row(trace: early, entry: "rules: [R25], sometimes: true", outcome: .known),
        // Any failure, but no crash.
        Row(trace: early, entry: "rule: R25", outcome: .known),
        Row(
            trace: good, entry: "rule: R25", outcome: .fixed,
            note: "the case passes: remove its entry (clients/curl.yaml:4:3)"),
        Row(trace: early, entry: "rule: R25", outcome: .crash, ending: crash),
        // Crashes and hangs.
        Row(trace: "resume", entry: "outcome: crash", outcome: .known, ending: crash, note: "so it is"),
        Row(trace: early, entry: "outcome: crash", outcome: .crash, ending: crash),
        Row(trace: early, entry: "outcome: crash, rules: [R25]", outcome: .known, ending: crash),
        Row(trace: "resume", entry: "outcome: hang", outcome: .crash, ending: crash),
        Row(trace: "resume", entry: "outcome: hang", outcome: .known),
        Row(
            trace: "resume", entry: "outcome: hang", outcome: .known,
            ending: .hung(afterMilliseconds: 9, lastErrorLine: nil)),
        Row(
            trace: good, entry: "outcome: crash", outcome: .fixed,
            note: "the client does not crash any more: correct or remove its entry (clients/curl.yaml:4:3)"),
        // A deviation that a crash hides is not fixed.
        Row(trace: "resume", entry: "outcome: crash, rules: [R25], facts: [body]", outcome: .known, ending: crash),
    ]

    @Test(arguments: rows) func `a listed failure is known while it happens`(row: Row) throws {
        let verdict = try grade(try makeCase(), row.trace, ending: row.ending, ledger: try Self.ledger(row.entry))
        #expect(verdict.outcome == row.outcome, "\(verdict)")
        if let note = row.note { #expect(verdict.ledgerNotes == [note]) }
        #expect(verdict.outcome.isFailure || verdict.failures.isEmpty)
        #expect(verdict.deviation != nil)
    }

    @Test func `a fact is known by its name`() throws {
        let item = try makeCase(facts: [("body", "ok"), ("status", "200")])
        let ledger = try Self.ledger("facts: [body]")
        let trace = "resume response(200) complete(ok) result{status=200,body=,bytes=0}"
        let known = try grade(item, trace, ledger: ledger)
        #expect(known.outcome == .known)
        #expect(
            known.description == """
                known: redirect/302#follow
                  ledger  : so it is
                a.yaml:3:5: known: body: wanted "ok", got ""
                  because : so it is
                not judged: R28, R29: the trace has no answers, and response asks for one
                """)
        let other = try grade(item, trace.replacing("status=200", with: "status=500"), ledger: ledger)
        #expect(other.outcome == .fail)
        #expect(other.failures.map(\.sentence) == ["status: wanted 200, got 500"])
        #expect(
            try grade(
                item, Self.good.replacing("n=1", with: "n=2") + " result{status=200,body=ok,bytes=2}", ledger: ledger
            )
            .outcome == .fixed)
    }

    @Test func `a lane is known by what it brings instead`() throws {
        let item = try makeCase(lanes: ["task": "redirect(302) response(200) data+ complete(ok)"])
        let ledger = try Self.ledger("lanes: { task: response(200) data+ complete(ok) }")
        #expect(try grade(item, Self.good, ledger: ledger).outcome == .known)
        let other = try grade(item, "resume response(204) complete(ok)", ledger: ledger)
        #expect(other.outcome == .fail)
        #expect(
            other.failures.first?.details.suffix(2) == [
                "  ledger  : it says task: response(200) data+ complete(ok)",
                "            but got response(204), wanted response(200)",
            ])
        let fixed = try grade(item, "resume redirect(302) response(200) data complete(ok)", ledger: ledger)
        #expect(fixed.outcome == .fixed)
        #expect(fixed.ledgerNotes == [Self.fixedLane])
    }

    @Test func `the requests are known by what is seen instead`() throws {
        let item = try makeCase(wire: "request(GET /a)")
        let ledger = try Self.ledger("wire: request(GET /b), rules: [R25]")
        #expect(
            try grade(item, Self.early, journal: try JournalScript.requests("GET /b", after: 1), ledger: ledger).outcome
                == .known)
        let other = try grade(item, Self.early, journal: try JournalScript.requests("GET /c", after: 1), ledger: ledger)
        #expect(other.outcome == .fail)
        #expect(other.failures.first?.details.last == "            but got request(GET /c), wanted request(GET /b)")
    }

    @Test func `a refusal that a listed rule explains is known with it`() throws {
        let item = try makeCase(lanes: ["task": "response(200) data+ complete(ok)"])
        #expect(try grade(item, Self.early, ledger: try Self.ledger("rules: [R25]")).outcome == .known)
        #expect(try grade(item, Self.early, ledger: try Self.ledger("rules: [R40]")).outcome == .fail)
    }

    @Test func `a rule listed for the client is known in every case`() throws {
        let ledger = try Self.ledger("rules: [R40]", rules: "{ R25: it is so made }", id: "other/case#x")
        let verdict = try grade(try makeCase(), Self.early, ledger: ledger)
        #expect(verdict.outcome == .known)
        #expect(verdict.ledgerNotes == ["it is so made"])
        #expect(verdict.deviation == nil)
        #expect(try grade(try makeCase(), Self.good, ledger: ledger).outcome == .pass)
    }

    @Test func `an entry for many cases is fixed when none of them deviates`() throws {
        let ledger = try Self.ledger("rules: [R25]", rules: "{ R40: x }", id: "redirect/*#follow")
        var audit = LedgerAudit(ledger)
        let passed = try grade(try makeCase(), Self.good, ledger: ledger)
        #expect(passed.outcome == .pass)
        audit.record(passed)
        #expect(audit.fixed.map(\.pattern) == ["redirect/*#follow"])
        #expect(audit.fixedRules.map(\.subject) == [RuleNumber(40)])
        audit.record(try grade(try makeCase(), Self.early, ledger: ledger))
        #expect(audit.fixed.isEmpty)
        #expect(audit.fixedRules.map(\.subject) == [RuleNumber(40)])
        #expect(audit.unseen.isEmpty)
    }

    @Test func `nothing is fixed by a case that was not judged`() throws {
        let ledger = try Self.ledger("rules: [R25]", rules: "{ R40: x }")
        var audit = LedgerAudit(ledger)
        audit.record(try grade(try makeCase(), "", ending: .couldNotStart(reason: "x"), ledger: ledger))
        audit.record(try grade(try makeCase(), "unimplemented(x)", ledger: ledger))
        #expect(audit.fixedRules.isEmpty && audit.fixed.isEmpty)
        #expect(audit.unseen.count == 1)
    }

    @Test func `a rule about an event that a lane leaves out excuses no other order of it`() throws {
        let ledger = try LedgerTests.ledger("client: x\nrules: { R41: no metrics }\ndeviations: {}")
        var platform = Platform.neutral
        platform.metrics = .required
        for (expression, outcome) in [
            ("response(200) data+ complete(ok)", CaseVerdict.Outcome.known),
            ("response(200) data+ metrics complete(ok)", .known), ("response(200) data+ complete(timedOut)", .fail),
        ] {
            let item = try makeCase(lanes: ["task": expression])
            let verdict = try grade(item, Self.good, platform: platform, ledger: ledger)
            #expect(verdict.outcome == outcome, "\(verdict)")
        }
    }

    @Test func `a case that only observes is not known, nor fixed by any failure`() throws {
        let ledger = try Self.ledger("rule: x")
        #expect(try grade(try makeCase(kind: .observes), Self.early, ledger: ledger).outcome == .observed)
        #expect(
            try grade(try makeCase(kind: .observes), "resume", ending: Self.crash, ledger: ledger).outcome == .crash)
    }

    @Test func `the model holds all that the file says`() throws {
        let ledger = try LedgerTests.ledger(
            """
            client: urlsession-corelibs
            version: "6.3"
            platform: corelibs-6.3
            rules:
              R41: no metrics at all
              r46: streams are asked off the queue
            deviations:
              auth/basic#use:
                because: 401 first
                rules: R12
                outcome: crash
                facts: [body, "step[1].status", "wire[1].body"]
                lanes: { task: response(401), "task[0]": response(402), "handler[1]": handler(ok) }
                sometimes: true
            """)
        #expect(ledger.platform == "corelibs-6.3")
        #expect(ledger.rules.map(\.subject) == [RuleNumber(41), RuleNumber(46)])
        #expect(ledger.rules.map(\.because) == ["no metrics at all", "streams are asked off the queue"])
        #expect(ledger.rules[1].location.description == "clients/curl.yaml:6:3")
        let deviation = try #require(ledger.deviations.first)
        #expect(deviation.parts.rules == [RuleNumber(12)])
        #expect(deviation.parts.stop == .crash)
        #expect(deviation.parts.facts.map(\.text) == ["body", "step[1].status", "wire[1].body"])
        #expect(deviation.parts.lanes.mapValues(\.text) == ["task": "response(402)", "handler[1]": "handler(ok)"])
        #expect(deviation.isSporadic)
    }

    @Test func `every fault of the keys is reported with its place`() {
        let text = """
            client: x
            platform: ""
            rules: { R0: a, R41: "", X: b, R12: c, r12: d }
            deviations:
              a#b: { because: x, rules: [R99, twelve], outcome: trap, facts: [boddy], lanes: { wire: request } }
              c#d: { because: x, lanes: { task: respons(200), harness: resume, tasks: data }, sometimes: yes }
              e#f: { because: x, lanes: [task], facts: { a: b } }
            """
        let (ledger, diagnostics) = Ledger.parse(Array(text.utf8), file: "c.yaml")
        #expect(ledger == nil)
        #expect(
            diagnostics.map { "\($0)" } == [
                "c.yaml:2:11: error: expected the name of a platform, found empty text",
                #"c.yaml:3:10: error: expected a rule from \#(Rules.span), found "R0""#,
                "c.yaml:3:22: error: expected a reason, found empty text",
                #"c.yaml:3:26: error: expected a rule from \#(Rules.span), found "X""#,
                #"c.yaml:3:40: error: "r12" stands here twice"#,
                #"c.yaml:5:30: error: expected a rule from \#(Rules.span), found "R99""#,
                #"c.yaml:5:35: error: expected a rule from \#(Rules.span), found "twelve""#,
                #"c.yaml:5:53: error: unknown outcome "trap"; permitted: crash, hang"#,
                #"c.yaml:5:67: error: unknown fact "boddy"; did you mean "body"?"#,
                #"c.yaml:5:84: error: "wire" is no lane of a client; the requests stand under the deviation's own key "wire""#,
                "c.yaml:6:37: error: unknown event 'respons'; did you mean 'response'?",
                #"c.yaml:6:51: error: "harness" is no lane of a client; lanes are task, task[1], download, session, proto, protocolClient and handler"#,
                #"c.yaml:6:68: error: "tasks" is no lane of a client; lanes are task, task[1], download, session, proto, protocolClient and handler"#,
                #"c.yaml:6:94: error: expected sometimes as true or false, found "yes""#,
                "c.yaml:7:29: error: expected lanes as a mapping from lane to expression, found a list",
                "c.yaml:7:44: error: expected the name of a fact as text, found a mapping",
            ])
    }
}
