import Foundation
import ProctorClientTesting
import ProctorRecorder
import ProctorTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// Written by Scripts/cookbook.py from Docs/cookbook/time.md.

@Test func `a token that runs out is refreshed`() async throws {
    struct Token: Decodable { let access_token: String }
    try await withScenario("token-runs-out") { exam in
        let client = Client(exam)
        func work(_ token: String) async throws -> (reply: HTTPURLResponse, body: String) {
            try await client.load(exam.url("/work"), fields: ["Authorization": "Bearer \(token)"])
        }
        _ = try await work("old")
        var (reply, body) = try await work("old")
        if reply.statusCode == 401 {
            let json = try await client.load(
                exam.url("/token"), method: "POST", fields: ["Content-Type": "application/x-www-form-urlencoded"],
                body: "grant_type=refresh_token&refresh_token=R"
            ).body
            (reply, body) = try await work(JSONDecoder().decode(Token.self, from: Data(json.utf8)).access_token)
        }
        #expect(body == "done")
    }
}
