import ProctorEvents
import ProctorScenario
import Testing

@testable import ProctorGrading
@testable import ProctorProgram

/// Totals of downloads and uploads, and where a download goes on.
struct TransferContentTests {
    private static func facts(_ n: Int, _ total: Int, _ expected: Int) -> EventFacts {
        [EventFact(.n, .integer(n)), EventFact(.total, .integer(total)), EventFact(.expected, .integer(expected))]
    }

    // MARK: Downloads

    private static func download(_ totals: (n: Int, total: Int, expected: Int)..., length: Bool = true) throws
        -> [Finding]
    {
        var trial = ContentTrial()
        trial.tell(.resume)
        try trial.exchange("GET /a", 200, length ? ["Content-Length: 11"] : [], content: "hello world")
        for (n, total, expected) in totals { trial.tell(.progress, Self.facts(n, total, expected)) }
        return try trial.findings(try makeCase(tasks: [makeProgram(.download)]))
    }

    @Test func `sums that fit are right`() throws {
        #expect(try Self.download((5, 5, 11), (6, 11, 11)).isEmpty)
        #expect(try Self.download((5, 5, -1), (6, 11, -1), length: false).isEmpty)
    }

    @Test func `totals that go back, that are no sums or that go beyond fail`() throws {
        let back = try Self.download((5, 5, 11), (2, 3, 11))
        #expect(back.map(\.field) == ["total"] && back[0].weight == .failure && back[0].rules == [RuleNumber(34)])
        #expect(
            back[0].sentence == "task: progress: total is 3, wanted at least 5: it was 5 before, and never goes back")
        #expect(try Self.download((5, 5, 11), (6, 10, 11)).map(\.wanted) == ["11"])
        #expect(try Self.download((5, 5, 4)).map(\.field) == ["total", "expected"])
        #expect(try Self.download((12, 12, -1), length: false).map(\.wanted) == ["at most 11"])
        #expect(try Self.download((5, 5, 12)).map(\.field) == ["expected"])
    }

    @Test func `NSURLDownload tells how much came, and no more than was sent can come`() throws {
        func findings(_ sizes: Int...) throws -> [Finding] {
            var trial = ContentTrial()
            try trial.exchange("GET /a", 200, content: "hello")
            trial.tell(.downloadBegin)
            trial.tell(.response, "200")
            for n in sizes { trial.tell(.progress, [EventFact(.n, .integer(n))]) }
            var item = trial
            item.tell(.complete, "ok")
            let events = item.events.map { event in
                var event = event
                event.family = .download
                return event
            }
            let evidence = CaseEvidence(
                events: events, reportedLanes: [.task, .harness], journal: item.journal.entries)
            return CaseGrader(try makeCase(tasks: [makeProgram(.download)]), scenario: "s").grade(evidence).findings
                .filter { $0.field != nil }
        }
        #expect(try findings(2, 3).isEmpty)
        #expect(try findings(3, 3).map(\.field) == ["n"])
    }

    // MARK: Resumption

    private static func resumed(_ offset: Int, expected: Int = 11, _ status: Int = 206) throws -> [Finding] {
        var trial = ContentTrial()
        trial.tell(.resume)
        let fields = status == 206 ? ["Content-Range: bytes 6-10/11", "Content-Length: 5"] : ["Content-Length: 11"]
        try trial.exchange(
            "GET /a", fields: ["Host: h", "Range: bytes=6-"], status, fields,
            content: status == 206 ? "world" : "hello world")
        trial.tell(
            .downloadResumed, "\(offset)",
            [EventFact(.offset, .integer(offset)), EventFact(.expected, .integer(expected))])
        return try trial.findings(try makeCase(tasks: [makeProgram(.download)]))
    }

    @Test func `the offset is that of Content-Range`() throws {
        #expect(try Self.resumed(6).isEmpty)
        #expect(try Self.resumed(6, expected: -1).isEmpty)
        let wrong = try Self.resumed(5)
        #expect(wrong.map(\.field) == ["offset"] && wrong[0].weight == .failure)
        #expect(
            wrong[0].sentence.hasSuffix(
                "offset is 5, wanted 6: Content-Range was \"bytes 6-10/11\" (RFC 9110 §14.4)"))
        #expect(try Self.resumed(6, expected: 5).map(\.field) == ["expected"])
    }

    @Test func `what a 200 brings begins at 0`() throws {
        #expect(try Self.resumed(0, 200).isEmpty)
        #expect(try Self.resumed(6, 200).map(\.field) == ["offset"])
    }

    @Test func `a resumed file is what there was and what came`() throws {
        func file(_ count: Int) throws -> [Finding] {
            var trial = ContentTrial()
            try trial.exchange(
                "GET /a", fields: ["Host: h", "Range: bytes=6-"], 206, ["Content-Range: bytes 6-10/11"],
                content: "world")
            trial.tell(.downloadResumed, "6", [EventFact(.offset, .integer(6))])
            trial.tell(.progress, Self.facts(5, 11, 11))
            trial.tell(.fileReady, [EventFact(.bytes, .integer(count))])
            return try trial.findings(try makeCase(tasks: [makeProgram(.download)]))
        }
        #expect(try file(11).isEmpty)
        #expect(try file(5).map(\.field) == ["bytes"])
    }

    // MARK: Uploads

    private static func upload(
        _ totals: (n: Int, total: Int, expected: Int)..., requests: Int = 1, hasJournal: Bool = true
    ) throws -> [Finding] {
        var trial = ContentTrial()
        trial.tell(.resume)
        for _ in 0..<requests {
            try trial.exchange("PUT /a", fields: ["Host: h", "Content-Length: 10"], body: "0123456789", 200)
        }
        for (n, total, expected) in totals { trial.tell(.bodySent, Self.facts(n, total, expected)) }
        return try trial.findings(try makeCase(tasks: [makeProgram(.upload)]), journal: hasJournal)
    }

    @Test func `totals of one transmission are sums up to the length of the body`() throws {
        #expect(try Self.upload((4, 4, 10), (6, 10, 10)).isEmpty)
        #expect(try Self.upload((10, 10, -1)).isEmpty)
        #expect(try Self.upload((4, 4, 10), (6, 11, 10)).map(\.field) == ["total"])
        #expect(try Self.upload((4, 4, 10), (2, 2, 10)).map(\.wanted) == ["at least 4"])
        #expect(try Self.upload((4, 4, 20)).map(\.field) == ["expected"])
        let beyond = try Self.upload((20, 20, 20))
        #expect(beyond.map(\.field) == ["total"])
        #expect(beyond.allSatisfy { $0.weight == .failure && $0.rules == [RuleNumber(23)] })
        #expect(
            beyond.contains {
                $0.sentence == "task: bodySent: total is 20, wanted at most 10: the 1 request with a body had no more"
            })
    }

    @Test func `a body that went out twice may count both`() throws {
        #expect(try Self.upload((10, 10, 10), (10, 20, 10), requests: 2).isEmpty)
        #expect(try Self.upload((10, 10, 10), (10, 30, 10), requests: 2).map(\.field) == ["total"])
        #expect(try Self.upload((10, 10, 10), (4, 4, 10), requests: 2).isEmpty)
    }

    @Test func `without a journal a total that starts over may be a second transmission`() throws {
        #expect(try Self.upload((10, 10, 10), (4, 4, 10), hasJournal: false).isEmpty)
        #expect(try Self.upload((10, 10, 10), (4, 5, 10), hasJournal: false).map(\.field) == ["total"])
        #expect(try Self.upload((10, 10, 9), hasJournal: false).map(\.wanted) == ["at most 9"])
    }
}
