import ProctorRecorder
import ProctorReferenceAdapter
import ProctorTestSupport
import ProctorTrace
import Testing

/// A step whose text is no URL: a load that fails, in every shape.
@Suite(.timeLimit(.minutes(5)))
struct UnreadableURLTraceTests {
    private static func trace(
        as shape: ReferenceShape, _ url: String, task: String = "data"
    ) async -> LegacyTrace {
        var step = Assignment.Step(url: url)
        step.task = shape == .connectionDownload || shape == .download ? "download" : task
        let assignment = Assignment(
            scenario: "test/unreadable", caseName: "test", base: "http://127.0.0.1:1", deadline: 120_000, steps: [step])
        return await LegacyStage.trace(of: assignment, as: shape)
    }

    @Test(arguments: ReferenceShape.allCases)
    func `a port that is none fails the load with badURL`(shape: ReferenceShape) async throws {
        let trace = await Self.trace(as: shape, "http://127.0.0.1:65536/a")
        #expect(trace.ending == .finished, "\(trace.events)")
        let result = try #require(trace.result)
        #expect(result.text(.error) == "badURL", "\(trace.events)")
        #expect(trace.all(.response).isEmpty && trace.all(.canonicalize).isEmpty)
        trace.expectNoHit()
    }

    @Test(arguments: [ReferenceShape.session, .connection, .connectionDownload, .download], ["", "/a", "?a=1"])
    func `a text without a scheme fails the load with unsupportedURL`(shape: ReferenceShape, text: String) async throws
    {
        let trace = await Self.trace(as: shape, text)
        #expect(try #require(trace.result).text(.error) == "unsupportedURL", "\(trace.events)")
        trace.expectNoHit()
    }

    @Test(arguments: ["handler", "async", "upload", "download"])
    func `every task of a session does so`(task: String) async throws {
        let trace = await Self.trace(as: .session, "http://127.0.0.1:http/a", task: task)
        #expect(trace.ending == .finished)
        #expect(try #require(trace.result).text(.error) == "badURL", "\(trace.events)")
    }
}
