import ProctorEvents
import ProctorScenario
import Testing

@testable import ProctorGrading

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
        _ facts: EventFacts, kind: String = "basic",
        field: String = "Basic realm=\"r\", Digest realm=\"d\", nonce=\"n\""
    ) throws -> ContentTrial {
        var trial = ContentTrial()
        trial.tell(.resume)
        try trial.exchange("GET /a", 401, ["WWW-Authenticate: \(field)"])
        trial.tell(.challenge, kind, facts)
        return trial
    }

    @Test func `what the field says is right`() throws {
        #expect(try Self.trial(Self.facts()).findings().isEmpty)
        #expect(try Self.trial(Self.facts(realm: "d"), kind: "digest").findings().isEmpty)
        #expect(try Self.trial(Self.facts(realm: #"a "b""#), field: #"Basic realm="a \"b\"""#).findings().isEmpty)
        #expect(try Self.trial(Self.facts(realm: "ä"), field: "Basic realm=\"ä\"").findings().isEmpty)
        #expect(try Self.trial(Self.facts(host: "H")).findings().isEmpty)
    }

    @Test(arguments: [
        (facts(realm: "other"), "realm"), (facts(host: "evil.example"), "host"), (facts(port: 81), "port"),
        (facts(scheme: "https"), "protocol"), (facts(failures: 1), "failures"),
    ])
    func `what it does not say fails, by the name of the field`(facts: EventFacts, field: String) throws {
        let finding = try Self.trial(facts).only()
        #expect(finding.field == field && finding.weight == .failure && finding.sentence.contains(": \(field) is "))
    }

    @Test func `the text has both realms and the field`() throws {
        #expect(
            try Self.trial(Self.facts(realm: "x"), field: "Basic realm=\"r\"").only().sentence
                == "task: challenge(basic): realm is \"x\", wanted \"r\": WWW-Authenticate was 'Basic realm=\"r\"' "
                + "(RFC 9110 §11.5)")
    }

    @Test func `a scheme that was not offered fails`() throws {
        #expect(try Self.trial(Self.facts(), kind: "ntlm").only().field == "authentication method")
        // A platform's own kinds are in no field.
        #expect(try Self.trial(Self.facts(), kind: "default").findings().isEmpty)
    }

    @Test func `a credential that was sent may have failed`() throws {
        var trial = ContentTrial()
        try trial.exchange("GET /a", 401, ["WWW-Authenticate: Basic realm=\"r\""])
        trial.tell(.challenge, "basic", Self.facts())
        trial.tell(.answer, "use", [EventFact(.to, .text("challenge"))])
        try trial.exchange(
            "GET /a", fields: ["Host: h", "Authorization: Basic eDp5"], 401, ["WWW-Authenticate: Basic realm=\"r\""])
        trial.tell(.challenge, "basic", Self.facts(failures: 1))
        #expect(try trial.findings().isEmpty)
        trial.tell(.challenge, "basic", Self.facts(failures: 2))
        let finding = try trial.only()
        #expect(finding.field == "failures" && finding.rules == [RuleNumber(17)])
    }

    @Test func `of a field that cannot be read nothing is said`() throws {
        #expect(try Self.trial(Self.facts(realm: "x"), field: "Basic realm=\"r").findings().isEmpty)
    }

    @Test func `a proxy is known by its address`() throws {
        func trial(_ host: String, _ port: Int) throws -> ContentTrial {
            var trial = ContentTrial()
            try trial.exchange("GET http://o/a", fields: ["Host: o"], 407, ["Proxy-Authenticate: Basic realm=\"p\""])
            trial.tell(
                .challenge, "proxyBasic",
                [
                    EventFact(.realm, .text("p")), EventFact(.host, .text(host)), EventFact(.port, .integer(port)),
                ])
            return trial
        }
        #expect(try trial("127.0.0.1", 8088).findings().isEmpty)
        #expect(try trial("proxy.test", 8088).findings().isEmpty)
        #expect(try trial("127.0.0.2", 8088).only().field == "host")
        #expect(try trial("127.0.0.1", 80).only().field == "port")
    }
}
