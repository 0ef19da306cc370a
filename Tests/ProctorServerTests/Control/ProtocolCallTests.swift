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

    @Test func `a run of HTTP 2 says so, and speaks it where the fixture says nothing`() async throws {
        try await withRuns { server in
            let made = try await call(
                "POST /runs", on: server, body: #"{"scenario": "a/fit", "protocol": "h2"}"#)
            #expect(try made.status == 201 && made.text("protocol") == "h2")
            let run = try await server.run("a/fit", speaking: .h2)
            #expect(run.stage.protocols(ofOrigin: 0) == [.h2] && run.stage.protocols(ofOrigin: 1) == [.http11, .h2])
            let usual = try await call("POST /runs", on: server, body: #"{"scenario": "a/fit"}"#)
            #expect(try usual.status == 201 && usual.json["protocol"] == nil)
            let said = try await call(
                "POST /runs", on: server, body: #"{"scenario": "a/fit", "protocol": "http/1.1"}"#)
            #expect(try said.status == 201 && said.json["protocol"] == nil)
            #expect(try await server.run("a/fit").stage.protocols(ofOrigin: 0) == [.http11])
        }
    }

    @Test func `an assignment of the run has the protocol, and a case of HTTP 1_1 has none`() async throws {
        try await withRuns { server in
            let (id, _) = try await makeRun("a/fit", on: server, more: #", "protocol": "h2""#)
            let assignment = try await call("GET /runs/\(id)/assignment?case=get", on: server)
            #expect(try assignment.text("protocol") == "h2" && assignment.json["needs"] as? [String] == ["h2"])
            let refused = try await call("GET /runs/\(id)/assignment?case=close", on: server)
            #expect(refused.status == 409)
            #expect(try refused.error.code == "no-assignment")
            #expect(
                try refused.error.message
                    == "the case can't be asked so: it means nothing over HTTP/2: a/fit.yaml:8:41: "
                    + "the fact is about the version of a request")
            let (usual, _) = try await makeRun("a/fit", on: server)
            let plain = try await call("GET /runs/\(usual)/assignment?case=close", on: server)
            #expect(try plain.status == 200 && plain.json["protocol"] == nil)
        }
    }

    @Test func `a scenario of HTTP 1_1 is refused with all its places`() async throws {
        try await withRuns { server in
            let refused = try await call(
                "POST /runs", on: server, body: #"{"scenario": "a/unfit", "protocol": "h2"}"#)
            #expect(refused.status == 409)
            #expect(try refused.error.code == "not-over-h2")
            #expect(
                try refused.error.message
                    == "the scenario can't be served so: it means nothing over HTTP/2: a/unfit.yaml:3:30: "
                    + "a raw reply has the bytes of HTTP/1.1; a/unfit.yaml:4:31: the end of the connection ends the "
                    + "content")
            // None of several is made.
            let all = try await call(
                "POST /runs", on: server, body: #"{"scenarios": ["a/fit", "a/unfit"], "protocol": "h2"}"#)
            #expect(all.status == 409)
            #expect(try await call("GET /runs", on: server).list("runs").filter { $0["standing"] == nil }.isEmpty)
        }
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

    @Test(arguments: [#""h2c""#, #""HTTP/2""#, "2", "null"])
    func `an unknown protocol is refused`(value: String) async throws {
        try await withRuns { server in
            let refused = try await call(
                "POST /runs", on: server, body: "{\"scenario\": \"a/fit\", \"protocol\": \(value)}")
            #expect(refused.status == 400)
            #expect(try refused.error.message.hasPrefix("'protocol' is h2 or http/1.1, found "))
        }
    }

    @Test func `a scenario in the call has a protocol too`() async throws {
        try await withRuns { server in
            let made = try await call("POST /inline?protocol=h2", on: server, body: Self.fit)
            #expect(try made.status == 201 && made.text("protocol") == "h2")
            let refused = try await call("POST /inline?protocol=h2", on: server, body: Self.unfit)
            #expect(try refused.status == 409 && refused.error.code == "not-over-h2")
            let unknown = try await call("POST /inline?protocol=h3", on: server, body: Self.fit)
            #expect(try unknown.error.message == "'protocol' is h2 or http/1.1, found 'h3'")
        }
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
