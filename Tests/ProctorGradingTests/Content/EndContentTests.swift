import ProctorEvents
import ProctorReport
import ProctorScenario
import Testing

@testable import ProctorGrading

/// Errors and their codes, the end of a session, and callbacks that never return.
struct EndContentTests {
    private static func error(_ name: String, _ domain: String, _ code: Int, _ event: EventName = .complete) throws
        -> [Finding]
    {
        var trial = ContentTrial()
        trial.report(.resume)
        let facts: EventFacts = [EventFact(.domain, .text(domain)), EventFact(.code, .integer(code))]
        if event == .result {
            trial.report(.result, facts.appending(EventFact(.error, .text(name))))
        } else {
            trial.report(event, name, facts: facts)
        }
        return try trial.findings(journal: false)
    }

    @Test func `a code that belongs to the error's name passes`() throws {
        #expect(try Self.error("timedOut", "NSURLErrorDomain", -1001).isEmpty)
        #expect(try Self.error("NSPOSIXErrorDomain#61", "NSPOSIXErrorDomain", 61).isEmpty)
        #expect(try Self.error("networkConnectionLost", "NSURLErrorDomain", -1005).isEmpty)
        #expect(try Self.error("whatever", "NSURLErrorDomain", -1001).isEmpty)
    }

    @Test func `a code of another error name fails`() throws {
        let wrong = try Self.error("timedOut", "NSURLErrorDomain", -1009)
        #expect(wrong.map(\.field) == ["code"] && wrong[0].weight == .failure)
        #expect(
            wrong[0].sentence
                == "task: complete(timedOut): code is -1009, wanted -1001: the error is named timedOut, and -1009 is notConnected"
        )
        #expect(try Self.error("ok", "NSURLErrorDomain", -999).map(\.wanted) == ["none"])
        #expect(try Self.error("timedOut", "NSPOSIXErrorDomain", -1001).map(\.field) == ["domain"])
        #expect(try Self.error("NSPOSIXErrorDomain#61", "NSPOSIXErrorDomain", 60).map(\.field) == ["code"])
    }

    @Test func `a result may have translated another library's errors`() throws {
        #expect(try Self.error("timedOut", "curl", 28, .result).isEmpty)
        #expect(try Self.error("timedOut", "NSURLErrorDomain", -1009, .result).map(\.field) == ["code"])
    }

    @Test func `a session that was to finish its tasks becomes invalid without an error`() throws {
        func findings(_ ends: String..., error: String) throws -> [Finding] {
            var trial = ContentTrial()
            for end in ends { trial.report(.invalidate, end) }
            trial.report(.sessionInvalid, error)
            return try trial.findings(journal: false)
        }
        #expect(try findings("finish", error: "ok").isEmpty)
        let wrong = try findings("finish", error: "cancelled")
        #expect(wrong.map(\.weight) == [.failure] && wrong[0].field == "error" && wrong[0].rules == [RuleNumber(43)])
        #expect(wrong[0].sentence.hasPrefix("session: sessionInvalid(cancelled): error is cancelled, wanted none: "))
        #expect(try findings("finish", "cancel", error: "cancelled").map(\.weight) == [.observation])
        #expect(try findings(error: "unknown").isEmpty)
    }

    private static func calls(_ names: String) throws -> [Finding] {
        var trial = ContentTrial()
        trial.report(.resume)
        for token in names.split(separator: " ") {
            let isExit = token.hasPrefix("/")
            let parts = token.drop { $0 == "/" }.split(separator: "@")
            let event = try #require(EventName(rawValue: String(parts[0])))
            trial.report(
                event, event == .response ? "200" : event == .complete ? "ok" : nil, phase: isExit ? .exit : .enter,
                thread: parts.count == 2 ? String(parts[1]) : "t1")
        }
        return try trial.findings(journal: false)
    }

    @Test func `callbacks that return are right`() throws {
        #expect(try Self.calls("response /response data /data data /data complete /complete").isEmpty)
        // The task did not go on.
        #expect(try Self.calls("response /response data /data complete").isEmpty)
        // Most callbacks have no return, so that a missing return shows nothing.
        #expect(try Self.calls("response /response data data complete").isEmpty)
    }

    @Test func `a callback that does not return while the task goes on fails`() throws {
        let finding = try #require(try Self.calls("response data /data data /data complete /complete").first)
        #expect(finding.field == "exit" && finding.event == 2 && finding.weight == .failure)
        #expect(
            finding.sentence.hasPrefix("task: response(200): exit is missing, wanted one before the task goes on: "))
        #expect(try Self.calls("response /response data data /data complete /complete").map(\.event) == [4])
        #expect(try Self.calls("response /response data@t1 data@t2 /data@t2 complete /complete").map(\.event) == [4])
    }

    @Test func `the word in JSON is content`() throws {
        let verdict = try grade(try makeCase(), "resume complete(timedOut){domain=NSURLErrorDomain,code=-1009}")
        #expect(verdict.outcome == .fail)
        #expect(String(decoding: verdict.json, as: UTF8.self).contains(#""about":"content","weight":"failure""#))
    }

    @Test func `a ledger lists the fault by its rule`() throws {
        let ledger = Ledger(
            client: "c", rules: [Ledger.KnownRule(subject: RuleNumber(43), because: "it does", location: place)],
            deviations: [])
        let verdict = try grade(
            try makeCase(), "resume complete(ok) invalidate(finish) sessionInvalid(cancelled)", ledger: ledger)
        #expect(verdict.findings.contains { $0.field == "error" && $0.known == "it does" }, "\(verdict)")
    }
}
