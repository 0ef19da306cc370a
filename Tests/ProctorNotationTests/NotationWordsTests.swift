import ProctorEvents
import Testing

@testable import ProctorNotation

/// Expressions and edges in words.
struct NotationWordsTests {
    /// A line for each part, deeper ones indented.
    private func lines(_ parts: [NotationWords], depth: Int = 0) -> [String] {
        parts.flatMap { part in
            [String(repeating: "  ", count: depth) + part.text] + lines(part.parts, depth: depth + 1)
        }
    }

    private func words(_ text: String, _ lane: Lane = .task) throws -> [String] {
        lines(try Notation(parsing: text, lane: lane).inWords)
    }

    @Test func `a sequence is a list of its events`() throws {
        #expect(
            try words("redirect(302) response(200) data+ complete(ok)") == [
                "a redirect with status 302", "the response with status 200", "a piece of the content, once or more",
                "the end of the load without an error",
            ])
        #expect(try words("request(GET /a|HEAD /a)", .wire) == ["the request GET /a or HEAD /a"])
    }

    @Test(arguments: [
        ("data?", "or not"), ("data*", "any number of times or not at all"), ("data+", "once or more"),
        ("data{1}", "once"), ("data{2}", "twice"), ("data{3,}", "at least 3 times"), ("data{0,2}", "at most twice"),
        ("data{2,5}", "2 to 5 times"),
    ])
    func `a count is said behind one event`(text: String, count: String) throws {
        #expect(try words(text) == ["a piece of the content, \(count)"])
    }

    @Test func `groups are lists of their own`() throws {
        #expect(
            try words("(challenge(basic) | response(4*) data*) (metrics & complete(error))? complete(-1001)") == [
                "one of these:", "  a challenge: basic", "  in this order:", "    the response with status 4xx",
                "    a piece of the content, any number of times or not at all",
                "or not, all of these, among one another as they like:", "  the metrics",
                "  the end of the load with an error", "the end of the load with the error -1001",
            ])
        let group = try #require(try Notation(parsing: "(data data)+", lane: .task).inWords.first)
        #expect(group.text == "once or more, in this order:" && group.isOrdered && group.parts.count == 2)
    }

    @Test func `anything is anything`() throws {
        #expect(try words("response ... complete") == ["the response", "anything", "the end of the load"])
    }

    @Test(arguments: EventName.allCases)
    func `every event of the vocabulary has words`(event: EventName) throws {
        let kind = try #require(EventVocabulary.kind(named: event.rawValue))
        let lane = try #require(kind.lanes.first)
        let text = try #require(try words(event.rawValue, lane).first)
        #expect(!text.isEmpty && text != event.rawValue && !text.hasSuffix("."))
    }

    @Test func `an edge says what comes only after what`() throws {
        let edge = try CausalEdge(parsing: "wire request(GET /b)[1] after harness answer(follow)")
        #expect(edge.inWords == "the request GET /b, number 2 of them, comes only after the test's answer: follow")
        #expect(
            try CausalEdge(parsing: "task[1] response(200) after wire closed(client)").inWords
                == "the response with status 200 of step 2 comes only after the end of a connection by the client")
    }
}
