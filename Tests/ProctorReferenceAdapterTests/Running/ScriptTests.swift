import ProctorRecorder
import ProctorReferenceAdapter
import ProctorTestSupport
import ProctorTrace
import Testing

/// Scripts of a URLProtocol before the shapes of the client.
@Suite(.timeLimit(.minutes(5)))
struct ScriptTests {
    private static func trace(as shape: ReferenceShape) async -> LegacyTrace {
        var step = Assignment.Step(url: "http://127.0.0.1:9/start")
        step.task = shape == .connectionDownload || shape == .download ? "download" : "data"
        step.protocolScript = [
            Assignment.ProtocolCall("redirect", "../moved?q"), Assignment.ProtocolCall("await-stop"),
            Assignment.ProtocolCall("response", "200"), Assignment.ProtocolCall("data", "hello"),
            Assignment.ProtocolCall("finish"),
        ]
        let assignment = Assignment(
            scenario: "test/script", caseName: "test", base: "http://127.0.0.1:9", deadline: 120_000, steps: [step])
        return await LegacyStage.trace(of: assignment, as: shape)
    }

    @Test func `the shape of URLProtocols plays one, and what it redirects to may be a reference`() async throws {
        let trace = await Self.trace(as: .urlProtocol)
        #expect(trace.ending == .finished, "\(trace.events)")
        let result = try #require(trace.result)
        #expect(result.text(.body) == "hello", "\(trace.events)")
        #expect(result.text(.url) == "http://127.0.0.1:9/moved?q", "\(trace.events)")
    }

    @Test(arguments: [ReferenceShape.session, .connection, .connectionDownload, .download])
    func `a client that loads by itself declines one, and says who does not`(shape: ReferenceShape) async throws {
        let trace = await Self.trace(as: shape)
        #expect(trace.ending == .unimplemented)
        let reason = try #require(trace.first(.unimplemented)?.argument ?? trace.events.last?.argument)
        #expect(reason.hasPrefix("steps[0].protocolScript: "), "\(reason)")
        #expect(reason.hasSuffix("--as url-protocol plays scripts"), "\(reason)")
    }
}
