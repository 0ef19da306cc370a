import ProctorEvents
import ProctorJournal
import ProctorProgram
import Testing

@testable import ProctorGrading
@testable import ProctorScenario

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
        trial.report(.resume)
        try trial.exchange("GET /a", 200, reply: fields, content: "hello")
        trial.report(.response, status, facts: facts)
        trial.report(data: "hello")
        trial.report(.complete, "ok")
        return trial
    }

    @Test(arguments: [
        facts(), facts(url: "http://H:80/a#f"), facts(mime: "TEXT/plain"), facts(length: -1),
        facts(fields: "content-type: text/plain; charset=utf-8\nX-A: 1, 2"), facts(fields: "X-A: 2"),
        facts(fields: "X-A: 1,2"),
    ]) func `the sent values pass`(facts: EventFacts) throws { #expect(try Self.trial(facts).findings().isEmpty) }

    @Test(arguments: [
        (facts(url: "http://h/b"), "url"), (facts(url: "http://evil.example/a"), "url"), (facts(status: 201), "status"),
        (facts(mime: "text/html"), "mime"), (facts(length: 6), "expectedLength"), (facts(length: 0), "expectedLength"),
        (facts(fields: "X-A: 3"), #"field "X-A""#), (facts(fields: "X-B: 1"), #"field "X-B""#),
    ]) func `a callback with other values fails, by the name of the field`(facts: EventFacts, field: String) throws {
        let finding = try Self.trial(facts).only()
        #expect(finding.field == field && finding.weight == .failure, "\(finding)")
        #expect(finding.sentence.contains("response(200): \(field) is "), "\(finding)")
    }

    @Test func `a status that no reply had fails, and the request is named`() throws {
        var trial = ContentTrial()
        try trial.exchange("GET /a", 404)
        trial.report(.response, "200", facts: [EventFact(.url, .text("http://h/b"))])
        let finding = try trial.only()
        #expect(finding.sentence.hasSuffix("status is 200, wanted 404: the server answered GET /a with it"))
    }

    @Test func `a result with a status that the server never sent fails`() throws {
        var trial = ContentTrial()
        try trial.exchange("GET /a", 404)
        trial.report(.result, nil, facts: [EventFact(.status, .integer(200))])
        let finding = try trial.only()
        #expect(finding.sentence.hasSuffix("status is 200, wanted that of a reply: the server sent no reply with it"))
    }

    @Test(arguments: [("frame HEADERS", true), ("send 40 bytes", true), ("ping", false), ("wait 10ms", false)])
    func `what an effect sends may be a reply of any status`(action: String, isReply: Bool) throws {
        var trial = ContentTrial()
        try trial.exchange("GET /a", 404)
        trial.journal.add(.effectPlayed(PlayedEffect(action: action, at: "head")), request: 0)
        trial.report(.result, nil, facts: [EventFact(.status, .integer(200))])
        #expect(try trial.findings().isEmpty == isReply)
    }

    @Test func `the reply that counts is the last one before the event`() throws {
        var trial = ContentTrial()
        try trial.exchange("GET /a", 200, reply: Self.fields, content: "hello")
        try trial.exchange("GET /b", 200, reply: ["Content-Type: a/b"])
        trial.report(.response, "200", facts: Self.facts(url: "http://h/b", mime: "a/b", length: -1))
        #expect(try trial.findings().isEmpty)
        trial.report(.response, "200", facts: Self.facts())
        #expect(Set(try trial.findings().map(\.field)) == ["url", "mime", "expectedLength", "response"])
    }

    @Test func `coded content may have either length`() throws {
        for (length, isRight) in [(-1, true), (5, true), (9, true), (7, false)] {
            var trial = ContentTrial()
            try trial.exchange(
                "GET /a", 200, reply: ["Content-Encoding: gzip", "Content-Length: 9"], content: "hello",
                coded: "xxxxxxxxx")
            trial.report(.response, "200", facts: [EventFact(.expectedLength, .integer(length))])
            #expect(try trial.findings().isEmpty == isRight, "\(length)")
        }
    }

    @Test func `parts of multipart are responses of their own`() throws {
        var trial = ContentTrial()
        try trial.exchange(
            "GET /a", 200, reply: ["Content-Type: multipart/x-mixed-replace; boundary=b"],
            content: "--b\r\nContent-Type: text/plain\r\n\r\none\r\n--b--\r\n")
        trial.report(
            .response, "200", facts: [EventFact(.mime, .text("text/plain")), EventFact(.expectedLength, .integer(3))])
        #expect(try trial.findings().isEmpty)
        trial.report(.response, "200", facts: [EventFact(.mime, .text("image/png"))])
        #expect(try trial.only().field == "mime")
    }

    @Test func `a reply that may come from a cache is not judged`() throws {
        let item = try makeCase(tasks: [makeProgram(session: SessionProgram { $0.cache = 1000 })])
        var trial = ContentTrial()
        try trial.exchange("GET /a", 304)
        trial.report(.response, "200", facts: Self.facts(url: "http://h/z"))
        #expect(try trial.findings(item).isEmpty)
    }

    @Test func `what a result tells of a reply is judged, whether the load failed or not`() throws {
        var trial = ContentTrial()
        try trial.exchange("GET /a", 200, reply: Self.fields, content: "hello")
        trial.report(.result, Self.facts(url: "http://h/z").appending(EventFact(.error, .text("timedOut"))))
        #expect(try trial.only().field == "url")
        trial.report(.result, Self.facts(url: "http://h/z"))
        #expect(try trial.only().field == "url")
    }
}

extension EventFacts { func appending(_ fact: EventFact) -> EventFacts { EventFacts(Array(self) + [fact]) } }

struct ProposedRequestTests {
    private static func trial(
        _ method: String = "GET", _ status: Int = 302, location: String = "/b", proposed: String, fields: String? = nil,
        request: [String] = ["Host: h:81"]
    ) throws -> ContentTrial {
        var trial = ContentTrial()
        trial.report(.resume)
        try trial.exchange("\(method) /a/x?q", fields: request, status, reply: ["Location: \(location)"])
        var facts: EventFacts = [EventFact(.proposed, .text(proposed))]
        if let fields { facts.append(EventFact(.proposedFields, .text(fields))) }
        trial.report(.redirect, "\(status)", facts: facts)
        return trial
    }

    @Test func `a proposed request to another host fails, and the text names the fault`() throws {
        let findings = try Self.trial("GET", location: "/b", proposed: "POST http://evil.example/").findings()
        #expect(findings.map(\.field) == ["proposed method", "proposed URL"])
        #expect(findings.allSatisfy { $0.weight == .failure && $0.event == 2 && $0.lane == LaneID(.task) })
        #expect(
            findings[0].sentence
                == #"task: redirect(302): proposed method is "POST", wanted GET: GET was answered with 302 (RFC 9110 §15.4.3)"#
        )
        #expect(
            findings[1].sentence == #"task: redirect(302): proposed URL is "http://evil.example/", wanted "#
                + #""http://h:81/b": Location was "/b" (RFC 9110 §10.2.2)"#)
    }

    @Test(arguments: [
        ("/b", "http://h:81/b"), ("b", "http://h:81/a/b"), ("../c?d", "http://h:81/c?d"), ("?z", "http://h:81/a/x?z"),
        ("//o/p", "http://o/p"), ("http://o", "http://o/"), ("/%7eb", "http://h:81/~b"), ("/b#f", "http://h:81/b"),
        ("HTTP://O:80/P", "http://o/P"), ("", "http://h:81/a/x?q"), ("/b", "http://u:p@h:81/b#f"),
    ]) func `what Location asks for is right, however it is spelled`(location: String, url: String) throws {
        #expect(try Self.trial(location: location, proposed: "GET \(url)").findings().isEmpty)
    }

    @Test(arguments: ["http://h:81/c", "http://h/b", "https://h:81/b", "http://h:81/b?q", "http://h:81/B", "file:///b"])
    func `another URL than that of Location fails`(url: String) throws {
        #expect(try Self.trial(proposed: "GET \(url)").only().field == "proposed URL")
    }

    @Test(arguments: ["http:b", "/a b", "http://[/", "http://u@o/", "http://h%31/", "ftp://h/", "/\\b"])
    func `a Location that clients read in several ways is not judged`(location: String) throws {
        #expect(try Self.trial(location: location, proposed: "GET http://nobody.test/").findings().isEmpty)
    }

    @Test(arguments: [
        ("POST", 301, "GET"), ("POST", 301, "POST"), ("POST", 302, "GET"), ("PUT", 303, "GET"), ("HEAD", 303, "HEAD"),
        ("HEAD", 303, "GET"), ("POST", 307, "POST"), ("PUT", 308, "PUT"), ("DELETE", 302, "DELETE"),
    ]) func `a method that the status asks for, or leaves open, is right`(before: String, status: Int, after: String)
        throws
    { #expect(try Self.trial(before, status, proposed: "\(after) http://h:81/b").findings().isEmpty) }

    @Test(arguments: [
        ("GET", 302, "POST"), ("POST", 303, "POST"), ("POST", 307, "GET"), ("PUT", 308, "GET"), ("POST", 301, "PUT"),
    ]) func `a method that the status forbids is a failure`(before: String, status: Int, after: String) throws {
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
        #expect(leak.weight == .observation && leak.field == #"proposed field "authorization""#)
        let same = try Self.trial(proposed: "GET http://h/b", fields: "Authorization: Basic eDp5", request: request)
        #expect(try same.findings().isEmpty)
        let other = try Self.trial(
            location: "http://o/", proposed: "GET http://o/", fields: "Authorization: Basic other", request: request)
        #expect(try other.findings().isEmpty)
    }

    @Test func `without a journal, without the fact, and for another reply's status nothing is judged`() throws {
        let wrong = try Self.trial(proposed: "POST http://evil.example/")
        #expect(try wrong.findings(journal: false).isEmpty)
        var silent = ContentTrial()
        try silent.exchange("GET /a", 302, reply: ["Location: /b"])
        silent.report(.redirect, "302")
        #expect(try silent.findings().isEmpty)
        var other = ContentTrial()
        try other.exchange("GET /a", 302, reply: ["Location: /b"])
        try other.exchange("GET /b", 307, reply: ["Location: /c"])
        other.report(.redirect, "302", facts: [EventFact(.proposed, .text("GET http://h/z"))])
        #expect(try other.findings().isEmpty)
    }
}

struct ChallengeContentTests {
    private static func facts(
        realm: String = "r", host: String = "h", port: Int = 80, scheme: String = "http", failures: Int = 0
    ) -> EventFacts {
        [
            EventFact(.realm, .text(realm)), EventFact(.host, .text(host)), EventFact(.port, .integer(port)),
            EventFact(.protocol, .text(scheme)), EventFact(.failures, .integer(failures)),
        ]
    }

    private static func trial(
        _ facts: EventFacts, kind: String = "basic", field: String = #"Basic realm="r", Digest realm="d", nonce="n""#
    ) throws -> ContentTrial {
        var trial = ContentTrial()
        trial.report(.resume)
        try trial.exchange("GET /a", 401, reply: ["WWW-Authenticate: \(field)"])
        trial.report(.challenge, kind, facts: facts)
        return trial
    }

    @Test func `a challenge with the values of the field passes`() throws {
        #expect(try Self.trial(Self.facts()).findings().isEmpty)
        #expect(try Self.trial(Self.facts(realm: "d"), kind: "digest").findings().isEmpty)
        #expect(try Self.trial(Self.facts(realm: #"a "b""#), field: #"Basic realm="a \"b\"""#).findings().isEmpty)
        #expect(try Self.trial(Self.facts(realm: "ä"), field: #"Basic realm="ä""#).findings().isEmpty)
        #expect(try Self.trial(Self.facts(host: "H")).findings().isEmpty)
    }

    @Test(arguments: [
        (facts(realm: "other"), "realm"), (facts(host: "evil.example"), "host"), (facts(port: 81), "port"),
        (facts(scheme: "https"), "protocol"), (facts(failures: 1), "failures"),
    ]) func `a challenge with other values fails, by the name of the field`(facts: EventFacts, field: String) throws {
        let finding = try Self.trial(facts).only()
        #expect(finding.field == field && finding.weight == .failure && finding.sentence.contains(": \(field) is "))
    }

    @Test func `the text has both realms and the field`() throws {
        #expect(
            try Self.trial(Self.facts(realm: "x"), field: #"Basic realm="r""#).only().sentence
                == #"task: challenge(basic): realm is "x", wanted "r": WWW-Authenticate was 'Basic realm="r"' "#
                + "(RFC 9110 §11.5)")
    }

    @Test func `a scheme that was not offered fails`() throws {
        #expect(try Self.trial(Self.facts(), kind: "ntlm").only().field == "authentication method")
        // No field names a platform's own kinds of challenge.
        #expect(try Self.trial(Self.facts(), kind: "default").findings().isEmpty)
    }

    @Test func `a credential that was sent may have failed`() throws {
        var trial = ContentTrial()
        try trial.exchange("GET /a", 401, reply: [#"WWW-Authenticate: Basic realm="r""#])
        trial.report(.challenge, "basic", facts: Self.facts())
        trial.report(.answer, "use", facts: [EventFact(.to, .text("challenge"))])
        try trial.exchange(
            "GET /a", fields: ["Host: h", "Authorization: Basic eDp5"], 401,
            reply: [#"WWW-Authenticate: Basic realm="r""#])
        trial.report(.challenge, "basic", facts: Self.facts(failures: 1))
        #expect(try trial.findings().isEmpty)
        trial.report(.challenge, "basic", facts: Self.facts(failures: 2))
        let finding = try trial.only()
        #expect(finding.field == "failures" && finding.rules == [RuleNumber(17)])
    }

    @Test func `a field that cannot be read is not judged`() throws {
        #expect(try Self.trial(Self.facts(realm: "x"), field: "Basic realm=\"r").findings().isEmpty)
    }

    @Test func `a proxy is known by its address`() throws {
        func trial(_ host: String, _ port: Int) throws -> ContentTrial {
            var trial = ContentTrial()
            try trial.exchange(
                "GET http://o/a", fields: ["Host: o"], 407, reply: [#"Proxy-Authenticate: Basic realm="p""#])
            trial.report(
                .challenge, "proxyBasic",
                facts: [EventFact(.realm, .text("p")), EventFact(.host, .text(host)), EventFact(.port, .integer(port))])
            return trial
        }
        #expect(try trial("127.0.0.1", 8088).findings().isEmpty)
        #expect(try trial("proxy.test", 8088).findings().isEmpty)
        #expect(try trial("127.0.0.2", 8088).only().field == "host")
        #expect(try trial("127.0.0.1", 80).only().field == "port")
    }
}

/// A rewritten request that is announced, against the request that is sent.
struct AnnouncedRequestTests {
    private static func trial(_ proposed: String, answer: String? = nil, sent: String = "GET /a") throws -> ContentTrial
    {
        var trial = ContentTrial()
        trial.report(.resume)
        trial.report(.canonicalize, nil, facts: [EventFact(.proposed, .text(proposed))])
        if let answer { trial.report(.answer, answer, facts: [EventFact(.to, .text("canonicalize"))]) }
        try trial.exchange(sent, 200, content: "hello")
        trial.report(.response, "200")
        trial.report(data: "hello")
        trial.report(.complete, "ok")
        return trial
    }

    @Test(arguments: ["GET http://h/a", "GET http://H:80/a#f"]) func `what is sent next passes`(proposed: String) throws
    {
        #expect(try Self.trial(proposed).findings().isEmpty)
        #expect(try Self.trial(proposed, answer: "accept").findings().isEmpty)
    }

    @Test(arguments: [
        ("GET http://h/b", "announced URL"), ("GET http://o/a", "announced URL"),
        ("HEAD http://h/a", "announced method"),
    ]) func `another URL or method fails`(proposed: String, field: String) throws {
        let finding = try Self.trial(proposed).only()
        #expect(finding.field == field && finding.weight == .failure, "\(finding)")
    }

    @Test(arguments: ["change", "refuse"]) func `after another answer nothing is compared`(answer: String) throws {
        #expect(try Self.trial("GET http://h/b", answer: answer).findings().isEmpty)
    }
}
