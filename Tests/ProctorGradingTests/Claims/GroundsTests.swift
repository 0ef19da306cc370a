import ProctorEvents
import ProctorHTTP
import ProctorJournal
import Testing

@testable import ProctorGrading
@testable import ProctorProgram
@testable import ProctorScenario

/// What a claim rests on: the times of replies, their content, and the controls of the exam.
struct GroundsTests {
    private let order = ["task": "response(200) data+ complete(ok)"]

    /// One request and its reply of two bytes, which begins so many milliseconds later.
    private func journal(
        requestAt milliseconds: UInt64, replyAfter delay: UInt64 = 0, reply fields: [String] = [], isCut: Bool = false
    ) throws -> [JournalEntry] {
        var script = JournalScript()
        script.wait(milliseconds: milliseconds)
        script.open()
        guard delay > 0 else {
            try script.exchange("GET /a", 200, reply: fields, content: "ok", isCut: isCut)
            return script.entries
        }
        let request = try script.request("GET /a")
        script.wait(milliseconds: delay)
        let reply = SentReply(
            status: 200, fields: .init(), headByteCount: 20, content: SentContent(byteCount: 2, kept: Array("ok".utf8)))
        script.add(.replyBegun(reply), request: request)
        script.add(.replySent(status: 200, byteCount: 22), request: request)
        return script.entries
    }

    private func states(
        _ item: Case, _ trace: String, _ journal: [JournalEntry], isMonotonic: Bool = true,
        lanes: Set<Lane> = [.harness],
        _ change: (inout CaseEvidence) -> Void = { _ in }
    ) throws -> [String] {
        var evidence = CaseEvidence(
            events: try TraceScript.events(trace, isMonotonic: isMonotonic), reportedLanes: lanes, journal: journal)
        change(&evidence)
        return CaseGrader(item, scenario: "s").grade(evidence).claims.map(\.state.word)
    }

    // MARK: Time

    @Test func `a result before its request came shows nothing of the reply`() throws {
        let item = try makeCase(wire: "request(GET /a)", facts: [("body", "ok")])
        let result = "result{status=200,bytes=2,body=ok}"
        let late = try journal(requestAt: 50)
        #expect(try states(item, "resume \(result)", late) == ["held", "not-judged", "not-judged"])
        #expect(try states(item, "resume +60 \(result)", late) == ["held", "held", "held"])
        // The times of another clock say nothing.
        #expect(try states(item, "resume \(result)", late, isMonotonic: false) == ["held", "held", "held"])
    }

    @Test func `a result between request and reply shows nothing of the reply`() throws {
        let item = try makeCase(wire: "request(GET /a)", asksReply: true)
        let slow = try journal(requestAt: 1, replyAfter: 50)
        for result in ["result{status=200,bytes=2,body=ok}", "result{error=unknown}"] {
            #expect(try states(item, "resume \(result)", slow) == ["held", "not-judged"], "\(result)")
        }
        #expect(try states(item, "resume +60 result{status=200,bytes=2,body=ok}", slow) == ["held", "held"])
    }

    @Test func `the time of a request is taken as it is, and that of a reply within the bound`() throws {
        let item = try makeCase(wire: "request(GET /a)", asksReply: true)
        // The result stands at 2 ms.
        let trace = "resume result{status=200,bytes=2,body=ok}"
        #expect(try states(item, trace, try journal(requestAt: 2)) == ["held", "held"])
        #expect(try states(item, trace, try journal(requestAt: 3)) == ["held", "not-judged"])
        #expect(try states(item, trace, try journal(requestAt: 1, replyAfter: 2)) == ["held", "held"])
        #expect(try states(item, trace, try journal(requestAt: 1, replyAfter: 3)) == ["held", "not-judged"])
    }

    @Test func `content that was served, in a result, shows that the client has read`() throws {
        let item = try makeCase(wire: "request(GET /a)", asksReply: true)
        var script = JournalScript.opened(after: 1)
        try script.exchange("GET /a", 200, content: "ok")
        script.close(by: .client, .reset)
        #expect(try states(item, "resume +5 result{status=200,bytes=2,body=ok}", script.entries) == ["held", "held"])
        #expect(try states(item, "resume +5 result{status=200,bytes=2}", script.entries) == ["held", "not-judged"])
    }

    @Test func `bytes that wait for no request may end a load before its request came`() throws {
        let item = try makeCase(lanes: ["task": "complete(error)"])
        func states(behind first: JournalEvent?, _ result: String) throws -> [String] {
            var script = JournalScript.opened()
            if let first { script.add(first) }
            script.wait(milliseconds: 50)
            try script.exchange("GET /a", 200, content: "ok")
            return try self.states(item, "resume \(result)", script.entries, lanes: [.task, .harness])
        }
        func frame(_ type: String, _ flags: [String] = []) -> JournalEvent {
            .frame(FrameNote(by: .server, type: type, flags: flags, byteCount: 8, offset: 0))
        }
        let fails = "complete(unknown) result{error=unknown}"
        let greeting = JournalEvent.effectPlayed(PlayedEffect(.send, "220 ready", at: "accept"))
        for first in [greeting, frame("PING"), frame("SETTINGS", ["ACK"])] {
            #expect(try states(behind: first, fails) == ["held", "held"])
        }
        for first in [nil, frame("SETTINGS")] {
            #expect(try states(behind: first, fails) == ["not-judged", "held"])
        }
    }

    @Test func `a result without any request shows nothing of a reply`() throws {
        let item = try makeCase(wire: "request(GET /a)?", asksReply: true)
        let script = JournalScript.opened()
        #expect(try states(item, "resume result{status=200,bytes=0}", script.entries) == ["held", "not-judged"])
    }

    @Test func `a load that a URLProtocol begins has no part in the request of the one before`() throws {
        let item = try makeCase(wire: "request(GET /a)", tasks: [makeProgram(), makeProgram()], asksReply: true)
        let ends = "p.canInit result{error=unknown} +60 [1]p.canInit +60 [1]result{status=200,bytes=2,body=ok}"
        let states = try states(item, ends, try journal(requestAt: 90), lanes: [.harness, .proto])
        #expect(states == ["held", "held", "held"])
    }

    @Test func `of steps that run together, any may be the first whose request came`() throws {
        var together = makeProgram()
        together.step.isTogether = true
        let item = try makeCase(
            wire: "request(GET /a){3}", tasks: [makeProgram(), together, together], asksReply: true)
        func states(_ trace: String) throws -> [String] {
            var script = JournalScript()
            script.open()
            for milliseconds in [1, 1, 60] as [UInt64] {
                script.wait(milliseconds: milliseconds)
                try script.exchange("GET /a", 200, content: "ok")
            }
            return try self.states(item, trace, script.entries)
        }
        let begin = "resume [1]resume [2]resume"
        let result = "result{status=200,bytes=2,body=ok}"
        let inTurn = try states("\(begin) +9 \(result) [1]\(result) +90 [2]\(result)")
        let lastFirst = try states("\(begin) +9 [2]\(result) [1]\(result) +90 \(result)")
        // Three ends where two requests had come.
        let early = try states("\(begin) +9 [2]\(result) [1]\(result) \(result)")
        #expect(inTurn == ["held", "held", "held", "held"] && lastFirst == inTurn && early != inTurn)
    }

    @Test func `a time limit may end a load before its reply`() throws {
        let item = try makeCase(wire: "request(GET /a)", asksReply: true)
        #expect(
            try states(item, "resume result{error=timedOut}", try journal(requestAt: 1, replyAfter: 50))
                == ["held", "held"])
    }

    @Test func `callbacks before the reply that they tell leave their lane without a judgement`() throws {
        let item = try makeCase(wire: "request(GET /a)", lanes: order)
        let lanes: Set<Lane> = [.task, .harness]
        let callbacks = "response(200){status=200} data{bytes=2} complete(ok)"
        let slow = try journal(requestAt: 1, replyAfter: 50)
        #expect(try states(item, "resume \(callbacks)", slow, lanes: lanes) == ["held", "not-judged", "not-judged"])
        #expect(try states(item, "resume +60 \(callbacks)", slow, lanes: lanes) == ["held", "held", "held"])
    }

    // MARK: What was served

    @Test func `an error where the whole reply went out breaks the claim how the load ended`() throws {
        let item = try makeCase(wire: "request(GET /a)", asksReply: true)
        let trace = "resume +5 result{error=unknown}"
        #expect(try states(item, trace, try journal(requestAt: 1)) == ["held", "broken"])
        #expect(try states(item, trace, try journal(requestAt: 1, isCut: true)) == ["held", "held"])
        for field in [
            "Content-Encoding: x-lab", "Content-Length: 9", "X-Odd: \u{1}",
            "Content-Type: multipart/x-mixed-replace;boundary=a",
        ] {
            #expect(
                try states(item, trace, try journal(requestAt: 1, reply: [field])) == ["held", "held"], "\(field)")
        }
    }

    @Test func `a success of a reply that was not sent to its announced length breaks the claim`() throws {
        let item = try makeCase(wire: "request(GET /a)", asksReply: true)
        func states(sent byteCount: Int, _ result: String) throws -> [String] {
            var script = JournalScript.opened(after: 1)
            let request = try script.request("GET /a")
            let reply = SentReply(
                status: 200, fields: FieldSection([(Array("Content-Length".utf8), Array("200".utf8))]),
                headByteCount: 20, content: SentContent(byteCount: 200, kept: Array(repeating: 0x61, count: 200)))
            script.add(.replyBegun(reply), request: request)
            script.add(.replyAborted(sentByteCount: byteCount, reason: "the client left"), request: request)
            return try self.states(item, "resume +5 result{\(result)}", script.entries)
        }
        #expect(try states(sent: 90, "status=200") == ["held", "broken"])
        #expect(try states(sent: 90, "error=connectionLost") == ["held", "held"])
        #expect(try states(sent: 220, "status=200") == ["held", "held"])
    }

    @Test func `an error that contradicts the case's own words breaks the claim`() throws {
        let item = try makeCase(wire: "request(GET /a)", lanes: order)
        #expect(
            try states(item, "resume +5 result{error=unknown}", try journal(requestAt: 1))
                == ["held", "broken", "left-out"])
    }

    @Test(arguments: [
        "result{status=200,bytes=3}", "result{status=200,bytes=0,body=}", "result{status=200,bytes=2,body=no}",
    ])
    func `a length or a content that no reply had breaks the claim how the step ended`(result: String) throws {
        let steps = [makeProgram(), makeProgram()]
        let item = try makeCase(wire: "request(GET /a){2}", tasks: steps, asksReply: true)
        var script = JournalScript.opened(after: 1)
        try script.exchange("GET /a", 200, content: "ok")
        try script.exchange("GET /a", 200, content: "ok")
        let right = "resume +5 result{status=200,bytes=2,body=ok}"
        #expect(
            try states(item, "\(right) [1]resume +9 [1]\(result)", script.entries) == ["held", "held", "broken"])
        #expect(
            try states(item, "\(right) [1]resume +9 [1]result{status=200,bytes=2,body=ok}", script.entries)
                == ["held", "held", "held"])
    }

    @Test func `requests count only beside a load that came to its end`() throws {
        let item = try makeCase(wire: "request(GET /a)")
        let journal = try journal(requestAt: 1)
        #expect(try states(item, "resume", journal) == ["not-judged"])
        #expect(try states(item, "resume +5 result{error=unknown}", journal) == ["not-judged"])
        #expect(try states(item, "resume +5 result{status=200,bytes=2}", journal) == ["held"])
        // Without a trace nobody can say so.
        #expect(try states(item, "", journal) == ["held"])
    }

    @Test func `a case about the client's own offer shows nothing where no reply had a coding`() throws {
        var item = try makeCase(wire: "request(GET /a)", facts: [("body", "ok")])
        item.isAboutOfferedCodings = true
        let trace = "resume +5 result{status=200,bytes=2,body=ok}"
        #expect(try states(item, trace, try journal(requestAt: 1)) == ["held", "not-judged", "not-judged"])
        #expect(
            try states(item, trace, try journal(requestAt: 1, reply: ["Content-Encoding: gzip"]))
                == ["held", "held", "held"])
    }

    // MARK: Controls

    @Test func `a failure shows nothing of a client that fails a plain load too`() throws {
        let item = try makeCase(wire: "request(GET /a)", lanes: ["task": "complete(error)"])
        let journal = try journal(requestAt: 1, isCut: true)
        let trace = "resume +5 result{error=connectionLost}"
        #expect(try states(item, trace, journal) == ["held", "held", "left-out"])
        #expect(
            try states(item, trace, journal) { $0.failedLoad = "a plain GET failed" } == [
                "held", "not-judged", "left-out",
            ])
    }

    @Test func `a cookie left out shows nothing of a client that sends none back`() throws {
        let item = try makeCase(
            wire: "request(GET /a)", facts: [("wire[0].headers.Cookie", .absent)], asksReply: true)
        let journal = try journal(requestAt: 1)
        let trace = "resume +5 result{status=200,bytes=2,body=ok}"
        #expect(try states(item, trace, journal) == ["held", "held", "held"])
        #expect(
            try states(item, trace, journal) { $0.failedCookie = "no cookie came back" } == [
                "held", "held", "not-judged",
            ])
    }

    @Test func `a cookie left out shows nothing where the run expects another one and none comes`() throws {
        let item = try makeCase(
            wire: "request(GET /a){2}", facts: [("wire[0].headers.Cookie", .absent)], asksReply: true)
        let trace = "resume +5 result{status=200,bytes=2,body=ok}"
        func state(_ verdict: CookieVerdict, cookie: String? = nil) throws -> String? {
            var script = JournalScript.opened()
            try script.judged("GET /a", .right(nil))
            try script.judged("GET /a", cookie: cookie, verdict)
            return try states(item, trace, script.entries).last
        }
        #expect(try state(.wrong(nil, expected: "control=1", .lost)) == "not-judged")
        #expect(try state(.right("control=1"), cookie: "control=1") == "held")
        // Another cookie than the expected one shows that there is a jar.
        #expect(try state(.wrong("b=2", expected: "control=1", .lost), cookie: "b=2") == "held")
        // One edition alone expects it.
        #expect(try state(.right(nil, by: [.rfc6265bis])) == "held")
    }

    @Test func `a request shows nothing of a cache where the client keeps no fresh reply`() throws {
        let item = try makeCase(wire: "request(GET /a)", asksReply: true)
        let trace = "resume +5 result{status=200,bytes=2,body=ok}"
        #expect(
            try states(item, trace, try journal(requestAt: 1)) { $0.failedCache = "nothing is kept" }
                == ["not-judged", "held"])
    }
}
