import Foundation
import ProctorReplies
import ProctorServer
import ProctorTestWire
import Testing

/// The one call by which the helpers for other languages judge a run.
struct JudgeCallTests {
    private struct Answer: Decodable {
        let outcome: String
        let isFailure: Bool
        let codes: [String]
        let cases: [String]?
        let sentence: String?
        let text: String
        let requestCount: Int
    }

    private func judge(
        _ id: String, _ query: String = "", on server: Server, body: String? = nil
    ) async throws -> Answer {
        let reply = try await call("POST /runs/\(id)/judge\(query)", on: server, body: body)
        return try JSONDecoder().decode(Answer.self, from: Data(reply.body.utf8))
    }

    @Test func `a run is judged when nothing is under way, or when the wait is over`() async throws {
        try await withControl { server in
            let text = """
                summary: A reply that waits
                exchanges: [{ request: GET /slow, reply: { status: 200, body: [a, { do: { await: response } }, b] } }]
                cases: { slow: { client: { url: /slow }, wire: request(GET /slow) } }
                """
            let created = try await call("POST /inline", on: server, body: text)
            let (id, base) = (try created.text("run"), try created.text("base"))
            let reached = "POST /runs/\(id)/reached"
            _ = try await call(reached, on: server, body: #"{"event": "response", "count": 0}"#)
            async let load = exchange(.request("GET /slow"), with: base)
            _ = try await call("GET /runs/\(id)/journal?after=1&wait=20000", on: server)
            #expect(try await judge(id, "?within=0", on: server).codes == ["still-under-way"])
            _ = try await call(reached, on: server, body: #"{"event": "response"}"#)
            #expect(try await judge(id, "?within=20000", on: server).codes.isEmpty)
            _ = try await load
            let wrong = try await call("POST /runs/\(id)/judge?within=soon", on: server)
            #expect(try wrong.error.message == "'within' is a whole number from 0 to 30000, not 'soon'")
        }
    }
}
