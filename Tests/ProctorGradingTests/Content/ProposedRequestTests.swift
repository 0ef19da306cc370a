import ProctorEvents
import ProctorScenario
import Testing

@testable import ProctorGrading

struct ProposedRequestTests {
    private static func trial(
        _ method: String = "GET", _ status: Int = 302, location: String = "/b", proposed: String,
        fields: String? = nil, request: [String] = ["Host: h:81"]
    ) throws -> ContentTrial {
        var trial = ContentTrial()
        trial.tell(.resume)
        try trial.exchange("\(method) /a/x?q", fields: request, status, ["Location: \(location)"])
        var facts: EventFacts = [EventFact(.proposed, .text(proposed))]
        if let fields { facts.append(EventFact(.proposedFields, .text(fields))) }
        trial.tell(.redirect, "\(status)", facts)
        return trial
    }

    @Test func `a request to somebody else fails, and the text names what is wrong with it`() throws {
        let findings = try Self.trial("GET", location: "/b", proposed: "POST http://evil.example/").findings()
        #expect(findings.map(\.field) == ["proposed method", "proposed URL"])
        #expect(findings.allSatisfy { $0.weight == .failure && $0.event == 2 && $0.lane == LaneID(.task) })
        #expect(
            findings[0].sentence
                == "task: redirect(302): proposed method is \"POST\", wanted GET: GET was answered with 302 (RFC 9110 §15.4.3)"
        )
        #expect(
            findings[1].sentence == "task: redirect(302): proposed URL is \"http://evil.example/\", wanted "
                + "\"http://h:81/b\": Location was \"/b\" (RFC 9110 §10.2.2)")
    }

    @Test(arguments: [
        ("/b", "http://h:81/b"), ("b", "http://h:81/a/b"), ("../c?d", "http://h:81/c?d"), ("?z", "http://h:81/a/x?z"),
        ("//o/p", "http://o/p"), ("http://o", "http://o/"), ("/%7eb", "http://h:81/~b"), ("/b#f", "http://h:81/b"),
        ("HTTP://O:80/P", "http://o/P"), ("", "http://h:81/a/x?q"), ("/b", "http://u:p@h:81/b#f"),
    ])
    func `what Location asks for is right, however it is spelled`(location: String, url: String) throws {
        #expect(try Self.trial(location: location, proposed: "GET \(url)").findings().isEmpty)
    }

    @Test(arguments: ["http://h:81/c", "http://h/b", "https://h:81/b", "http://h:81/b?q", "http://h:81/B", "file:///b"])
    func `anything else is wrong`(url: String) throws {
        #expect(try Self.trial(proposed: "GET \(url)").only().field == "proposed URL")
    }

    @Test(arguments: ["http:b", "/a b", "http://[/", "http://u@o/", "http://h%31/", "ftp://h/", "/\\b"])
    func `of a Location that clients read in several ways nothing is said`(location: String) throws {
        #expect(try Self.trial(location: location, proposed: "GET http://nobody.test/").findings().isEmpty)
    }

    @Test(arguments: [
        ("POST", 301, "GET"), ("POST", 301, "POST"), ("POST", 302, "GET"), ("PUT", 303, "GET"), ("HEAD", 303, "HEAD"),
        ("HEAD", 303, "GET"), ("POST", 307, "POST"), ("PUT", 308, "PUT"), ("DELETE", 302, "DELETE"),
    ])
    func `a method that the status asks for, or leaves open, is right`(before: String, status: Int, after: String)
        throws
    {
        #expect(try Self.trial(before, status, proposed: "\(after) http://h:81/b").findings().isEmpty)
    }

    @Test(arguments: [
        ("GET", 302, "POST"), ("POST", 303, "POST"), ("POST", 307, "GET"), ("PUT", 308, "GET"), ("POST", 301, "PUT"),
    ])
    func `a method that it forbids is a failure`(before: String, status: Int, after: String) throws {
        let finding = try Self.trial(before, status, proposed: "\(after) http://h:81/b").only()
        #expect(finding.field == "proposed method" && finding.weight == .failure)
    }

    @Test func `another method than POST that becomes GET is noted`() throws {
        #expect(try Self.trial("DELETE", 301, proposed: "GET http://h:81/b").only().weight == .observation)
    }

    @Test func `a secret that goes to another origin is noted`() throws {
        let request = ["Host: h", "Authorization: Basic eDp5"]
        let leak = try Self.trial(
            location: "http://o/", proposed: "GET http://o/", fields: "Accept: */*\nauthorization: Basic eDp5",
            request: request
        ).only()
        #expect(leak.weight == .observation && leak.field == "proposed field \"authorization\"")
        let same = try Self.trial(
            proposed: "GET http://h/b", fields: "Authorization: Basic eDp5", request: request)
        #expect(try same.findings().isEmpty)
        let other = try Self.trial(
            location: "http://o/", proposed: "GET http://o/", fields: "Authorization: Basic other", request: request)
        #expect(try other.findings().isEmpty)
    }

    @Test func `without a journal, without the fact, and where the status is another's nothing is said`() throws {
        let wrong = try Self.trial(proposed: "POST http://evil.example/")
        #expect(try wrong.findings(journal: false).isEmpty)
        var silent = ContentTrial()
        try silent.exchange("GET /a", 302, ["Location: /b"])
        silent.tell(.redirect, "302")
        #expect(try silent.findings().isEmpty)
        var other = ContentTrial()
        try other.exchange("GET /a", 302, ["Location: /b"])
        try other.exchange("GET /b", 307, ["Location: /c"])
        other.tell(.redirect, "302", [EventFact(.proposed, .text("GET http://h/z"))])
        #expect(try other.findings().isEmpty)
    }
}
