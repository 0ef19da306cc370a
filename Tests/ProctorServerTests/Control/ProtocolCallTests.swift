import Foundation
import ProctorScenario
import ProctorTLS
import ProctorTestSupport
import Testing

@testable import ProctorReplies
@testable import ProctorServer

/// Runs of another protocol than the one that fixtures say.
@Suite(.limit(minutes: 5))
struct ProtocolCallTests {
    private static let fit = """
        summary: Two origins
        origins: { own: { protocols: [http/1.1, h2] }, gone: { role: closed } }
        exchanges:
          - { request: GET /, reply: { status: 200, body: a } }
          - { request: GET /, origin: own, reply: { status: 200, body: b } }
        cases:
          get: { client: { url: / }, wire: request(GET /) }
          close: { client: { url: / }, facts: { "wire[0].version": HTTP/1.1 } }
        """
    private static let unfit = """
        summary: Bytes of HTTP/1.1
        exchanges:
          - { request: GET /, reply: { raw: "HTTP/1.1 200 OK\\r\\n\\r\\n" } }
          - { request: GET /b, reply: { status: 200, framing: close, body: abc } }
        """

    private func withRuns<Result>(_ body: (Server) async throws -> Result) async throws -> Result {
        try await withServer([try scenario(Self.fit, id: "a/fit"), try scenario(Self.unfit, id: "a/unfit")], body)
    }

    @Test func `many places are counted`() async throws {
        var text = "summary: s\nexchanges:\n"
        for index in 0..<12 { text += "  - { request: GET /\(index), reply: { status: 200, framing: close } }\n" }
        let scenario = try scenario(text, id: "many")
        let refusal = try #require(ProtocolRefusal(scenario.http2Obstacles))
        #expect(refusal.description.hasSuffix("; and 2 more") && refusal.obstacles.count == 12)
        #expect(ProtocolRefusal([]) == nil)
        #expect(
            refusal.reason == "it means nothing over HTTP/2: many.yaml:3:31: the end of the connection ends the content"
        )
    }

    @Test(arguments: [(ApplicationProtocol.h2, "h2"), (.http11, "http/1.1")])
    func `ALPN selects what the run speaks`(wanted: ApplicationProtocol, selected: String) async throws {
        let text = "summary: s\norigins: { main: { scheme: https } }\nexchanges: []\n"
        try await withServer([try scenario(text, id: "a/tls")]) {
            $0.authority = .ephemeral(seed: 1)
        } _: { server in
            let run = try await server.run("a/tls", speaking: wanted)
            let outcome = try await ChildProcess.run([
                "/usr/bin/openssl", "s_client", "-alpn", "h2,http/1.1", "-connect", run.authorities[0],
            ])
            #expect(String(decoding: outcome.output, as: UTF8.self).contains("ALPN protocol: \(selected)\n"))
        }
    }
}
