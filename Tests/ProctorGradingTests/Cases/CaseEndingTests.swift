import ProctorEvents
import ProctorJournal
import ProctorScenario
import Testing

@testable import ProctorGrading
@testable import ProctorProgram

/// Clients that die or do not end.
struct CaseEndingTests {
    @Test func `a crash tells the last callback, the open question and the last line of standard error`() throws {
        let verdict = try grade(
            try makeCase(lanes: ["task": "redirect(302) response(200) complete(ok)"]),
            "resume redirect(301) /redirect(301) answer(follow){to=redirect} redirect(302){to=/b}",
            ending: .crashed(signal: "SIGILL", lastErrorLine: "Fatal error: unexpectedly found nil"))
        #expect(verdict.outcome == .crash)
        let finding = try #require(verdict.findings.first)
        #expect(
            finding.description == """
                crashed with SIGILL inside redirect(302) of task
                  last    : redirect(302)   [event 5 of 5, +4.000 ms], not returned   to=/b
                  open    : task: redirect(302), event 5
                  stderr  : Fatal error: unexpectedly found nil
                """)
        #expect(finding.event == 5)
        #expect(verdict.reason == "crashed with SIGILL inside redirect(302) of task")
    }

    @Test func `a crash before any callback says so`() throws {
        let verdict = try grade(try makeCase(), "resume", ending: .crashed(signal: "SIGSEGV", lastErrorLine: nil))
        #expect(verdict.findings.first?.description == "crashed with SIGSEGV before any callback")
    }

    @Test func `what a crashed client did not reach is noted and fails nothing`() throws {
        let item = try makeCase(
            wire: "request(GET /a) request(GET /b)", lanes: ["task": "redirect(302) response(200) data+ complete(ok)"],
            facts: [("wire.count", "2")])
        let verdict = try grade(
            item, "resume redirect(302)", journal: try JournalScript.requests("GET /a", after: 1),
            ending: .crashed(signal: "SIGTRAP", lastErrorLine: nil))
        #expect(verdict.failures.map(\.subject.word) == ["ending"])
        #expect(verdict.findings.filter { $0.weight == .observation }.map(\.subject.word).contains("expression"))
        // A fault before the crash counts.
        let wrong = try grade(
            item, "resume redirect(301)", journal: try JournalScript.requests("GET /c", after: 1),
            ending: .crashed(signal: "SIGTRAP", lastErrorLine: nil))
        #expect(wrong.failures.map(\.subject.word) == ["ending", "expression", "expression"])
    }

    @Test func `a client that is ended by its watchdog hangs`() throws {
        let verdict = try grade(
            try makeCase(), "resume challenge(basic)", lanes: [.task, .harness],
            ending: .hung(afterMilliseconds: 5_000, lastErrorLine: "waiting"))
        #expect(verdict.outcome == .hang)
        let finding = try #require(verdict.findings.first)
        #expect(
            finding.description == """
                hung: still running after 5000 ms, after challenge(basic) of task
                  last    : challenge(basic)   [event 2 of 2, +1.000 ms]
                  open    : task: challenge(basic), event 2
                  stderr  : waiting
                """)
    }

    @Test func `a task that was resumed and never ended hangs, though the process ended`() throws {
        let verdict = try grade(try makeCase(), "resume redirect(301) answer(follow){to=redirect} redirect(302)")
        #expect(verdict.outcome == .hang)
        let finding = try #require(verdict.failures.first)
        #expect(
            finding.description == """
                task hung: no terminal event came, after redirect(302) (event 4 of 4, +3.000 ms)
                  open    : redirect(302), event 4
                """)
        #expect(finding.rules == [RuleNumber(45)])
        #expect(verdict.failures.count == 1)
    }

    @Test func `of very many loads that hang the first hundred are told one by one, and the others counted`() throws {
        let trace = (0..<103).map { "[\($0)]resume [\($0)]response(200)" }.joined(separator: " ")
        let verdict = CaseGrader(try makeCase(lanes: [:]), scenario: "a").grade(
            CaseEvidence(events: try TraceScript.events(trace)))
        let sentences = verdict.findings.map(\.sentence).filter { $0.contains("hung") }
        #expect(sentences.count == 101)
        #expect(sentences[99].hasPrefix("task[99] hung"))
        #expect(sentences[100] == "3 more loads hung")
    }

    @Test func `only tasks that owe an end hang`() throws {
        for (trace, outcome) in [
            ("created", CaseVerdict.Outcome.pass), ("resume suspend", .pass), ("resume suspend resume", .hang),
            ("resume response(200) data becameDownload", .pass), ("response(200) data", .hang),
            ("resume complete(cancelled)", .pass),
        ] {
            let lanes: Set<Lane> = [.task, .harness]
            let verdict = try grade(try makeCase(), trace, lanes: lanes)
            #expect((verdict.outcome == .hang) == (outcome == .hang), "\(trace): \(verdict)")
        }
    }

    @Test func `a handler that is never called hangs`() throws {
        let item = try makeCase(tasks: [makeProgram(.handler)])
        let verdict = try grade(item, "resume redirect(302)")
        #expect(verdict.outcome == .hang)
        #expect(
            verdict.failures.first?.sentence
                == "task hung: its handler was never called, after redirect(302) (event 2 of 2, +1.000 ms)")
        #expect(try grade(item, "resume handler(ok)").outcome == .pass)
        // It is unknown for a client that reports no handlers.
        #expect(try grade(item, "resume", lanes: [.task, .harness]).outcome != .hang)
    }

    @Test func `a legacy load that was cancelled owes nothing`() throws {
        for family in [CallbackFamily.connection, .download] {
            let events = try TraceScript.events("resume response(200) cancel", family: family)
            let verdict = CaseGrader(try makeCase(), scenario: "a").grade(CaseEvidence(events: events))
            #expect(verdict.outcome != .hang)
            let open = CaseGrader(try makeCase(), scenario: "a").grade(CaseEvidence(events: Array(events.prefix(2))))
            #expect(open.outcome == .hang)
        }
    }

    @Test func `silence that the program wants is no hang`() throws {
        let trace = "resume redirect(302)"
        let lanes: Set<Lane> = [.task, .harness]
        let item = try makeCase(lanes: ["task": "redirect(302)"], tasks: [makeProgram(onRedirect: .never)])
        for ending in [ClientEnding.finished, .hung(afterMilliseconds: 100, lastErrorLine: nil)] {
            let verdict = try grade(item, trace, lanes: lanes, ending: ending)
            #expect(verdict.outcome == .pass, "\(verdict)")
        }
        let other = try makeCase(lanes: ["task": "redirect(301)"], tasks: [makeProgram(onRedirect: .never)])
        #expect(try grade(other, trace, lanes: lanes).outcome == .fail)
        #expect(try grade(try makeCase(), trace, lanes: lanes).outcome == .hang)
    }

    @Test(arguments: [
        (64, "the client could not read its assignment (exit code 64): no url"),
        (74, "the client could not write its trace (exit code 74): no url"),
        (1, "the client broke off (exit code 1): no url"),
    ]) func `an exit code says that the adapter could not do its work`(code: Int32, reason: String) throws {
        let trace = "resume response(200) data complete(ok) result{status=200}"
        let verdict = try grade(try makeCase(), trace, ending: .exited(code: code, lastErrorLine: "no url"))
        #expect(verdict.outcome == .setupFailed(reason))
        #expect(try grade(try makeCase(), trace, ending: .exited(code: 0, lastErrorLine: nil)).outcome == .pass)
    }

    @Test func `a case that observes may still crash or hang`() throws {
        let item = try makeCase(kind: .observes)
        #expect(try grade(item, "resume", ending: .crashed(signal: "SIGILL", lastErrorLine: nil)).outcome == .crash)
        #expect(try grade(item, "resume response(200)").outcome == .hang)
    }
}

/// The notes of a verdict about replies whose awaited event did not come.
struct SyncPointNoteTests {
    private func journal(_ passings: [(String, JournalEvent.SyncPassing)]) throws -> [JournalEntry] {
        var script = try JournalScript.opened("GET /a", after: 1)
        for (event, how) in passings { script.add(.syncPassed(event: event, how: how), request: 0) }
        return script.entries
    }

    private func notes(_ passings: (String, JournalEvent.SyncPassing)...) throws -> [String] {
        let verdict = try grade(
            makeCase(), "resume response(200) answer(allow) data complete(ok)", journal: try journal(passings))
        #expect(verdict.outcome == .pass)
        return verdict.notJudged
    }

    @Test func `a reported event needs no note`() throws {
        #expect(try notes(("response", .reached), ("data", .reached)) == [])
    }

    @Test func `an event that came too late, or was never reported, is noted once, and fails nothing`() throws {
        #expect(
            try notes(
                ("data", .timedOut), ("response", .reached), ("data", .timedOut), ("data", .timedOut),
                ("complete", .unreported)) == [
                    "the order at 'await data': the reply went on without it, for the client did not report it in time "
                        + "(journal entry 4, and 2 more)",
                    "the order at 'await complete': the reply went on without it, for the client had reported nothing "
                        + "(journal entry 8)",
                ])
    }

    @Test func `the timeline has a row for each`() throws {
        let evidence = CaseEvidence(events: [], journal: try journal([("data", .timedOut), ("response", .reached)]))
        let text = Timeline(evidence).description
        #expect(text.contains("went on without data: the client did not report it in time"))
        #expect(text.contains("went on, for the client had reported response"))
    }
}
