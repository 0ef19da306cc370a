import ProctorBase
import ProctorEvents
import ProctorJournal
import ProctorScenario
import Testing

@testable import ProctorGrading
@testable import ProctorProgram

struct DataContentTests {
    private static func trial(
        content: String? = "hello world", coded: String? = nil, isCut: Bool = false, _ chunks: String...,
        end: String = "ok"
    ) throws -> ContentTrial {
        var trial = ContentTrial()
        trial.report(.resume)
        try trial.exchange("GET /a", 200, content: content, coded: coded, isCut: isCut)
        trial.report(.response, "200")
        for chunk in chunks { trial.report(data: chunk) }
        trial.report(.complete, end)
        return trial
    }

    @Test func `bytes behind the kept ones are counted`() throws {
        func findings(_ last: Int) throws -> [Finding] {
            var trial = ContentTrial()
            let kept = [UInt8](repeating: 0x61, count: SentContent.keptByteLimit)
            try trial.exchange("GET /a", 200, whole: SentContent(byteCount: kept.count + 3, kept: kept))
            trial.report(.response, "200")
            trial.report(data: String(repeating: "a", count: kept.count))
            trial.report(.data, [EventFact(.bytes, .integer(last)), EventFact(.crc32, .integer(1))])
            trial.report(.complete, "ok")
            return try trial.findings()
        }
        #expect(try findings(3).isEmpty)
        #expect(try findings(2).map(\.field) == ["bytes of data"])
        #expect(try findings(4).map(\.field) == ["bytes"])
    }

    @Test func `a log may leave out chunks`() throws {
        let trial = try Self.trial("hello")
        var evidence = CaseEvidence(events: trial.events, journal: trial.journal.entries)
        evidence.isPartial = true
        let verdict = CaseGrader(try makeCase(), scenario: "s").grade(evidence)
        #expect(!verdict.findings.contains { $0.field != nil }, "\(verdict)")
        #expect(verdict.notJudged.contains { $0.contains("a log need not have every event") })
    }
}

/// Totals of downloads and uploads, and where a download goes on.
struct TransferContentTests {
    private static func facts(_ n: Int, total: Int, expected: Int) -> EventFacts {
        [EventFact(.n, .integer(n)), EventFact(.total, .integer(total)), EventFact(.expected, .integer(expected))]
    }

    // MARK: Downloads

    private static func download(_ totals: (n: Int, total: Int, expected: Int)..., length: Bool = true) throws
        -> [Finding]
    {
        var trial = ContentTrial()
        trial.report(.resume)
        try trial.exchange("GET /a", 200, reply: length ? ["Content-Length: 11"] : [], content: "hello world")
        for (n, total, expected) in totals { trial.report(.progress, Self.facts(n, total: total, expected: expected)) }
        return try trial.findings(try makeCase(tasks: [makeProgram(.download)]))
    }

    @Test func `a body longer than what is kept is compared as far as that goes`() throws {
        func result(_ letter: Character) throws -> [String?] {
            var trial = ContentTrial()
            let kept = [UInt8](repeating: 0x61, count: SentContent.keptByteLimit)
            try trial.exchange("GET /a", 200, whole: SentContent(byteCount: kept.count + 3, kept: kept))
            let body = String(repeating: letter, count: kept.count + 3)
            trial.report(
                .result,
                [
                    EventFact(.status, .integer(200)), EventFact(.bytes, .integer(kept.count + 3)),
                    EventFact(.body, .text(body)),
                ])
            return try trial.findings().map(\.field)
        }
        #expect(try result("a").isEmpty)
        #expect(try result("0") == ["body"])
    }

    // MARK: Resumption

    // MARK: Uploads

}
