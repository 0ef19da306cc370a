import ProctorProgram
import ProctorReferenceAdapter
import ProctorTestSupport
import Testing

@testable import ProctorEvents

/// What the callbacks of the old shapes say of themselves, which no case asks; the exam asks in which order they come.
@Suite(.limit(minutes: 10))
struct LegacyTraceTests {
    @Test func `a plain load shows its canonical form first, then response, data and the end`() async throws {
        let trace = try await LegacyServer.trace(as: .connection, LegacyScenes.page)
        #expect(trace.calls == "askCredStore canonicalize response(200) data complete(ok)")
        trace.expectNoHit()
        let response = try #require(trace.first(.response))
        #expect(response.family == .connection)
        #expect(response.queue == "D")
        #expect(response.facts.text(.mime) == "text/plain")
        #expect(response.facts.integer(.expectedLength) == 5)
        #expect(response.facts.text(.sel) == "connection:didReceiveResponse:")
        #expect(trace.result?.text(.body) == "hello")
        #expect(trace.result?.text(.error) == nil)
        #expect(trace.first(.resume)?.family == .connection)
    }

    @Test func `the canonical form is what is announced`() async throws {
        let trace = try await LegacyServer.trace(as: .connection, LegacyScenes.page, path: "/b/../a")
        let announced = try #require(trace.first(.canonicalize)?.facts.text(.proposed))
        #expect(announced.hasPrefix("GET http://") && announced.hasSuffix("/a") && !announced.contains(".."))
        trace.expectNoHit()
    }

    @Test func `a connection's download reports progress and its file, and that is its end`() async throws {
        let trace = try await LegacyServer.trace(as: .connectionDownload, LegacyScenes.page)
        #expect(trace.calls == "askCredStore canonicalize progress fileReady")
        #expect(trace.first(.progress)?.family == .connectionDownload)
        #expect(trace.all(.progress).last?.facts.integer(.expected) == 5)
        #expect(trace.first(.fileReady)?.facts.integer(.bytes) == 5)
        #expect(trace.result?.text(.body) == "hello")
        #expect(trace.result?.integer(.status) == 200)
        trace.expectNoHit()
    }

    @Test func `an unknown length is 0`() async throws {
        let yaml = """
            exchanges:
              - request: GET /a
                reply: { status: 200, framing: chunked, body: "hello" }
            """
        let trace = try await LegacyServer.trace(as: .connectionDownload, yaml)
        #expect(trace.all(.progress).map { $0.facts.integer(.expected) }.allSatisfy { $0 == 0 })
        trace.expectNoHit()
    }

    @Test func `a download says where it goes before it says what came`() async throws {
        let trace = try await LegacyServer.trace(as: .download, LegacyScenes.page)
        #expect(
            trace.calls
                == "askCredStore downloadBegin canonicalize response(200) destination(a.txt) destinationCreated progress complete(ok)"
        )
        #expect(trace.events.filter { $0.lane == .task }.allSatisfy { $0.queue == nil && $0.family == .download })
        #expect(Set(trace.events.filter { $0.lane == .task || $0.name == .resume }.map(\.thread)).count == 1)
        #expect(trace.result?.text(.body) == "hello")
        trace.expectNoHit()
    }
}
