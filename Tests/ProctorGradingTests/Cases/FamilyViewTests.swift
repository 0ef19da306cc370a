import Foundation
import ProctorEvents
import ProctorNotation
import ProctorScenario
import Testing

@testable import ProctorGrading
@testable import ProctorProgram
@testable import ProctorRules

/// One expression holds for several families: what each may tell besides, leave unsaid or never tell.
struct FamilyViewTests {
    /// The verdict on a trace whose first event of the lane says its family, as recorders do.
    static func verdict(_ row: FamilyRow) throws -> CaseVerdict {
        let isDownload = row.family.isDownload
        let item = try makeCase(
            lanes: [isDownload ? "download" : "task": row.expression],
            tasks: [makeProgram(isDownload ? .download : .data)])
        var events = try TraceScript.events(row.trace)
        if let first = events.indices.first { events[first].family = row.family }
        return CaseGrader(item, scenario: "redirect/302", platform: row.platform).grade(
            CaseEvidence(events: events, reportedLanes: [.task, .harness]))
    }

    @Test(arguments: FamilyRow.connections + FamilyRow.connectionDownloads + FamilyRow.downloads + FamilyRow.tasks)
    func `an expression is held against a trace of any family it speaks for`(row: FamilyRow) throws {
        row.check(try Self.verdict(row))
    }

    @Test func `each family has the situations that matter`() {
        let rows = FamilyRow.connections + FamilyRow.connectionDownloads + FamilyRow.downloads
        for family in [CallbackFamily.connection, .connectionDownload, .download] {
            let names = Set(rows.filter { $0.family == family }.map(\.name))
            #expect(
                names.isSuperset(of: ["plain", "followed", "changed", "cancelled in redirect", "fails"]), "\(family)")
            #expect(names.contains { $0.hasPrefix("refused") }, "\(family)")
        }
    }

    @Test func `the page on expressions says what is taken out and what counts as seen`() throws {
        let page = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../Docs/format/expressions.md")
            .standardized
        var rows: [String: [Set<String>]] = [:]
        let text = try String(contentsOf: page, encoding: .utf8)
        let table = try #require(text.range(of: "| family | also taken out | counts as seen |"))
        for line in text[table.upperBound...].split(separator: "\n").prefix(while: { $0.hasPrefix("|") }) {
            let cells = line.split(separator: "|").map { cell in cell.matches(of: /`([A-Za-z]+)`/).map { String($0.1) }
            }
            guard cells.count == 3, cells[0].count == 1, CallbackFamily(rawValue: cells[0][0]) != nil else { continue }
            rows[cells[0][0]] = cells.dropFirst().map { Set($0) }
        }
        #expect(
            Set(rows.keys) == [
                "connection", "connectionSync", "connectionQueued", "connectionDownload", "download", "urlProtocol",
            ])
        for family in CallbackFamily.allCases {
            // No task of URLSession hears of a rewritten request.
            let row = rows[family.rawValue] ?? [[], family.isOfTasks ? ["canonicalize"] : []]
            #expect(Set(family.besides.map(\.rawValue)) == row[0], "\(family)")
            #expect(family.unreported == row[1], "\(family)")
        }
    }

    @Test func `the first question for a stream is not asked by a connection, and every later one is`() throws {
        let wanted = try Notation(parsing: "needBodyStream redirect(307) needBodyStream response(200)", lane: .task)
        for (trace, asksOnlyAgain, isRight) in [
            ("needBodyStream redirect(307) needBodyStream response(200)", false, true),
            ("needBodyStream redirect(307) needBodyStream response(200)", true, true),
            ("redirect(307) needBodyStream response(200)", false, false),
            ("redirect(307) needBodyStream response(200)", true, true),
            ("redirect(307) response(200)", true, false),
        ] {
            let events = try TraceScript.events(trace, family: .connection)
            var view = FamilyView(load: EventList(events), of: .connection, ignoring: [], isCancelled: false)
            view.asksOnlyAgain = asksOnlyAgain
            #expect(try (view.diagnosis(of: wanted, ambient: nil) == nil) == isRight, "\(trace)")
        }
    }

    @Test func `a request without a delegate is judged by its result, and not by what a delegate is told`() throws {
        for family in [CallbackFamily.connectionSync, .connectionQueued] {
            let view = FamilyView(load: EventList([]), of: family, ignoring: [], isCancelled: false)
            #expect(try view.diagnosis(of: try Notation(parsing: "bodySent metrics", lane: .task), ambient: nil) == nil)
            let redirect = try Notation(parsing: "redirect(302)", lane: .task)
            #expect(view.reasonNotToJudge(redirect)?.contains("which has no redirect") == true)
        }
    }

    @Test func `the finding shows the expression as it is written and the whole lane`() throws {
        let item = try makeCase(lanes: ["task": "informational(103) response(200) data+ complete(ok)"])
        let events = try TraceScript.events("resume canonicalize response(404) data complete(ok)", family: .connection)
        let verdict = CaseGrader(item, scenario: "a").grade(CaseEvidence(events: events))
        let finding = try #require(verdict.failures.first)
        #expect(finding.sentence == "task: got response(404), wanted informational(103) or response(200)")
        #expect(finding.wanted == "informational(103) response(200) data+ complete(ok)")
        #expect(finding.got == "canonicalize response(404) data complete(ok)")
        #expect(finding.event == 3)
    }

    @Test func `the ambient events of a case are matched by family, too`() throws {
        let item = try makeCase(
            lanes: ["task": "response(200) data+ complete(ok)"], with: ["task": "informational(103)+ & canonicalize"])
        for (trace, outcome) in [
            ("resume canonicalize response(200) data complete(ok)", CaseVerdict.Outcome.pass),
            ("resume response(200) data complete(ok)", .fail),
        ] {
            let events = try TraceScript.events(trace, family: .connection)
            #expect(CaseGrader(item, scenario: "a").grade(CaseEvidence(events: events)).outcome == outcome, "\(trace)")
        }
    }

    // MARK: Steps

    @Test func `each step is of the family that its own events say`() throws {
        let item = try makeCase(
            lanes: ["task": "response(200) data+ complete(cancelled)", "task[1]": "response(200) data+ complete(ok)"],
            tasks: [makeProgram(), makeProgram()])
        let trace = "resume response(200) data cancel [1]resume [1]response(200) [1]data [1]complete(ok)"
        var events = try TraceScript.events(trace)
        for index in events.indices { events[index].family = events[index].task == 0 ? .connection : .sessionData }
        let grader = CaseGrader(item, scenario: "a")
        #expect(grader.grade(CaseEvidence(events: events)).outcome == .pass)
        for index in events.indices { events[index].family = events[index].task == 0 ? .sessionData : .connection }
        #expect(grader.grade(CaseEvidence(events: events)).outcome == .hang)
    }

    @Test func `what the test did says the family of a load that said nothing`() throws {
        let item = try makeCase(lanes: ["task": "complete(cancelled)"])
        var events = try TraceScript.events("cancel resume result")
        #expect(CaseGrader(item, scenario: "a").grade(CaseEvidence(events: events)).outcome == .hang)
        events[0].family = .connection
        #expect(CaseGrader(item, scenario: "a").grade(CaseEvidence(events: events)).outcome == .pass)
    }

    @Test func `a download is not held against an expression for data, nor data against one for downloads`() throws {
        let task = try makeCase(lanes: ["task": "response(200) data+ complete(ok)"])
        var events = try TraceScript.events("resume progress fileReady", family: .connectionDownload)
        let verdict = CaseGrader(task, scenario: "a").grade(CaseEvidence(events: events))
        #expect(
            verdict.notJudged == [
                "task: the trace is of a download of NSURLConnection, for which the case has no expression"
            ])
        let download = try makeCase(lanes: ["download": "fileReady complete(ok)"], tasks: [makeProgram(.download)])
        events = try TraceScript.events("resume response(200) data complete(ok)", family: .connection)
        #expect(
            CaseGrader(download, scenario: "a").grade(CaseEvidence(events: events)).notJudged == [
                "download: the trace is of an NSURLConnection, for which the case has no expression"
            ])
    }

    // MARK: Facts

    @Test func `the end of a load that may be silent is not required of a result that does not state it`() throws {
        let item = try makeCase(facts: [("error", "cancelled"), ("status", "200")])
        for (family, result, outcome) in [
            (CallbackFamily.connection, "result{status=200}", CaseVerdict.Outcome.pass),
            (.connection, "result{status=200,error=cancelled}", .pass),
            (.connection, "result{status=200,error=timedOut}", .fail), (.connection, "result{error=cancelled}", .fail),
            (.sessionData, "complete(cancelled) result{status=200}", .fail),
        ] {
            let events = try TraceScript.events(
                "resume response(200) answer(allow){to=response} data cancel \(result)", family: family)
            let verdict = CaseGrader(item, scenario: "a").grade(CaseEvidence(events: events))
            #expect(verdict.outcome == outcome, "\(family) \(result): \(verdict)")
        }
    }

    @Test func `nothing is asked of the result of a download that its refused redirect cancelled`() throws {
        let item = try makeCase(
            lanes: ["download": Wanted.fileAfterRedirect], tasks: [makeProgram(.download, onRedirect: .refuse)],
            facts: [("status", "302"), ("body", "moved")])
        // With the answers, and without any, where the program tells them.
        for (trace, lanes) in [
            ("resume redirect(302) answer(refuse){to=redirect} result{bytes=0}", Set<Lane>([.task, .harness])),
            ("redirect(302) complete(cancelled)", [.task]),
        ] {
            let events = try TraceScript.events(trace, family: .download)
            let evidence = CaseEvidence(events: events, reportedLanes: lanes)
            let verdict = CaseGrader(item, scenario: "a").grade(evidence)
            #expect(!verdict.outcome.isFailure && verdict.findings.isEmpty, "\(verdict)")
            #expect(verdict.undecidedFacts.map(\.text) == ["status", "body"])
            let other = CaseGrader(item, scenario: "a", platform: FamilyRow.delivering).grade(evidence)
            #expect(other.outcome.isFailure, "\(other)")
        }
    }

    // MARK: Edges

    @Test func `no edge waits for an end that the family may leave out`() throws {
        let item = try makeCase(edges: ["session sessionInvalid after task complete"])
        for (family, outcome) in [(CallbackFamily.connection, CaseVerdict.Outcome.pass), (.sessionData, .hang)] {
            var events = try TraceScript.events("resume response(200) cancel invalidate(finish) sessionInvalid")
            for index in events.indices where events[index].belongsToTask { events[index].family = family }
            let verdict = CaseGrader(item, scenario: "a").grade(CaseEvidence(events: events))
            #expect(verdict.outcome == outcome, "\(verdict)")
            #expect(
                verdict.findings.contains { if case .edge = $0.subject { true } else { false } }
                    == (family == .sessionData))
        }
    }

    @Test func `a connection sends nothing between a redirect and its answer`() throws {
        let trace = "resume redirect(302) +10 answer(follow){to=redirect} +10 response(200) data complete(ok)"
        for (time, outcome) in [(16, CaseVerdict.Outcome.pass), (5, .fail)] as [(UInt64, CaseVerdict.Outcome)] {
            let events = try TraceScript.events(trace, family: .connection)
            let journal = try CaseEdgeTests.journal((1, "GET /a"), (time, "GET /b"))
            let verdict = CaseGrader(try makeCase(), scenario: "a").grade(
                CaseEvidence(events: events, journal: journal))
            #expect(verdict.outcome == outcome, "\(verdict)")
        }
    }
}
