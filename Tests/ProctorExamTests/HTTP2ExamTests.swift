import Foundation
import ProctorEvents
import ProctorExam
import ProctorFixtures
import ProctorGrading
import ProctorReport
import ProctorScenario
import ProctorServer
import ProctorTestSupport
import Testing

@testable import ProctorRules

/// Cases that are asked over HTTP/2; the clients are shell scripts, which load nothing.
@Suite(.limit(minutes: 5))
struct HTTP2ExamTests {
    private static let fit = """
        summary: Nothing of HTTP/1.1
        exchanges: [ { request: GET /, reply: { status: 200, body: hello } } ]
        cases:
          get: { client: { url: / }, wire: request(GET /) }
          version: { client: { url: / }, facts: { "wire[0].version": HTTP/1.1 } }
        """
    private static let unfit = """
        summary: The end of the connection
        exchanges: [ { request: GET /, reply: { status: 200, framing: close, body: hello } } ]
        cases: { get: { client: { url: / }, wire: request(GET /) } }
        """

    /// A client with these abilities, that says at once that it has none for the case.
    private func sit(
        _ text: String, _ name: String, abilities: String, speaking wanted: ApplicationProtocol = .h2
    ) async throws -> Sitting {
        let header =
            #"{"trace":"proctor","version":1,"client":"script","clientVersion":"1","clock":"monotonic","unit":"ns","#
            + #""lanes":["harness"],"abilities":[\#(abilities)]}"#
        let script = """
            cat > /dev/null
            echo '\(header)'
            echo '{"seq":1,"ns":1000,"lane":"harness","ev":"resume"}'
            echo '{"seq":2,"ns":2000,"lane":"harness","ev":"result","facts":{"error":"connectionLost"}}'
            """
        let (scenario, diagnostics) = ScenarioLoader.parse(Array(text.utf8), id: "a/b", file: "b.yaml")
        let sound = try #require(scenario, "\(diagnostics)")
        let server = try await Server.start(Catalogue([sound]))
        var examiner = Examiner(
            server: server, adapter: Adapter(command: ["sh", "-c", script], environment: ["PATH": "/usr/bin:/bin"]),
            platform: .neutral, speaking: wanted)
        examiner.keepsTexts = true
        let sitting = await examiner.sit(try sound.case(named: name), of: sound)
        await server.stop(grace: .zero)
        return sitting
    }

    @Test func `a scenario of HTTP 1_1 is skipped with its place, and nobody is asked`() async throws {
        let sitting = try await sit(Self.unfit, "get", abilities: #""h2""#)
        #expect(!sitting.wasAsked)
        #expect(
            sitting.verdict.outcome
                == .skipped("it means nothing over HTTP/2: b.yaml:2:39: the end of the connection ends the content"))
        #expect(try await sit(Self.unfit, "get", abilities: #""h2""#, speaking: .http11).wasAsked)
    }

    @Test func `a case of HTTP 1_1 is skipped alone`() async throws {
        let sitting = try await sit(Self.fit, "version", abilities: #""h2""#)
        #expect(!sitting.wasAsked)
        #expect(
            sitting.verdict.outcome
                == .skipped(
                    "it means nothing over HTTP/2: b.yaml:5:43: the fact is about the version of a request"))
        let other = try await sit(Self.fit, "get", abilities: #""h2""#)
        #expect(other.wasAsked && other.verdict.outcome == .fail)
    }

    @Test func `a client that does not declare h2 lacks it, and says nothing of HTTP 1_1`() async throws {
        let sitting = try await sit(Self.fit, "get", abilities: "")
        #expect(sitting.wasAsked && sitting.verdict.outcome == .lacks(.h2))
        #expect(
            sitting.verdict.notJudged.first == "the case needs h2, which the client does not declare",
            "\(sitting.verdict.notJudged)")
        #expect(try await sit(Self.fit, "get", abilities: "", speaking: .http11).verdict.outcome == .fail)
    }

    @Test func `an assignment and the curl line say what is spoken`() async throws {
        let sitting = try await sit(Self.fit, "get", abilities: #""h2""#)
        let object = try JSONSerialization.jsonObject(with: Data(sitting.assignment)) as? [String: Any]
        #expect(object?["protocol"] as? String == "h2" && object?["needs"] as? [String] == ["h2"])
        #expect(
            sitting.record.curl
                == "proctor run a/b --case get --protocol h2 -- curl -i --http2-prior-knowledge -L {{base}}/")
        let usual = try await sit(Self.fit, "get", abilities: #""h2""#, speaking: .http11)
        #expect(usual.record.curl == "proctor run a/b --case get -- curl -i -L {{base}}/")
    }
}
