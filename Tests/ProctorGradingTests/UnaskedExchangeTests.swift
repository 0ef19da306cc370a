import ProctorDocument
import ProctorFixtures
import ProctorJournal
import ProctorScenario
import Testing

@testable import ProctorGrading

/// What never came, by exchanges of every kind.
struct UnaskedExchangeTests {
    private static func scenario(_ exchanges: String, _ more: String = "") throws -> Scenario {
        let text = "summary: s\nexchanges:\n\(exchanges)\n\(more)\n"
        let (scenario, diagnostics) = ScenarioLoader.parse(Array(text.utf8), id: "s/one", file: "one.yaml")
        return try #require(scenario, "\(diagnostics)")
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let key: String
        /// Sentences by how often the exchange was used, from 0.
        let sentences: [String?]
        var testDescription: String { key.isEmpty ? "no key" : key }

        static let never = "never came: GET /a, exchange 0"
        static let all = [
            Row(key: "", sentences: [never, nil, nil]),
            Row(key: ", times: 2", sentences: [never, nil, nil]),
            Row(key: ", optional: true", sentences: [nil, nil]),
            Row(key: ", times: { exactly: 1 }", sentences: [never, nil]),
            Row(
                key: ", times: { at-least: 2 }",
                sentences: [
                    "came 0 times, wanted at least 2: GET /a, exchange 0",
                    "came 1 time, wanted at least 2: GET /a, exchange 0", nil, nil,
                ]),
        ]
    }

    @Test(arguments: Row.all)
    func `an exchange is named until it was asked for as often as it says`(_ row: Row) throws {
        let scenario = try Self.scenario("  - { request: GET /a, reply: { status: 200 }\(row.key) }")
        for (count, sentence) in row.sentences.enumerated() {
            #expect(
                UnaskedExchanges(of: scenario, useCounts: [count]).sentences == (sentence.map { [$0] } ?? []),
                "used \(count) times")
        }
    }

    @Test func `without a case it fails, with one only a number that is demanded does`() throws {
        let plain = try Self.scenario(
            "  - { request: GET /a, reply: { status: 200 } }\n  - { request: GET /b, reply: { status: 200 } }")
        let unasked = UnaskedExchanges(of: plain, useCounts: [1, 0])
        let verdict = WireVerdict(outcome: .pass)
        #expect(verdict.naming(unasked) == verdict)
        #expect(verdict.naming(unasked, elsewhere: .observation) == verdict)
        let failed = WireVerdict(outcome: .fail)
        #expect(
            failed.naming(unasked, elsewhere: .observation).findings.map(\.description)
                == ["one.yaml:4:5: observed: never came: GET /b, exchange 1"])
        let untouched = UnaskedExchanges(of: plain, useCounts: [0, 0])
        #expect(failed.naming(untouched, elsewhere: .observation) == failed)
        #expect(verdict.naming(unasked, elsewhere: .failure).outcome == .fail)
        #expect(WireVerdict(outcome: .setupFailed("x")).naming(unasked, elsewhere: .failure).findings.isEmpty)
        let demand = try Self.scenario("  - { request: GET /a, times: { exactly: 1 }, reply: { status: 200 } }")
        #expect(verdict.naming(UnaskedExchanges(of: demand, useCounts: [0])).outcome == .fail)
    }

    @Test(arguments: [
        ("times: {}", "times needs one of \"exactly\" and \"at-least\""),
        ("times: { exactly: 1, at-least: 1 }", "times needs one of \"exactly\" and \"at-least\""),
        ("times: { exactly: 0 }", "exactly"), ("times: { at-most: 3 }", "at-most"),
        ("times: { exactly: 1 }, optional: true", "an exchange whose times: are demanded is not optional"),
    ])
    func `what can't be meant is refused`(_ key: String, _ words: String) {
        let text = "summary: s\nexchanges:\n  - { request: GET /a, \(key), reply: { status: 200 } }\n"
        let (scenario, diagnostics) = ScenarioLoader.parse(Array(text.utf8), id: "s/one", file: "one.yaml")
        #expect(scenario == nil)
        #expect(diagnostics.contains { $0.description.contains(words) }, "\(diagnostics)")
    }
}
