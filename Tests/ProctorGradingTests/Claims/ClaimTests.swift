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
}

/// Compares the result of a client without callbacks with an expression for clients with callbacks.
struct ResultClaimTests {
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
}
