import ProctorJournal
import ProctorScenario
import Testing

@testable import ProctorEvents
@testable import ProctorGrading

/// What a client without callbacks says of the end of a load, against what the case says to those that have them.
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
        // What it had before it failed is its own business.
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
        var script = JournalScript()
        script.open()
        try script.request("GET /a")
        let table = ErrorTable(client: "curl", names: [18: "connectionLost"])
        let grader = WireGrader(item)
        #expect(grader.grade(script.entries, result: table.result(ofExit: 18)).outcome == .pass)
        #expect(grader.grade(script.entries, result: table.result(ofExit: 0)).outcome == .fail)
        #expect(grader.grade(script.entries).outcome == .partly)
    }
}

/// A client that closes a connection with bytes which it has not read has the system send RST.
struct UnreadReplyTests {
    private func grade(_ how: JournalEvent.Ending, result: CommandResult, isReplied: Bool = true) throws -> WireVerdict
    {
        let item = try makeCase(wire: "request(GET /a)", lanes: ["task": "complete(ok) | complete(error)"])
        var script = JournalScript()
        script.open()
        let request = try script.request("GET /a")
        if isReplied {
            let reply = SentReply(status: 200, fields: nil, headByteCount: 40, content: .empty)
            script.add(.replyBegun(reply), request: request)
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
            reasons.first == "the client reset every connection on which a reply came: nothing shows that it read one")
        #expect(try grade(.reset, result: CommandResult(error: nil), isReplied: false).outcome == .partly)
    }

    @Test func `one that closes in order has read it, and one that reports an error need not have`() throws {
        #expect(try grade(.closed, result: CommandResult(error: nil)).outcome == .pass)
        #expect(try grade(.reset, result: CommandResult(error: "connectionLost")).outcome == .pass)
    }
}
