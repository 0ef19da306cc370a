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

    @Test func `the sent bytes pass, in any chunks`() throws {
        #expect(try Self.trial("hello world").findings().isEmpty)
        #expect(try Self.trial("h", "ello ", "world").findings().isEmpty)
        #expect(try Self.trial(content: nil, "anything").findings().isEmpty)
        #expect(try Self.trial(content: "", end: "ok").findings().isEmpty)
    }

    @Test func `content may come with its codings, but not half of it`() throws {
        #expect(try Self.trial(coded: "xyzuvw", "xyz", "uvw").findings().isEmpty)
        #expect(try Self.trial(coded: "xyzuvw", "xyz", "lo world").only().field == "bytes")
    }

    @Test func `other bytes fail, and the text says which were sent`() throws {
        let finding = try Self.trial("hello ", "there").only()
        #expect(finding.field == "bytes" && finding.weight == .failure && finding.rules == [RuleNumber(30)])
        #expect(finding.event == 4)
        let checksum = CRC32.checksum(of: "there".utf8)
        #expect(
            finding.sentence == #"task: data: bytes is 5 bytes that differ (crc32 \#(checksum)), wanted "world": "#
                + "the server sent that as byte 6 and those behind it")
    }

    @Test func `a lost chunk is noticed where its bytes are missing`() throws {
        #expect(try Self.trial("hello", "world").only().event == 4)
        let finding = try Self.trial("hello ").only()
        #expect(finding.field == "bytes of data" && finding.event == 4)
        #expect(finding.sentence.hasPrefix("task: complete(ok): bytes of data is 6, wanted 11: "))
        #expect(try Self.trial().only().field == "bytes of data")
    }

    @Test func `more than was sent fails`() throws {
        let finding = try Self.trial("hello world", "!").only()
        #expect(
            finding.sentence.contains(
                "bytes is 1, wanted at most 0: the server sent a content of 11 bytes, and 11 came"))
        #expect(try Self.trial(content: "", "x").only().rules == [RuleNumber(31)])
    }

    @Test func `content of a reply that is cut, or of a load that is cancelled or fails, need not be whole`() throws {
        #expect(try Self.trial(isCut: true, "hello").findings().isEmpty)
        #expect(try Self.trial("hello", end: "connectionLost").findings().isEmpty)
        var trial = ContentTrial()
        try trial.exchange("GET /a", 200, content: "hello")
        trial.report(.response, "200")
        trial.report(.cancel)
        trial.report(.complete, "ok")
        #expect(try trial.findings().isEmpty)
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

    @Test func `a whole body is compared too`() throws {
        func result(_ body: String, bytes: Int? = nil, error: String? = nil) throws -> [Finding] {
            var trial = ContentTrial()
            try trial.exchange("GET /a", 200, content: "hello world")
            var facts: EventFacts = [
                EventFact(.status, .integer(200)), EventFact(.bytes, .integer(bytes ?? body.utf8.count)),
                EventFact(.body, .text(body)),
            ]
            if let error { facts.append(EventFact(.error, .text(error))) }
            trial.report(.result, facts)
            return try trial.findings()
        }
        #expect(try result("hello world").isEmpty)
        #expect(try result("hello", error: "connectionLost").isEmpty)
        #expect(try result("hello there").map(\.field) == ["body"])
        #expect(try result("hello").map(\.field) == ["body"])
        #expect(Set(try result("hello", bytes: 12).map(\.field)) == ["body", "bytes"])
        let other = try result("hello there")
        #expect(
            other.first?.sentence
                == #"harness: result: body is "hello there", wanted "hello world": the server sent that"#)
    }

    @Test func `what a handler is given is a whole body`() throws {
        func handler(_ body: String) throws -> [Finding] {
            var trial = ContentTrial()
            try trial.exchange("GET /a", 200, content: "hello")
            trial.report(
                .handler, "ok", lane: .handler,
                facts: [
                    EventFact(.status, .integer(200)), EventFact(.bytes, .integer(body.utf8.count)),
                    EventFact(.crc32, .integer(Int(CRC32.checksum(of: body.utf8)))),
                ])
            return try trial.findings(try makeCase(tasks: [makeProgram(.handler)]))
        }
        #expect(try handler("hello").isEmpty)
        #expect(try handler("hallo").map(\.field) == ["bytes"])
        #expect(try handler("hell").map(\.field) == ["bytes"])
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

    @Test func `correct sums pass`() throws {
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
            trial.report(.downloadBegin)
            trial.report(.response, "200")
            for n in sizes { trial.report(.progress, [EventFact(.n, .integer(n))]) }
            var item = trial
            item.report(.complete, "ok")
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

    @Test func `what a failed load hands over is the beginning of what was sent`() throws {
        func result(_ body: String) throws -> [String?] {
            var trial = ContentTrial()
            try trial.exchange("GET /a", 200, content: "hello world", isCut: true)
            trial.report(
                .result,
                [
                    EventFact(.status, .integer(200)), EventFact(.bytes, .integer(body.utf8.count)),
                    EventFact(.body, .text(body)), EventFact(.error, .text("connectionLost")),
                ])
            return try trial.findings().map(\.field)
        }
        #expect(try result("").isEmpty && result("hello w").isEmpty)
        #expect(try result("00000") == ["body"])
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

    @Test func `results of steps that ran together are among what was served`() throws {
        func results(_ bodies: String...) throws -> [String?] {
            var trial = ContentTrial()
            for number in bodies.indices { trial.report(.resume, task: number) }
            try trial.exchange("GET /a", 200, content: "one")
            try trial.exchange("GET /b", 200, content: "two")
            for (number, body) in bodies.enumerated() {
                trial.report(
                    .result, task: number,
                    facts: [
                        EventFact(.status, .integer(200)), EventFact(.bytes, .integer(body.utf8.count)),
                        EventFact(.body, .text(body)),
                    ])
            }
            return try trial.findings(try makeCase(tasks: [makeProgram(), makeProgram()])).map(\.field)
        }
        #expect(try results("one", "two").isEmpty && results("two", "one").isEmpty)
        #expect(try results("one", "000") == ["body"])
        #expect(try results("one", "tw") == ["body"])
    }

    // MARK: Resumption

    @Test func `a resumed file has the bytes of each reply in their places`() throws {
        func file(_ body: String, earlier: String? = "hello world") throws -> [String?] {
            var trial = ContentTrial()
            if let earlier { try trial.exchange("GET /a", 200, content: earlier, isCut: true) }
            try trial.exchange(
                "GET /a", fields: ["Host: h", "Range: bytes=6-"], 206, reply: ["Content-Range: bytes 6-10/11"],
                content: "world")
            trial.report(
                .result,
                [
                    EventFact(.status, .integer(206)), EventFact(.bytes, .integer(body.utf8.count)),
                    EventFact(.body, .text(body)),
                ])
            return try trial.findings(try makeCase(tasks: [makeProgram(.download)])).map(\.field)
        }
        #expect(try file("hello world").isEmpty)
        #expect(try file("00000 world") == ["body"])
        #expect(try file("hello 00000") == ["body"])
        #expect(try file("world") == ["body"])
        #expect(try file("00000 world", earlier: nil).isEmpty)
        #expect(try file("hello 00000", earlier: nil) == ["body"])
    }

    private static func resumed(_ offset: Int, expected: Int = 11, _ status: Int = 206) throws -> [Finding] {
        var trial = ContentTrial()
        trial.report(.resume)
        let fields = status == 206 ? ["Content-Range: bytes 6-10/11", "Content-Length: 5"] : ["Content-Length: 11"]
        try trial.exchange(
            "GET /a", fields: ["Host: h", "Range: bytes=6-"], status, reply: fields,
            content: status == 206 ? "world" : "hello world")
        trial.report(
            .downloadResumed, "\(offset)",
            facts: [EventFact(.offset, .integer(offset)), EventFact(.expected, .integer(expected))])
        return try trial.findings(try makeCase(tasks: [makeProgram(.download)]))
    }

    @Test func `the offset is that of Content-Range`() throws {
        #expect(try Self.resumed(6).isEmpty)
        #expect(try Self.resumed(6, expected: -1).map(\.field) == ["expected"])
        let wrong = try Self.resumed(5)
        #expect(wrong.map(\.field) == ["offset"] && wrong[0].weight == .failure)
        #expect(
            wrong[0].sentence.hasSuffix(#"offset is 5, wanted 6: Content-Range was "bytes 6-10/11" (RFC 9110 §14.4)"#))
        #expect(try Self.resumed(6, expected: 5).map(\.field) == ["expected"])
    }

    @Test func `the content of a 200 begins at 0`() throws {
        #expect(try Self.resumed(0, 200).isEmpty)
        #expect(try Self.resumed(6, 200).map(\.field) == ["offset"])
    }

    @Test func `a resumed file is what there was and what came`() throws {
        func file(_ count: Int) throws -> [Finding] {
            var trial = ContentTrial()
            try trial.exchange(
                "GET /a", fields: ["Host: h", "Range: bytes=6-"], 206, reply: ["Content-Range: bytes 6-10/11"],
                content: "world")
            trial.report(.downloadResumed, "6", facts: [EventFact(.offset, .integer(6))])
            trial.report(.progress, Self.facts(5, total: 11, expected: 11))
            trial.report(.fileReady, [EventFact(.bytes, .integer(count))])
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
        trial.report(.resume)
        for _ in 0..<requests {
            try trial.exchange("PUT /a", fields: ["Host: h", "Content-Length: 10"], body: "0123456789", 200)
        }
        for (n, total, expected) in totals { trial.report(.bodySent, Self.facts(n, total: total, expected: expected)) }
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
