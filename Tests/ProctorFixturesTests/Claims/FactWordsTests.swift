import ProctorHTTP
import Testing

@testable import ProctorFixtures
@testable import ProctorScenario

/// Facts and demands in words, for readers who do not know the keys.
struct FactWordsTests {
    private func words(_ facts: String) throws -> [String] {
        let text = """
            summary: Facts
            origins: { main: { protocols: [h2] } }
            exchanges: [ { request: GET /, reply: { status: 200 } } ]
            cases:
              one: { client: { url: / }, facts: { \(facts) } }
            """
        let (scenario, diagnostics) = ScenarioLoader.parse(Array(text.utf8), id: "facts", file: "facts.yaml")
        try #require(diagnostics.isEmpty, "\(diagnostics)")
        return try #require(scenario?.cases.first).facts.map(\.inWords)
    }

    @Test(arguments: [
        ("wire.count: 2", "the number of requests is 2"),
        ("\"wire[0].headers.Accept\": null", "the field Accept of request 1 is absent"),
        ("\"wire[1].form.a\": [b, \"\"]", "the value a in the form of request 2 is, in this order: b, empty"),
        ("\"wire[0].body\": \"\"", "the content of request 1 is empty"),
        ("\"connection[0].closedBy\": client", "the side that ended connection 1 is client"),
        ("status: 200", "the status that the client reports is 200"),
        ("url: \"{{base}}/b\"", "the URL of the response is {{…}}/b"),
        (
            "\"wire[1].connection\": { same: \"wire[0].connection\" }",
            "the number of the connection of request 2 is the same as the number of the connection of request 1"
        ),
        (
            "\"wire[1].gap\": { min: 50, max: 99.5 }",
            "the milliseconds from the request before to request 2 is from 50 to 99.5"
        ),
        ("h2.streams: 1", "the number of streams is 1"),
        ("\"stream[1].reset\": CANCEL", "the code with which the client reset stream 2 is CANCEL"),
        (
            "\"h2[0].settings.enable-push\": 0",
            "ENABLE_PUSH in the client's first SETTINGS on HTTP/2 connection 1 is 0"
        ),
        ("\"connection[0].protocol\": h2", "the protocol of connection 1 is h2"),
        (
            "\"wire[1].coalesced\": false",
            "whether the connection of request 2 carried one for another authority before is false"
        ),
        ("body.length: { min: 1 }", "the length of the content that the client has in bytes is 1 or more"),
    ]) func `a fact is a sentence`(fact: String, sentence: String) throws {
        #expect(try words(fact) == [sentence])
    }

    @Test func `a demand on cookies is a sentence`() {
        #expect(
            Case.CookieDemand.conforming.inWords
                == "the cookies of every request are those of RFC 6265 or its revision, one of them throughout; "
                + "another order is a remark")
        #expect(
            Case.CookieDemand(edition: .rfc6265bis, order: .any).inWords
                == "the cookies of every request are those of the revision of RFC 6265, in any order")
    }
}
