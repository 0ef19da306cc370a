import ProctorTestSupport
import Testing

@testable import ProctorEvents
@testable import ProctorNotation

/// Texts of any kind, and what needs a matcher in hand; the tables are in Tests/Data/readers/notation.
struct NotationTextTests {
    @Test func `bytes of any kind are refused or parsed but never trap`() {
        var random = SeededGenerator(seed: 7)
        let alphabet = Array("data response(200)|&*?+{}1,,..\"\\#\n()é\u{0}".utf8)
        for _ in 0..<20_000 {
            let count = Int.random(in: 0...24, using: &random)
            let bytes = (0..<count).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &random)] }
            do {
                let notation = try Notation(parsing: String(decoding: bytes, as: UTF8.self), lane: .task)
                var matcher = NotationMatcher(notation)
                _ = take(&matcher, TraceEventSymbol("data"))
                _ = matcher.diagnosis?.description
            } catch {
                #expect(error.offset <= error.text.utf8.count)
                #expect(error.caretLines.hasSuffix("^"))
            }
        }
    }

    @Test func `cut anywhere, an edge is refused within its text or is whole`() throws {
        let text = #"wire request("GET /ä b")[1] after harness[2] answer(follow)[3]"#
        let bytes = Array(text.utf8)
        for count in bytes.indices {
            let part = String(decoding: bytes[..<count], as: UTF8.self)
            do throws(NotationError) {
                let edge = try CausalEdge(parsing: part)
                #expect(edge.earlier.lane.lane == .harness)
            } catch {
                #expect((0...part.utf8.count).contains(error.offset), "\(part)")
                #expect(error.caretLines.contains("^"))
            }
        }
    }

    @Test func `no byte breaks the parser`() {
        var generator = SeededGenerator(seed: 7)
        let words = [
            "wire", "task", "request", "after", "data", " ", "[", "]", "(", ")", "\"", "\\", "1", "ä", "\n", "#",
        ]
        for _ in 0..<3000 {
            let text = (0..<Int.random(in: 0..<12, using: &generator))
                .map { _ in words.randomElement(using: &generator) ?? "" }.joined()
            do throws(NotationError) {
                let edge = try CausalEdge(parsing: text)
                #expect(edge.text == text)
            } catch {
                #expect((0...text.utf8.count).contains(error.offset), "\(text)")
            }
        }
    }

    @Test func `everything after a refused event is refused`() throws {
        var matcher = NotationMatcher(try Notation(parsing: "response data", lane: .task))
        #expect(!take(&matcher, TraceEventSymbol("data")))
        #expect(!take(&matcher, TraceEventSymbol("response")))
        #expect(matcher.refusal == TraceEventSymbol("data"))
        #expect(matcher.eventCount == 1)
        #expect(!matcher.isAccepting)
    }

    @Test(arguments: EventName.allCases)
    func `every event of the vocabulary has words`(event: EventName) throws {
        let kind = try #require(EventVocabulary.kind(named: event.rawValue))
        let lane = try #require(kind.lanes.first)
        let text = try #require(try Notation(parsing: event.rawValue, lane: lane).inWords.first?.text)
        #expect(!text.isEmpty && text != event.rawValue && !text.hasSuffix("."))
    }
}
