import ProctorEvents
import ProctorScenario
import Testing

@testable import ProctorGrading

/// What a WebSocket task is told, against the reply that opened it and against its own result.
struct WebSocketContentTests {
    @Test func `messages are a list, and what is none is not told`() throws {
        func measured(_ text: String) -> Measurement {
            let event = TraceEvent(
                sequence: 1, lane: .harness, name: .result, facts: [EventFact(.messages, .text(text))])
            return ClientRecord.messages(in: event).map { .list($0) } ?? .untold
        }
        #expect(measured(#"["text a","binary 00ff"]"#) == Measurement(ofList: ["text a", "binary 00ff"]))
        #expect(measured("[]") == .list([]))
        for text in ["", "{}", "[1]", "text a", #"["text a""#] { #expect(measured(text) == .untold, "\(text)") }
    }
}
