import ProctorEvents
import ProctorScenario
import Testing

@testable import ProctorGrading

/// What a WebSocket task is told, against the reply that opened it and against its own result.
struct WebSocketContentTests {
    private func findings(
        status: Int = 101, _ fields: [String] = [], open argument: String? = nil, close: String? = "1000",
        received: Int = 1, result: EventFacts = []
    ) throws -> [String?] {
        var trial = ContentTrial()
        trial.report(.resume)
        try trial.exchange("GET /chat", status, reply: fields)
        trial.report(.wsOpen, argument)
        for _ in 0..<received { trial.report(.wsReceived, "ok") }
        if let close { trial.report(.wsClose, close) }
        trial.report(.complete, "ok")
        trial.report(.result, result)
        return try trial.findings().map(\.field)
    }

    @Test func `a 101 opens, with the protocol that it names`() throws {
        #expect(try findings() == [])
        #expect(try findings(["Sec-WebSocket-Protocol: chat"], open: "chat") == [])
        #expect(try findings(["Sec-WebSocket-Protocol: chat"]) == ["protocol"])
        #expect(try findings(open: "chat") == ["protocol"])
    }

    @Test(arguments: [200, 204, 404, 426]) func `no other status opens`(status: Int) throws {
        #expect(try findings(status: status) == ["wsOpen"])
    }

    @Test func `the result has the code of the Close frame, and each message`() throws {
        #expect(try findings(result: [EventFact(.closeCode, .integer(1000))]) == [])
        #expect(try findings(result: [EventFact(.closeCode, .integer(1001))]) == ["closeCode"])
        #expect(try findings(result: [EventFact(.messages, .text(#"["text a"]"#))]) == [])
        #expect(try findings(received: 2, result: [EventFact(.messages, .text(#"["text a"]"#))]) == ["messages"])
    }

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
