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
        trial.tell(.resume)
        try trial.exchange("GET /a", 200, content: content, coded: coded, isCut: isCut)
        trial.tell(.response, "200")
        for chunk in chunks { trial.tell(data: chunk) }
        trial.tell(.complete, end)
        return trial
    }

    @Test func `the bytes that were sent are right, in whatever chunks`() throws {
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
        let checksum = CRC32.of("there".utf8)
        #expect(
            finding.sentence == "task: data: bytes is 5 bytes that differ (crc32 \(checksum)), wanted \"world\": "
                + "the server sent that as byte 6 and those behind it")
    }

    @Test func `one of several that is lost is noticed where its bytes are missing`() throws {
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

    @Test func `what is cut, cancelled or ends with an error need not be whole`() throws {
        #expect(try Self.trial(isCut: true, "hello").findings().isEmpty)
        #expect(try Self.trial("hello", end: "connectionLost").findings().isEmpty)
        var trial = ContentTrial()
        try trial.exchange("GET /a", 200, content: "hello")
        trial.tell(.response, "200")
        trial.tell(.cancel)
        trial.tell(.complete, "ok")
        #expect(try trial.findings().isEmpty)
    }

    @Test func `bytes behind those that are kept are counted`() throws {
        func findings(_ last: Int) throws -> [Finding] {
            var trial = ContentTrial()
            let kept = [UInt8](repeating: 0x61, count: SentContent.keptByteLimit)
            try trial.exchange("GET /a", 200, whole: SentContent(byteCount: kept.count + 3, kept: kept))
            trial.tell(.response, "200")
            trial.tell(data: String(repeating: "a", count: kept.count))
            trial.tell(.data, [EventFact(.bytes, .integer(last)), EventFact(.crc32, .integer(1))])
            trial.tell(.complete, "ok")
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
            trial.tell(.result, facts)
            return try trial.findings()
        }
        #expect(try result("hello world").isEmpty)
        #expect(try result("hello", error: "connectionLost").isEmpty)
        #expect(try result("hello there").map(\.field) == ["body"])
        #expect(try result("hello").map(\.field) == ["body"])
        #expect(try result("hello", bytes: 12).map(\.field) == ["bytes"])
        let other = try result("hello there")
        #expect(
            other.first?.sentence
                == "harness: result: body is \"hello there\", wanted \"hello world\": the server sent that")
    }

    @Test func `what a handler is given is a whole body`() throws {
        func handler(_ body: String) throws -> [Finding] {
            var trial = ContentTrial()
            try trial.exchange("GET /a", 200, content: "hello")
            trial.tell(
                .handler, "ok", lane: .handler,
                [
                    EventFact(.status, .integer(200)), EventFact(.bytes, .integer(body.utf8.count)),
                    EventFact(.crc32, .integer(Int(CRC32.of(body.utf8)))),
                ])
            return try trial.findings(try makeCase(tasks: [makeProgram(.handler)]))
        }
        #expect(try handler("hello").isEmpty)
        #expect(try handler("hallo").map(\.field) == ["bytes"])
        #expect(try handler("hell").map(\.field) == ["bytes"])
    }
}
