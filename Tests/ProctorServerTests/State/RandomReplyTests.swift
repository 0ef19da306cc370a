import Foundation
import ProctorJournal
import ProctorServer
import ProctorTestWire
import Testing

struct RandomReplyTests {
    private static let yaml = """
        summary: Now and then a 503
        exchanges:
          - request: GET /
            reply: { choose: [ { weight: 9, status: 200, body: ok }, { status: 503, body: no } ] }
          - request: GET /other
            reply: { status: 200 }
        """

    private func bodies(_ count: Int, seed: UInt64, between: Bool = false) async throws -> (String, [Int]) {
        try await withServer([try scenario(Self.yaml)]) { server in
            let made = try await call("POST /runs", on: server, body: #"{"scenario": "test/one", "seed": \#(seed)}"#)
            let base = try made.text("base")
            var bodies = ""
            for _ in 0..<count {
                if between { _ = try await exchange(.request("GET /other", "Connection: close"), with: base) }
                let text = try await exchange(.request("GET /", "Connection: close"), with: base).text
                bodies += text.hasSuffix("ok") ? "+" : "-"
            }
            let turns = try await call("GET /runs/\(try made.text("run"))/journal", on: server).entries
                .filter { $0["ev"] as? String == "exchangeChosen" && $0["exchange"] as? Int == 0 }
                .compactMap { $0["turn"] as? Int }
            return (bodies, turns)
        }
    }

    @Test func `the same seed gives the same replies, whatever comes between, and the journal has the chosen ones`()
        async throws
    {
        let (first, turns) = try await bodies(60, seed: 7)
        #expect(first.contains("+") && first.contains("-"))
        #expect(turns.map { $0 == 0 ? "+" : "-" }.joined() == first)
        #expect(try await bodies(60, seed: 7, between: true).0 == first)
        #expect(try await bodies(60, seed: 8).0 != first)
    }
}
