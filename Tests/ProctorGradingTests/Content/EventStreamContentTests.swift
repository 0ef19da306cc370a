import ProctorEvents
import ProctorProgram
import ProctorScenario
import Testing

@testable import ProctorGrading

/// What an event source tells, against the streams that were served.
struct EventStreamContentTests {
    private struct Told {
        var type = "message"
        var data: String
        var id = ""
        var origin: String?
    }

    private static let type = ["Content-Type: text/event-stream"]

    private static func makeItem() throws -> Case {
        var item = try makeCase()
        item.client[0].step.task = .eventSource
        return item
    }

    /// The findings about one stream, whose end the client tells with `end`, and a 204 behind it.
    private static func findings(
        _ stream: String, told: [Told], end: String = "retry", status: Int = 200, type: [String] = type,
        isCut: Bool = false, then further: (inout ContentTrial) throws -> Void = { _ in }
    ) throws -> [Finding] {
        var trial = ContentTrial()
        trial.report(.resume)
        try trial.exchange("GET /a", status, reply: type, content: stream, isCut: isCut)
        for event in told { report(event, to: &trial) }
        trial.report(.esError, end)
        try further(&trial)
        return try trial.findings(makeItem())
    }

    private static func report(_ event: Told, to trial: inout ContentTrial) {
        var facts: EventFacts = [
            EventFact(.data, .text(event.data)), EventFact(.lastEventId, .text(event.id)),
            EventFact(.bytes, .integer(event.data.utf8.count)),
        ]
        if let origin = event.origin { facts.append(EventFact(.origin, .text(origin))) }
        trial.report(.esEvent, event.type, facts: facts)
    }

    @Test func `events as they were served pass`() throws {
        let stream = ": hello\nid: 1\nevent: add\ndata: one\ndata: two\n\ndata: three\n\nid: 9\n"
        let events = [Told(type: "add", data: "one\ntwo", id: "1"), Told(data: "three", id: "1", origin: "http://h")]
        #expect(try Self.findings(stream, told: events).isEmpty)
    }

    @Test(arguments: [
        ("type", Told(type: "message", data: "one\ntwo", id: "1"), #""add""#),
        ("data", Told(type: "add", data: "onetwo", id: "1"), #""one\ntwo""#),
        ("lastEventId", Told(type: "add", data: "one\ntwo"), #""1""#),
        ("origin", Told(type: "add", data: "one\ntwo", id: "1", origin: "http://g"), #""http://h""#),
    ])
    private func `an event with another value fails`(field: String, event: Told, wanted: String) throws {
        let findings = try Self.findings("id: 1\nevent: add\ndata: one\ndata: two\n\n", told: [event])
        #expect(findings.map(\.field) == [field] && findings.map(\.wanted) == [wanted], "\(findings)")
    }

    @Test func `every event of a stream that was sent whole must be told of, and no other one`() throws {
        let stream = "data: one\n\ndata: two\n\ndata: open\n"
        let one = Told(data: "one")
        let two = Told(data: "two")
        #expect(try Self.findings(stream, told: [one, two]).isEmpty)
        #expect(try Self.findings(stream, told: [one]).map(\.field) == ["events"])
        #expect(try Self.findings(stream, told: [one, two, Told(data: "open")]).map(\.field) == ["events"])
        #expect(try Self.findings(stream, told: [one], isCut: true).isEmpty)
        #expect(try Self.findings(stream, told: [two], isCut: true).map(\.field) == ["data"])
    }

    @Test func `a last event ID holds over connections`() throws {
        let stream = "id: 1\ndata: one\n\n"
        func second(_ id: String) throws -> [Finding] {
            try Self.findings(stream, told: [Told(data: "one", id: "1")]) { trial in
                try trial.exchange("GET /a", 200, reply: Self.type, content: "data: two\n\n")
                Self.report(Told(data: "two", id: id), to: &trial)
                trial.report(.esError, "retry")
            }
        }
        #expect(try second("1").isEmpty)
        #expect(try second("").map(\.field) == ["lastEventId"])
    }

    @Test func `behind a stream that was cut any part of it may have come`() throws {
        func second(_ id: String) throws -> [Finding] {
            let stream = "id: 1\ndata: one\n\nid: 2\n\nid: 3\ndata: three\n\n"
            return try Self.findings(stream, told: [Told(data: "one", id: "1")], isCut: true) { trial in
                try trial.exchange("GET /a", 200, reply: Self.type, content: "data: four\n\n")
                Self.report(Told(data: "four", id: id), to: &trial)
                trial.report(.esError, "retry")
            }
        }
        for id in ["1", "2", "3"] { #expect(try second(id).isEmpty) }
        #expect(try second("4").map(\.field) == ["lastEventId"])
    }

    @Test func `the next request comes no earlier than retry says`() throws {
        func again(_ retry: Int) throws -> [Finding] {
            try Self.findings("retry: \(retry)\ndata: one\n\n", told: [Told(data: "one")]) { trial in
                try trial.exchange("GET /a", 204)
                trial.report(.esError, "fatal")
            }
        }
        #expect(try again(4).isEmpty)
        let findings = try again(400)
        #expect(findings.map(\.field) == ["wait"] && findings.map(\.wanted) == ["at least 400 ms"], "\(findings)")
    }

    @Test func `a reply that is no stream ends the event source, and has no events`() throws {
        let stream = "data: one\n\n"
        let text = ["Content-Type: text/plain"]
        #expect(try Self.findings(stream, told: [], end: "fatal", type: text).isEmpty)
        #expect(try Self.findings(stream, told: [], end: "fatal", status: 404).isEmpty)
        #expect(try Self.findings(stream, told: [], status: 404).map(\.field) == ["error"])
        #expect(
            try Self.findings(stream, told: [Told(data: "one")], end: "fatal", type: text).map(\.field) == ["events"])
        #expect(try Self.findings(stream, told: [Told(data: "one")], end: "fatal").map(\.field) == ["error"])
    }
}
