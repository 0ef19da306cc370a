import ProctorEvents
import ProctorJournal
import ProctorScenario
import Testing

@testable import ProctorGrading
@testable import ProctorProgram

/// What the objects of a URLProtocol tell their client is held against `task:` as one load.
struct ProtocolViewTests {
    static func events(_ text: String) throws -> [TraceEvent] {
        let tokens = text.split(separator: " ").map { token in
            var token = String(token)
            for object in 1...4 {
                token = token.replacing("p\(object):", with: "proto#\(object):p.")
                token = token.replacing("c\(object):", with: "protocolClient#\(object):")
            }
            return token
        }
        return try TraceScript.events(tokens.joined(separator: " "))
    }

    // MARK: Edges and the wire

    @Test func `of several steps the one that is under way gets the request`() throws {
        let trace = """
            resume p1:init p1:start +5 c1:response(200) c1:complete(ok) p1:stop result [1]resume [1]p2:init \
            [1]p2:start +5 [1]c2:response(200) [1]c2:complete(ok) [1]p2:stop [1]result
            """
        let events = try Self.events(trace)
        let journal = try CaseEdgeTests.journal((4, "GET /a"), (16, "GET /b"))
        let tasks = WireCorrelation(events, isOfProtocol: true).tasks(of: WireRecord(journal))
        #expect(tasks == [0, 1])
    }
}
