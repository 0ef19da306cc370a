import ProctorEvents
import ProctorJournal
import ProctorScenario
import Testing

@testable import ProctorGrading
@testable import ProctorProgram

/// What the objects of a URLProtocol tell their client is held against `task:` as one load.
struct ProtocolViewTests {
    /// Of a client that drives the objects itself and writes down all it does.
    static let lanes: Set<Lane> = [.proto, .protocolClient, .harness]

    static func events(_ text: String) throws -> [TraceEvent] {
        let tokens = text.split(separator: " ").map { token in
            var token = String(token)
            for object in 1...4 {
                token = token.replacing("p\(object):", with: "proto#\(object):p.")
                token = token.replacing("c\(object):", with: "protocolClient#\(object):")
            }
            return token
        }
        return try TraceScript.events(tokens.joined(separator: " "))
    }

    static func verdict(_ item: Case, _ trace: String, lanes: Set<Lane>? = lanes, journal: [JournalEntry]? = nil) throws
        -> CaseVerdict
    {
        CaseGrader(item, scenario: "redirect/302").grade(
            CaseEvidence(events: try events(trace), reportedLanes: lanes, journal: journal))
    }

    static let begun = "resume p1:init p1:start"
    static let ended = "p1:stop p1:deinit result"
    static let other = "p2:init p2:start"

    /// `p1:` is lane `proto` of object 1, `c1:` what it tells its client.
    static let rows = FamilyRow.rows(
        of: .urlProtocol,
        """
        pass: plain: \(Wanted.plain)
          \(begun) c1:canonicalize c1:response(200) c1:data c1:complete(ok) \(ended)
        pass: followed: \(Wanted.followed)
          \(begun) c1:redirect(302) answer(follow){to=redirect} p1:stop \(other) c2:response(200) c2:data \
          c2:complete(ok) p2:stop
        pass: followed, the first fails as the sample's does: \(Wanted.followed)
          \(begun) c1:redirect(302) c1:complete(userCancelled) answer(follow){to=redirect} p1:stop \(other) \
          c2:response(200) c2:data c2:complete(ok) p2:stop
        pass: followed, the other begins before the first is stopped: \(Wanted.followed)
          \(begun) c1:redirect(302) harness#1:answer(follow){to=redirect} \(other) c1:complete(cancelled) \
          p1:stop c2:response(200) c2:data c2:complete(ok) p2:stop
        pass: followed twice: redirect(302){2} response(200) data+ complete(ok)
          \(begun) c1:redirect(302) answer(follow){to=redirect} p1:stop \(other) c2:redirect(302) \
          answer(follow){to=redirect} c2:complete(cancelled) p2:stop p3:init p3:start c3:response(200) \
          c3:data c3:complete(ok) p3:stop
        pass: changed: \(Wanted.followed)
          \(begun) c1:redirect(302) answer(change){to=redirect} p1:stop \(other) c2:response(200) c2:data \
          c2:complete(ok) p2:stop
        pass: followed by the object itself: \(Wanted.followed)
          \(begun) c1:redirect(302) c1:response(200) c1:data c1:complete(ok) \(ended)
        pass: refused: \(Wanted.refused)
          \(begun) c1:redirect(302) answer(refuse){to=redirect} c1:response(302) c1:data c1:complete(ok) \(ended)
        fail: refused, and another object begins: \(Wanted.refused)
          \(begun) c1:redirect(302) answer(refuse){to=redirect} c1:complete(cancelled) \(other) \
          c2:response(302) c2:complete(ok) \(ended)
        fail: the other object says the redirect again: \(Wanted.followed)
          \(begun) c1:redirect(302) answer(follow){to=redirect} p1:stop \(other) c2:redirect(302) \
          answer(refuse){to=redirect} c2:response(200) c2:data c2:complete(ok) p2:stop
        fail: the first fails before it is followed, and no object follows: \(Wanted.followed)
          \(begun) c1:redirect(302) answer(follow){to=redirect} c1:complete(cancelled) \(ended)
        pass: cancelled in redirect: \(Wanted.cancelledInRedirect)
          \(begun) c1:redirect(302) cancel \(ended)
        pass: cancelled in redirect, told of the object: \(Wanted.cancelledInRedirect)
          \(begun) c1:redirect(302) harness#1:cancel \(ended)
        fail: cancelled in redirect, and never stopped: \(Wanted.cancelledInRedirect)
          \(begun) c1:redirect(302) cancel result
        pass: cancelled in data: \(Wanted.cancelledInData)
          \(begun) c1:response(200) c1:data cancel \(ended)
        pass: cancelled in the other's data: redirect(302) response(200) data+ complete(cancelled)
          \(begun) c1:redirect(302) answer(follow){to=redirect} p1:stop \(other) c2:response(200) c2:data \
          cancel p2:stop
        pass: cancelled before it began: complete(cancelled)
          cancel result
        fail R50: an end after the stop: \(Wanted.cancelledInData)
          \(begun) c1:response(200) c1:data cancel p1:stop c1:complete(cancelled) p1:deinit
        fail: another end in spite of the cancel: \(Wanted.cancelledInData)
          \(begun) c1:response(200) c1:data cancel c1:complete(ok) \(ended)
        fail: silence where an end is asked for: \(Wanted.plain)
          \(begun) c1:response(200) c1:data cancel \(ended)
        fail: silence that nothing excuses: \(Wanted.cancelledInData)
          \(begun) c1:response(200) c1:data \(ended)
        pass: fails: \(Wanted.failed)
          \(begun) c1:response(200) c1:data c1:complete(connectionLost) \(ended)
        pass: withdraws its challenge and fails: challenge(basic) complete(error)
          \(begun) c1:challenge(basic) c1:challengeCancelled(basic) c1:complete(timedOut) \(ended)
        fail R25: data first: \(Wanted.plain)
          \(begun) c1:data c1:response(200) c1:complete(ok) \(ended)
        fail R3: redirected too late: \(Wanted.followed)
          \(begun) c1:response(200) c1:redirect(302) c1:data c1:complete(ok) \(ended)
        fail R39: two ends: \(Wanted.plain)
          \(begun) c1:response(200) c1:data c1:complete(ok) c1:complete(ok) \(ended)
        pass: what it has no call for: needBodyStream informational(100)? bodySent+ redirect(307) \
        needBodyStream response(200) data+ willCache metrics complete(ok)
          \(begun) c1:redirect(307) answer(follow){to=redirect} p1:stop \(other) c2:response(200) c2:data \
          c2:complete(ok) p2:stop
        fail: what it has a call for: needBodyStream challenge(basic) response(200) complete(ok)
          \(begun) c1:response(200) c1:complete(ok) \(ended)
        pass: what it cannot do: response(200) becameStream
          \(begun) c1:response(200) c1:complete(ok) \(ended)
          not judged: task: the trace is of a URLProtocol, which has no becameStream
        """)

    @Test(arguments: rows) func `a task expression is held against the objects of its load`(row: FamilyRow) throws {
        row.check(try Self.verdict(try makeCase(lanes: ["task": row.expression]), row.trace))
    }

    @Test func `without answers another object shows that a redirect was followed`() throws {
        let item = try makeCase(lanes: ["task": Wanted.followed])
        let trace = "c1:redirect(302) c1:complete(cancelled) c2:response(200) c2:data c2:complete(ok)"
        #expect(try Self.verdict(item, trace, lanes: [.protocolClient]).outcome == .pass)
        #expect(try Self.verdict(item, trace, lanes: nil).outcome == .pass)
        let alone = "c1:redirect(302) c1:complete(cancelled)"
        #expect(try Self.verdict(item, alone, lanes: [.protocolClient]).outcome == .fail)
    }

    @Test func `objects work for the step that their events name`() throws {
        let item = try makeCase(
            lanes: ["task": Wanted.followed, "task[1]": "response(404) complete(ok)"],
            tasks: [makeProgram(), makeProgram()])
        let first = """
            \(Self.begun) c1:redirect(302) answer(follow){to=redirect} p1:stop \(Self.other) c2:response(200) c2:data \
            c2:complete(ok) p2:stop
            """
        let second = "[1]resume [1]p3:init [1]p3:start [1]c3:response(404) [1]c3:complete(ok) [1]p3:stop"
        #expect(try Self.verdict(item, "\(first) \(second)").outcome == .pass)
        let wrong = try Self.verdict(item, "\(first) \(second.replacing("404", with: "500"))")
        #expect(wrong.failures.map(\.sentence) == ["task[1]: got response(500), wanted response(404)"])
        #expect(wrong.failures.map(\.lane) == [LaneID(.protocolClient, 3)])
    }

    @Test func `the case's own expression for the client comes first`() throws {
        let item = try makeCase(lanes: [
            "protocolClient": "redirect(302) complete(cancelled) response(200) complete(ok)",
            "task": "redirect(302) response(200) complete(ok)",
        ])
        let verdict = try Self.verdict(
            item, "c1:redirect(302) answer(follow){to=redirect} c1:complete(cancelled) c2:response(200) c2:complete(ok)"
        )
        #expect(verdict.outcome == .pass && verdict.notJudged.isEmpty, "\(verdict)")
    }

    @Test func `in the case's own expression for the client nothing counts as seen`() throws {
        for (text, trace) in [
            (
                "challenge(basic) complete(error)",
                "c1:challenge(basic) c1:challengeCancelled(basic) c1:complete(timedOut)"
            ), ("response(200) complete(ok)", "c1:canonicalize c1:response(200) c1:complete(ok)"),
            ("response(200) data complete(cancelled)", "c1:response(200) c1:data cancel p1:stop"),
        ] {
            let trace = "\(Self.begun) \(trace)"
            #expect(try Self.verdict(try makeCase(lanes: ["protocolClient": text]), trace).outcome == .fail)
            #expect(try Self.verdict(try makeCase(lanes: ["task": text]), trace).outcome == .pass)
        }
    }

    @Test func `a URLProtocol knows no downloads`() throws {
        let trace = "\(Self.begun) c1:response(200) c1:data c1:complete(ok) \(Self.ended)"
        let download = try makeCase(lanes: ["download": Wanted.file], tasks: [makeProgram(.download)])
        let verdict = try Self.verdict(download, trace)
        #expect(verdict.outcome == .pass)
        #expect(verdict.notJudged == ["download: a URLProtocol knows no downloads"])
        let both = try makeCase(
            lanes: ["download": Wanted.file, "task": Wanted.plain], tasks: [makeProgram(.download)])
        #expect(try Self.verdict(both, trace).notJudged.isEmpty)
        let handler = try makeCase(lanes: ["task": "redirect(302)"], tasks: [makeProgram(.handler)])
        #expect(
            try Self.verdict(handler, trace).notJudged == [
                "task: the trace is of a URLProtocol, for which the case has no expression"
            ])
    }

    @Test func `a load that waits on purpose is no hang`() throws {
        let item = try makeCase(lanes: ["task": "redirect(302)"], tasks: [makeProgram(onRedirect: .never)])
        let events = try Self.events("\(Self.begun) c1:redirect(302)")
        for (ending, item, outcome) in [
            (ClientEnding.hung(afterMilliseconds: 900, lastErrorLine: nil), item, CaseVerdict.Outcome.pass),
            (.finished, item, .pass),
            (.hung(afterMilliseconds: 900, lastErrorLine: nil), try makeCase(lanes: ["task": Wanted.followed]), .hang),
        ] {
            let verdict = CaseGrader(item, scenario: "a").grade(
                CaseEvidence(events: events, reportedLanes: Self.lanes, ending: ending))
            #expect(verdict.outcome == outcome, "\(verdict)")
        }
    }

    // MARK: Edges and the wire

    static let followedSlowly = """
        \(begun) c1:redirect(302) +10 answer(follow){to=redirect} p1:stop \(other) +10 c2:response(200) c2:data \
        c2:complete(ok) p2:stop
        """

    @Test func `nothing is sent between a redirect and its answer`() throws {
        let good = try Self.verdict(
            try makeCase(), Self.followedSlowly, journal: try CaseEdgeTests.journal((2, "GET /a"), (20, "GET /b")))
        #expect(good.outcome == .pass, "\(good)")
        let early = try Self.verdict(
            try makeCase(), Self.followedSlowly, journal: try CaseEdgeTests.journal((2, "GET /a"), (8, "GET /b")))
        #expect(early.outcome == .fail)
        #expect(
            early.failures.map(\.sentence) == [
                "wire request(GET /b) came before protocolClient[1] redirect(302) was answered"
            ])
    }

    @Test func `nothing is sent before the load is begun`() throws {
        let trace = "+5 resume p1:init p1:start c1:complete(timedOut) p1:stop"
        for (time, outcome) in [(7, CaseVerdict.Outcome.pass), (2, .fail)] as [(UInt64, CaseVerdict.Outcome)] {
            for spelled in [trace, trace.replacing("resume", with: "harness#1:resume")] {
                let verdict = try Self.verdict(
                    try makeCase(), spelled, journal: try CaseEdgeTests.journal((time, "GET /a")))
                #expect(verdict.outcome == outcome, "\(verdict)")
            }
        }
    }

    @Test func `edges of a case that speak of the task hold for its objects`() throws {
        let item = try makeCase(edges: ["task response after wire request[1]", "task complete after task data"])
        let good = try Self.verdict(
            item, Self.followedSlowly, journal: try CaseEdgeTests.journal((2, "GET /a"), (20, "GET /b")))
        #expect(good.outcome == .pass && good.notJudged.isEmpty, "\(good)")
        let late = try Self.verdict(
            item, Self.followedSlowly, journal: try CaseEdgeTests.journal((2, "GET /a"), (40, "GET /b")))
        #expect(
            late.failures.map(\.sentence) == [
                "task response after wire request[1]: protocolClient[2] response(200) came before wire request(GET /b)"
            ])
    }

    @Test func `of several steps the one that is under way gets the request`() throws {
        let trace = """
            resume p1:init p1:start +5 c1:response(200) c1:complete(ok) p1:stop result [1]resume [1]p2:init \
            [1]p2:start +5 [1]c2:response(200) [1]c2:complete(ok) [1]p2:stop [1]result
            """
        let events = try Self.events(trace)
        let journal = try CaseEdgeTests.journal((4, "GET /a"), (16, "GET /b"))
        let tasks = WireCorrelation(events, isOfProtocol: true).tasks(of: WireRecord(journal))
        #expect(tasks == [0, 1])
    }
}
