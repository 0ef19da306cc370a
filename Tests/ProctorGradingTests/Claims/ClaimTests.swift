import ProctorJournal
import ProctorReport
import ProctorRules
import ProctorScenario
import Testing

@testable import ProctorEvents
@testable import ProctorGrading
@testable import ProctorProgram

/// What a pass rests on: every claim of the case was looked at.
struct ClaimTests {
    private func journal(_ lines: String..., status: Int = 200) throws -> [JournalEntry] {
        var script = JournalScript.opened(after: 1)
        for line in lines {
            let request = try script.request(line)
            script.add(.replySent(status: status, byteCount: 90), request: request)
        }
        return script.entries
    }

    private let order = ["task": "response(200) data+ complete(ok)"]

    @Test func `a client without callbacks passes by its requests and its result`() throws {
        let item = try makeCase(wire: "request(GET /a)", lanes: order)
        let verdict = try grade(
            item, "resume result{status=200,bytes=2,body=ok}", journal: try journal("GET /a"), lanes: [.harness])
        #expect(verdict.outcome == .pass, "\(verdict)")
        #expect(verdict.claims.map(\.state.word) == ["held", "held", "left-out"])
    }

    @Test func `a client that reports no result passes only by its requests`() throws {
        let item = try makeCase(wire: "request(GET /a)", lanes: order)
        let verdict = try grade(item, "resume", journal: try journal("GET /a"), lanes: [.harness])
        #expect(verdict.outcome == .partly)
        #expect(
            verdict.reason == "1 of 2 claims was judged; how the load ended: the client reported no result for step 0")
        #expect(!verdict.outcome.isFailure)
    }

    @Test func `requests are enough for a pass where the case asks about nothing else`() throws {
        let item = try makeCase(wire: "request(GET /a)")
        let verdict = try grade(
            item, "resume result{status=200,bytes=0}", journal: try journal("GET /a"), lanes: [.harness])
        #expect(verdict.outcome == .pass)
        #expect(verdict.claims.map(\.claim.subject) == [.request])
    }

    @Test func `what the client made of the reply is a claim where the case needs it, and does not say it`() throws {
        let item = try makeCase(wire: "request(GET /a)", asksReply: true)
        let requests = try journal("GET /a", status: 302)
        #expect(try grade(item, "resume", journal: requests, lanes: [.harness]).outcome == .partly)
        #expect(
            try grade(item, "resume result{status=302,bytes=0}", journal: requests, lanes: [.harness]).outcome == .pass)
        #expect(
            try grade(item, "resume result{error=connectionLost}", journal: requests, lanes: [.harness]).outcome
                == .pass)
        #expect(try grade(item, "resume result{bytes=0}", journal: requests, lanes: [.harness]).outcome == .partly)
    }

    @Test func `a client that does nothing passes no case, even one without required events`() throws {
        let item = try makeCase(wire: "request(GET /a)?", facts: [("wire.count", .range(minimum: nil, maximum: 1))])
        let verdict = try grade(item, "", journal: [], lanes: [.harness])
        #expect(verdict.outcome == .notJudged)
        #expect(verdict.outcome.isFailure)
        #expect(verdict.reason.contains("nothing shows that the client did anything"))
    }

    @Test func `a case about callbacks alone does not apply to a client without callbacks`() throws {
        let item = try makeCase(
            lanes: ["session": "sessionInvalid(ok)"], edges: ["session sessionInvalid after task complete"])
        let verdict = try grade(item, "resume", journal: [], lanes: [.harness])
        // The trace does not say how the load ended, so that the claim about it cannot be judged.
        #expect(verdict.outcome == .notJudged || verdict.outcome == .lacks(.callbacks), "\(verdict)")
    }

    @Test func `a fact that the client did not report leaves a case judged in part`() throws {
        let item = try makeCase(lanes: order, facts: [("suggestedName", "a.txt")])
        let verdict = try grade(
            item, "resume result{status=200,bytes=2,body=ok}", lanes: [.harness],
            facts: [.status, .body, .bytes, .error])
        #expect(verdict.outcome == .partly, "\(verdict)")
        #expect(verdict.description.contains("not judged: suggestedName: no report of it came"))
    }

    @Test func `the JSON of a verdict has each claim`() throws {
        let item = try makeCase(wire: "request(GET /a)", lanes: order)
        let verdict = try grade(item, "resume", journal: try journal("GET /a"), lanes: [.harness])
        let json = String(decoding: verdict.json, as: UTF8.self)
        #expect(json.contains(#""outcome":"partly""#))
        #expect(json.contains(#""subject":"request, reply, callbacks""#))
        #expect(json.contains(#"{"about":"request","claim":"wire: request(GET /a)","state":"held"}"#), "\(json)")
        #expect(json.contains(#""state":"left-out","reason":"the client cannot report what happens there"}"#))
    }
}

/// Cases that do not apply to a client, and name the ability that it lacks.
struct AbilityTests {
    @Test func `a client lacks the abilities that it does not declare`() throws {
        let item = try makeCase(wire: "request(GET /a){2}", needs: [.cookieJar, .redirects])
        let verdict = try grade(item, "resume", journal: [], lanes: [.harness], abilities: [.redirects])
        #expect(verdict.outcome == .lacks(.cookieJar))
        #expect(verdict.reason == "the case needs cookie-jar, which the client does not declare")
        #expect(verdict.headline == "lacks cookie-jar: redirect/302#follow")
        #expect(!verdict.outcome.isFailure && verdict.failures.isEmpty)
    }

    @Test func `a client that declares nothing lacks nothing but a standard of its own`() throws {
        let all = try makeCase(wire: "request(GET /a)", needs: [.cookieJar, .digest])
        let fetch = try makeCase(wire: "request(GET /a)", applies: [.fetch])
        let foundation = try makeCase(wire: "request(GET /a)", applies: [.fetch, .foundation])
        for (item, lanes, word) in [
            (all, Set([Lane.harness]), "fail"), (fetch, [.harness], "lacks"), (foundation, [.harness], "lacks"),
            (foundation, [.harness, .task], "hang"),
        ] {
            let verdict = try grade(item, "resume", journal: [], lanes: lanes)
            #expect(verdict.outcome.word == word, "\(verdict)")
        }
    }

    @Test func `the ability to report a fact is read from the facts of the header, whatever is declared`() throws {
        let item = try makeCase(wire: "request(GET /a)", facts: [("expectedLength", "6")], needs: [.expectedLength])
        let rows: [(facts: [FactKey]?, isLacking: Bool)] = [
            ([.status], true), ([.status, .expectedLength], false), (nil, false),
        ]
        for (facts, isLacking) in rows {
            for declared: Set<Ability>? in [[], [.expectedLength], nil] {
                let verdict = try grade(
                    item, "resume result{status=200}", journal: [], lanes: [.harness], facts: facts.map { Set($0) },
                    abilities: declared)
                #expect((verdict.outcome == .lacks(.expectedLength)) == isLacking, "\(verdict)")
            }
        }
    }

    @Test func `the adapter reports a program that only the adapter cannot run`() throws {
        let item = try makeCase(wire: "request(GET /a)", needs: [.cookieJar])
        let verdict = try grade(
            item, "unimplemented(steps[0].url)", journal: [], lanes: [.harness], abilities: [.cookieJar])
        #expect(verdict.outcome == .notInThisAdapter)
        #expect(verdict.reason == "the adapter says: steps[0].url")
    }

    @Test func `events that a platform lacks count as seen, and its missing questions cannot be answered`() throws {
        var platform = Platform(name: "bare")
        platform.lacks = [.metrics, .trustQuestion]
        let metrics = try makeCase(lanes: ["task": "response(200) data metrics complete(ok)"])
        let verdict = try grade(
            metrics, "resume response(200) answer(allow) data complete(ok) result{status=200,bytes=1}",
            platform: platform)
        #expect(verdict.outcome == .pass, "\(verdict)")
        let trust = try makeCase(
            lanes: ["task": "challenge(serverTrust) response(200) complete(ok)"],
            tasks: [makeProgram(onChallenge: [.trust])])
        #expect(try grade(trust, "resume complete(ok)", platform: platform).outcome == .lacks(.trustQuestion))
    }
}

/// Compares the result of a client without callbacks with an expression for clients with callbacks.
struct ResultClaimTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let expression: String
        let result: String
        let outcome: String
        var testDescription: String { "\(result) against \(expression)" }
    }

    static let rows = [
        Row(expression: "response(200) data+ complete(ok)", result: "status=200,bytes=5", outcome: "pass"),
        Row(expression: "response(200) data+ complete(ok)", result: "status=404,bytes=5", outcome: "fail"),
        Row(expression: "response(200) data+ complete(ok)", result: "bytes=5", outcome: "fail"),
        Row(expression: "response(200) complete(ok)", result: "status=200,bytes=5", outcome: "fail"),
        Row(expression: "response(200) data+ complete(ok)", result: "status=200,bytes=0", outcome: "fail"),
        Row(expression: "response(200) data* complete(ok)", result: "status=200,bytes=0", outcome: "pass"),
        Row(expression: "response(200) data* complete(error)", result: "status=200,bytes=5", outcome: "fail"),
        Row(
            expression: "response(200) data* complete(error)", result: "status=200,bytes=5,error=connectionLost",
            outcome: "pass"),
        Row(expression: "response(200) data* complete(error)", result: "error=connectionLost", outcome: "pass"),
        // A client that failed may have any content from before.
        Row(expression: "complete(error)", result: "status=200,bytes=0,error=connectionLost", outcome: "pass"),
        Row(expression: "response(200) data+ complete(ok)", result: "error=timedOut", outcome: "fail"),
        // What came before the end is told by callbacks alone.
        Row(
            expression: "redirect(302){2} response(200) data+ complete(ok)", result: "status=200,bytes=5",
            outcome: "pass"),
        Row(
            expression: "redirect(302) response(302) data* complete(ok)", result: "status=302,bytes=0", outcome: "pass"),
        Row(
            expression: "redirect(302) response(302) data* complete(ok)", result: "status=200,bytes=0", outcome: "fail"),
        Row(
            expression: "response(200) data+ response(200) data+ complete(ok)", result: "status=200,bytes=9",
            outcome: "pass"),
        // Names of errors are Foundation's.
        Row(expression: "complete(timedOut)", result: "error=unknown", outcome: "pass"),
        Row(expression: "complete(ok)", result: "error=unknown", outcome: "fail"),
    ]

    @Test(arguments: rows) func `the result is held against the last response and the end`(row: Row) throws {
        let item = try makeCase(lanes: ["task": row.expression])
        let verdict = try grade(item, "resume result{\(row.result)}", lanes: [.harness])
        #expect(verdict.outcome.word == row.outcome, "\(verdict)")
    }

    @Test func `the finding says what was wanted and what the result was`() throws {
        let item = try makeCase(lanes: ["task": "response(200) data* complete(error)"])
        let verdict = try grade(item, "resume result{status=200,bytes=5}", lanes: [.harness])
        #expect(
            verdict.failures.map(\.sentence) == [
                "the result: wanted response(200) data* complete(error), got response(200) data complete(ok)"
            ])
        #expect(verdict.failures.map(\.subject.word) == ["result"])
    }

    @Test func `a client that declares Foundation's rules is asked for the name of the error`() throws {
        let item = try makeCase(lanes: ["task": "complete(timedOut)"])
        let verdict = try grade(
            item, "resume result{error=connectionLost}", lanes: [.harness], abilities: [.foundation])
        #expect(verdict.outcome == .fail)
    }

    @Test func `a command passes by its exit code`() throws {
        let item = try makeCase(wire: "request(GET /a)", lanes: ["task": "response(200) data* complete(error)"])
        let script = try JournalScript.opened("GET /a")
        let table = ErrorTable(client: "curl", names: [18: "connectionLost"])
        let grader = WireGrader(item)
        #expect(grader.grade(script.entries, result: table.result(ofExit: 18)).outcome == .pass)
        #expect(grader.grade(script.entries, result: table.result(ofExit: 0)).outcome == .fail)
        #expect(grader.grade(script.entries).outcome == .partly)
    }
}

/// A client that closes a connection with bytes which it has not read has the system send RST.
struct UnreadReplyTests {
    private func grade(
        _ how: JournalEvent.Ending, result: CommandResult, isReplied: Bool = true, behind events: [JournalEvent] = [],
        slices: (count: Int, by: JournalEvent.SliceKeeping)? = nil
    ) throws -> WireVerdict {
        let item = try makeCase(wire: "request(GET /a)", lanes: ["task": "complete(ok) | complete(error)"])
        var script = JournalScript.opened()
        for event in events { script.add(event) }
        let request = try script.request("GET /a")
        if isReplied {
            let reply = SentReply(status: 200, fields: nil, headByteCount: 40, content: .empty)
            script.add(.replyBegun(reply), request: request)
            if let slices { script.add(.slicesKept(count: slices.count, by: slices.by), request: request) }
            script.add(.replySent(status: 200, byteCount: 40), request: request)
        }
        script.close(by: .client, how)
        return WireGrader(item).grade(script.entries, result: result)
    }

    @Test func `a success is not judged where every connection was reset with its reply unread`() throws {
        let verdict = try grade(.reset, result: CommandResult(error: nil))
        #expect(verdict.outcome == .partly)
        let reasons = verdict.claims.compactMap(\.state.reason)
        #expect(
            reasons.first == "the client read nothing on any connection: it reset it, or never acknowledged SETTINGS")
        #expect(try grade(.reset, result: CommandResult(error: nil), isReplied: false).outcome == .partly)
    }

    @Test func `slices that wait for the client show that it has read`() throws {
        func outcome(_ count: Int, by keeping: JournalEvent.SliceKeeping) throws -> WireVerdict.Outcome {
            try grade(.reset, result: CommandResult(error: nil), slices: (count, keeping)).outcome
        }
        let outcomes = try [outcome(2, by: .queue), outcome(1, by: .queue), outcome(2, by: .pause)]
        #expect(outcomes == [.pass, .partly, .partly])
    }

    @Test(
        arguments: [
            ([], .closed, .partly), (["SETTINGS"], .closed, .pass), (["GOAWAY"], .closed, .pass),
            (["GOAWAY"], .reset, .partly), (["close_notify"], .closed, .pass), (["close_notify"], .reset, .partly),
        ] as [([String], JournalEvent.Ending, WireVerdict.Outcome)])
    func `over HTTP/2 a client acknowledges SETTINGS, or says GOAWAY or close_notify and closes in order`(
        _ types: [String], _ how: JournalEvent.Ending, _ outcome: WireVerdict.Outcome
    ) throws {
        let settings = FrameNote(by: .server, type: "SETTINGS", byteCount: 0, offset: 0, detail: .settings([]))
        let events = types.map { type -> JournalEvent in
            switch type {
            case "SETTINGS": .frame(FrameNote(by: .client, type: type, flags: ["ACK"], byteCount: 0, offset: 24))
            case "GOAWAY":
                .frame(
                    FrameNote(
                        by: .client, type: type, byteCount: 8, offset: 24,
                        detail: .goAway(lastStream: 0, code: "NO_ERROR", debug: [])))
            default: .alert(AlertNote(by: .client, isFatal: false, number: 0, name: type))
            }
        }
        let verdict = try grade(how, result: CommandResult(error: nil), behind: [.frame(settings)] + events)
        #expect(verdict.outcome == outcome)
    }

    @Test func `a client that closes in order has read its reply, one that reports an error need not`() throws {
        #expect(try grade(.closed, result: CommandResult(error: nil)).outcome == .pass)
        #expect(try grade(.reset, result: CommandResult(error: "connectionLost")).outcome == .pass)
    }
}
