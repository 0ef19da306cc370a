import Foundation
import ProctorDocument
import ProctorFixtures
import ProctorScenario
import ProctorServer
import ProctorTestSupport
import ProctorTestWire
import Testing

/// Scenarios whose text comes in a control call.
struct GivenScenarioTests {
    private static let hello = """
        summary: Hello
        exchanges:
          - { request: GET /hello, reply: [ { status: 200, body: one }, { status: 200, body: two } ] }
        cases:
          both: { client: { url: /hello }, wire: request(GET /hello) }
        """
    private func body(_ target: String, _ base: String) async throws -> String {
        let text = try await exchange(.request("GET \(target)", "Connection: close"), with: base).text
        return text.components(separatedBy: "\r\n\r\n").last ?? ""
    }

    @Test func `scenarios are forgotten after a life without a request or a call`() async throws {
        try await withControl { server in
            #expect(try await call("PUT /sets/mine/short?lifeSeconds=1", on: server, body: Self.hello).status == 201)
            #expect(try await call("PUT /sets/mine/long", on: server, body: Self.hello).status == 201)
            var count = 2
            let end = ContinuousClock.now + Patience.whole
            while count > 1, ContinuousClock.now < end {
                count = try await call("GET /sets/mine", on: server).list("scenarios").count
            }
            #expect(count == 1)
            #expect(
                try await exchange(.request("GET /mine/short/hello"), with: server.base).text.hasPrefix("HTTP/1.1 404 ")
            )
            #expect(try await body("/mine/long/hello", server.base) == "one")
        }
    }

    @Test func `sets have at most 256 scenarios`() async throws {
        try await withControl { server in
            for number in 0..<256 {
                #expect(try await call("PUT /sets/many/s\(number)", on: server, body: Self.hello).status == 201)
            }
            let refused = try await call("PUT /sets/more/s", on: server, body: Self.hello)
            #expect(try refused.status == 503 && refused.error.code == "too-many-scenarios")
            #expect(try refused.error.message.hasPrefix("the sets have 256 scenarios, which is the limit"))
            #expect(try await call("PUT /sets/many/s0", on: server, body: Self.hello).status == 200)
        }
    }
}
