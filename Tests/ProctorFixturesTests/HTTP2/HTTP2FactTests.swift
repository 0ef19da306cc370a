import ProctorDocument
import Testing

@testable import ProctorFixtures
@testable import ProctorScenario

/// Facts and events of HTTP/2 as fixtures write them.
struct HTTP2FactTests {
    private func diagnostics(_ facts: String, protocols: String = "h2", wire: String = "request(GET /)") -> [String] {
        let text = """
            summary: Facts
            origins: { main: { protocols: [\(protocols)] } }
            exchanges: [ { request: GET /, reply: { status: 200 } } ]
            cases:
              one:
                client: { url: / }
                wire: \(wire)
                facts:
                  \(facts)
            """
        return ScenarioLoader.parse(Array(text.utf8), id: "facts", file: "facts.yaml").1.map(\.sentence)
    }

    private static let names =
        ["h2.connections", "h2.streams", "wire[0].stream", "wire[0].reused", "wire[0].coalesced"]
        + ["connection[0].protocol", "connection[0].streams"]
        + FactName.StreamFact.allCases.map { "stream[12].\($0.rawValue)" }
        + FactName.HTTP2Fact.allCases.map { "h2[0].\($0.rawValue)" }

    @Test(arguments: names) func `every fact is read, and the schema has its name`(name: String) throws {
        #expect(diagnostics("\(name): null") == [])
        #expect(try FactName(parsing: name).text == name)
        guard case .object(let members) = ScenarioReader.factsSchema,
            case .object(let ofNames)? = members.first(where: { $0.key == "propertyNames" })?.value,
            case .text(let pattern)? = ofNames.first(where: { $0.key == "pattern" })?.value
        else {
            Issue.record("the schema has no pattern of names")
            return
        }
        let expression = try Regex(pattern)
        #expect(name.wholeMatch(of: expression) != nil, "\(name)")
    }

    @Test(arguments: [
        ("stream[0].end: finished", #"unknown end "finished" of a stream"#),
        ("stream[0].reset: CANCELLED", #"unknown error code "CANCELLED""#),
        ("h2[0].goaway: no_error", #"unknown error code "no_error""#),
        ("stream[0].frames: [HEADERS, PING]", #"unknown type "PING" of a frame on a stream"#),
        ("stream[0].fields: [1, 2]", nil), ("stream[0].id: [1, 2]", #""stream[0].id" is one value, not a list"#),
        ("stream[0].id: one", #""stream[0].id" is a number, found "one""#),
        ("stream[0].reset: { min: 1 }", #""stream[0].reset" is no number; min and max mean nothing"#),
        ("h2[0].window: { min: 1 }", nil),
        ("h2[0].settings.sent: many", #""h2[0].settings.sent" is a number, found "many""#),
        ("h2[0].violations: [bare-lf]", #"unknown violation "bare-lf" of a connection of HTTP/2"#),
        ("h2[0].violations: [too-many-streams]", nil), ("wire[0].violations: [too-many-streams, bare-lf]", nil),
        ("wire[0].reused: yes", #"unknown word for "wire[0].reused": "yes""#),
        ("h2[0].goaway.heeded: no", #"unknown word for "h2[0].goaway.heeded": "no""#),
        ("connection[0].protocol: http/2", #"unknown protocol "http/2" of a connection"#),
        ("h2.window: 1", #"unknown fact "h2.window""#), ("h2.stream: 1", #"unknown fact "h2.stream""#),
        ("h2[0].settings.push: 1", #"unknown fact "h2[0].settings.push""#),
        ("stream[0].code: 1", #"unknown fact "stream[0].code""#),
        ("stream[x].id: 1", #"expected stream[N].NAME with N from 0 to 999999, found "stream[x].id""#),
    ]) func `a value that a fact can't have is refused`(fact: String, sentence: String?) {
        #expect(diagnostics(fact) == (sentence.map { [$0] } ?? []))
    }

    @Test func `a scenario without HTTP/2 has no facts of it`() {
        for name in ["h2.connections", "h2.streams", "h2[0].window", "stream[0].id"] {
            let sentence = #""\#(name)" is about HTTP/2, and no origin of this scenario speaks it"#
            #expect(diagnostics("\(name): 1", protocols: "http/1.1") == [sentence])
            #expect(diagnostics("\(name): 1", protocols: "http/1.1, h2") == [])
        }
        #expect(diagnostics("connection[0].protocol: http/1.1", protocols: "http/1.1") == [])
    }

    @Test func `frames stand in expressions of the wire beside requests`() {
        let fact = "wire.count: 1"
        #expect(diagnostics(fact, wire: "request(GET /) reset(CANCEL) goawaySent pingAcknowledged?") == [])
        #expect(diagnostics(fact, wire: "settingsAcknowledged(1)").count == 1)
        #expect(diagnostics(fact, wire: "request replied").count == 1)
    }
}
