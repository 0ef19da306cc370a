import ProctorProgram
import ProctorRecorder
import ProctorReference
import ProctorReferenceAdapter
import ProctorTestSupport
import Testing

@testable import ProctorEvents

/// Downloads that go on behind what an earlier connection brought.
@Suite(.limit(minutes: 10))
struct ResumptionTraceTests {
    /// Each connection brings ten bytes more of a thousand.
    @Test func `it resumes as often as further bytes arrive, up to a bound`() async throws {
        let limit = ReferenceConnectionDownload.resumptionLimit
        let parts = (1...limit + 1).map { number in
            """
              - request: { method: GET, path: /a, headers: { Range: "bytes=\(number)0-" } }
                reply:
                  status: 206
                  headers: { Content-Range: "bytes \(number)0-999/1000", Content-Length: "\(1000 - number * 10)" }
                  body: "0123456789"
                  effects: [{ at: end, do: close }]
            """
        }
        let whole = """
              - request: GET /a
                reply:
                  status: 200
                  headers: { Content-Length: "1000", ETag: '"v1"' }
                  body: "0123456789"
                  effects: [{ at: end, do: close }]
            """
        let yaml = (["exchanges:"] + parts + [whole]).joined(separator: "\n")
        let trace = try await LegacyServer.trace(as: .connectionDownload, yaml)
        let goings = (1...limit).map { "downloadResumed(\($0)0) progress" }.joined(separator: " ")
        #expect(trace.calls == "askCredStore canonicalize progress \(goings) complete(connectionLost)")
        #expect(trace.all(.progress).last?.facts.integer(.total) == (limit + 1) * 10)
        trace.expectNoHit()
    }

    @Test func `a step that left nothing can't be gone on with`() async throws {
        let trace = try await LegacyServer.trace(as: .download, LegacyScenes.page) { base in
            var first = Assignment.Step(url: base + "/a")
            first.task = .download
            var second = first
            second.resume = 0
            return [first, second]
        }
        #expect(trace.ending == .unimplemented)
        #expect(trace.events.last?.argument == "steps[1].resume: step 0 left no resume data")
    }
}
