import ProctorEvents
import ProctorScenario
import Testing

@testable import ProctorGrading

struct ResponseContentTests {
    private static func facts(
        url: String = "http://h/a", status: Int = 200, mime: String = "text/plain", length: Int = 5,
        fields: String? = nil
    ) -> EventFacts {
        var facts: EventFacts = [
            EventFact(.url, .text(url)), EventFact(.status, .integer(status)), EventFact(.mime, .text(mime)),
            EventFact(.expectedLength, .integer(length)),
        ]
        if let fields { facts.append(EventFact(.fields, .text(fields))) }
        return facts
    }

    private static let fields = ["Content-Type: text/plain; charset=utf-8", "Content-Length: 5", "X-A: 1", "X-A: 2"]

    private static func trial(_ facts: EventFacts, status: String = "200") throws -> ContentTrial {
        var trial = ContentTrial()
        trial.tell(.resume)
        try trial.exchange("GET /a", 200, fields, content: "hello")
        trial.tell(.response, status, facts)
        trial.tell(data: "hello")
        trial.tell(.complete, "ok")
        return trial
    }

    @Test(arguments: [
        facts(), facts(url: "http://H:80/a#f"), facts(mime: "TEXT/plain"), facts(length: -1),
        facts(fields: "content-type: text/plain; charset=utf-8\nX-A: 1, 2"), facts(fields: "X-A: 2"),
        facts(fields: "X-A: 1,2"),
    ])
    func `what was sent is right`(facts: EventFacts) throws {
        #expect(try Self.trial(facts).findings().isEmpty)
    }

    @Test(arguments: [
        (facts(url: "http://h/b"), "url"), (facts(url: "http://evil.example/a"), "url"), (facts(status: 201), "status"),
        (facts(mime: "text/html"), "mime"), (facts(length: 6), "expectedLength"), (facts(length: 0), "expectedLength"),
        (facts(fields: "X-A: 3"), "field \"X-A\""), (facts(fields: "X-B: 1"), "field \"X-B\""),
    ])
    func `what was not sent fails, by the name of the field`(facts: EventFacts, field: String) throws {
        let finding = try Self.trial(facts).only()
        #expect(finding.field == field && finding.weight == .failure, "\(finding)")
        #expect(finding.sentence.contains("response(200): \(field) is "), "\(finding)")
    }

    @Test func `a status that no reply had fails, and the request is named`() throws {
        var trial = ContentTrial()
        try trial.exchange("GET /a", 404)
        trial.tell(.response, "200", [EventFact(.url, .text("http://h/b"))])
        let finding = try trial.only()
        #expect(finding.sentence.hasSuffix("status is 200, wanted 404: the server answered GET /a with it"))
    }

    @Test func `a result with a status that the server never sent fails`() throws {
        var trial = ContentTrial()
        try trial.exchange("GET /a", 404)
        trial.tell(.result, nil, [EventFact(.status, .integer(200))])
        let finding = try trial.only()
        #expect(finding.sentence.hasSuffix("status is 200, wanted that of a reply: the server sent no reply with it"))
    }

    @Test func `the reply that counts is the last one before the event`() throws {
        var trial = ContentTrial()
        try trial.exchange("GET /a", 200, Self.fields, content: "hello")
        try trial.exchange("GET /b", 200, ["Content-Type: a/b"])
        trial.tell(.response, "200", Self.facts(url: "http://h/b", mime: "a/b", length: -1))
        #expect(try trial.findings().isEmpty)
        trial.tell(.response, "200", Self.facts())
        #expect(Set(try trial.findings().map(\.field)) == ["url", "mime", "expectedLength"])
    }

    @Test func `coded content may have either length`() throws {
        for (length, isRight) in [(-1, true), (5, true), (9, true), (7, false)] {
            var trial = ContentTrial()
            try trial.exchange(
                "GET /a", 200, ["Content-Encoding: gzip", "Content-Length: 9"], content: "hello", coded: "xxxxxxxxx")
            trial.tell(.response, "200", [EventFact(.expectedLength, .integer(length))])
            #expect(try trial.findings().isEmpty == isRight, "\(length)")
        }
    }

    @Test func `parts of multipart are responses of their own`() throws {
        var trial = ContentTrial()
        try trial.exchange("GET /a", 200, ["Content-Type: multipart/x-mixed-replace; boundary=b"], content: "--b")
        trial.tell(.response, "200", [EventFact(.mime, .text("text/plain")), EventFact(.expectedLength, .integer(3))])
        #expect(try trial.findings().isEmpty)
    }

    @Test func `what may come from a cache is not judged`() throws {
        let item = try makeCase(tasks: [makeProgram(session: SessionProgram(cache: 1000))])
        var trial = ContentTrial()
        try trial.exchange("GET /a", 304)
        trial.tell(.response, "200", Self.facts(url: "http://h/z"))
        #expect(try trial.findings(item).isEmpty)
    }

    @Test func `a result of a load that failed is not judged, and one that did not is`() throws {
        var trial = ContentTrial()
        try trial.exchange("GET /a", 200, Self.fields, content: "hello")
        trial.tell(.result, Self.facts(url: "http://h/z").appending(EventFact(.error, .text("timedOut"))))
        #expect(try trial.findings().isEmpty)
        trial.tell(.result, Self.facts(url: "http://h/z"))
        #expect(try trial.only().field == "url")
    }
}

extension EventFacts {
    func appending(_ fact: EventFact) -> EventFacts { EventFacts(Array(self) + [fact]) }
}
