import ProctorProgram
import ProctorRecorder
import ProctorReferenceAdapter
import ProctorTestSupport
import Testing

@testable import ProctorEvents

/// After a cancel nothing more is told, whenever it comes (R6, R42).
@Suite(.limit(minutes: 10))
struct LegacyCancelTests {
    /// Everything that can happen to a load, in one scenario.
    private static let everything = """
        exchanges:
          - request: { method: POST, path: /b, headers: { Authorization: "Basic dXNlcjpwYXNz" } }
            reply: { status: 200, headers: { Content-Type: application/gzip }, body: { base64: H4sIAAAAAAAC/ytPzUnOz00FALNhyzcHAAAA } }
          - request: POST /b
            reply: { status: 401, headers: { WWW-Authenticate: 'Basic realm="lab"' }, body: "denied" }
          - request: POST /a
            reply: { status: 307, headers: { Location: /b }, body: "moved" }
        """

    struct Row: Sendable, CustomTestStringConvertible {
        let shape: ReferenceShape
        let event: String
        var testDescription: String { "\(shape.rawValue) \(event)" }
    }

    private static let connection = [
        "askCredStore", "canonicalize", "needBodyStream", "bodySent", "redirect", "challenge", "response", "data",
        "complete",
    ]
    private static let connectionDownload = [
        "askCredStore", "canonicalize", "redirect", "askCanAuth", "challenge", "progress", "fileReady",
    ]
    private static let download = [
        "askCredStore", "downloadBegin", "canonicalize", "redirect", "askCanAuth", "challenge", "response",
        "shouldDecode", "destination", "destinationCreated", "progress", "complete",
    ]

    static let rows =
        connection.map { Row(shape: .connection, event: $0) }
        + connectionDownload.map { Row(shape: .connectionDownload, event: $0) }
        + download.map { Row(shape: .download, event: $0) }

    private func trace(_ shape: ReferenceShape, cancelAt event: String?) async throws -> LegacyTrace {
        try await LegacyServer.serve(Self.everything) { base in
            var step = Assignment.Step(method: "POST", url: base + "/a")
            step.body = Assignment.Bytes(text: "0123456789")
            if shape == .connection {
                step.task = .upload
                step.bodyForm = .stream
            } else {
                step.task = .download
            }
            step.onChallenge = [.use(Assignment.Credential(user: "user", password: "pass"))]
            step.cancelAt = event.map { Assignment.Moment($0) }
            let assignment = Assignment(
                scenario: "test/legacy", caseName: "test", base: base, deadline: 120_000, steps: [step])
            return await LegacyServer.trace(of: assignment, as: shape)
        }
    }

    @Test(arguments: rows)
    func `a cancel inside a callback is followed by silence`(row: Row) async throws {
        let trace = try await trace(row.shape, cancelAt: row.event)
        let last = trace.events.last { $0.lane == .task && $0.phase == .enter }
        #expect(last?.name.rawValue == row.event, "\(trace.calls)")
        #expect(trace.all(.cancel).count == 1)
        let cancel = try #require(trace.events.firstIndex { $0.name == .cancel })
        #expect(trace.events[cancel...].allSatisfy { $0.lane != .task || $0.phase == .exit })
        #expect(trace.events[cancel...].allSatisfy { $0.name != .answer })
        trace.expectNoHit()
    }

    @Test(arguments: [ReferenceShape.connection, .connectionDownload, .download])
    func `without a cancel every one of these callbacks comes`(shape: ReferenceShape) async throws {
        let trace = try await trace(shape, cancelAt: nil)
        let names = Set(trace.events.filter { $0.lane == .task }.map(\.name.rawValue))
        #expect(names == Set(Self.rows.filter { $0.shape == shape }.map(\.event)))
        trace.expectNoHit()
    }

    @Test(arguments: [ReferenceShape.connection, .connectionDownload, .download])
    func `a cancel before or right after the start leaves nothing to tell`(shape: ReferenceShape) async throws {
        for moment in ["before-resume", "after-resume"] {
            let trace = try await trace(shape, cancelAt: moment)
            #expect(trace.calls == "", "\(moment)")
            #expect(trace.result?.integer(.bytes) == 0, "\(moment)")
            trace.expectNoHit()
        }
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let shape: ReferenceShape
        let key: String
        let change: @Sendable (inout Assignment) -> Void
        var testDescription: String { "\(shape.rawValue) \(key)" }
    }

    @Test(arguments: [
        Refusal(shape: .connection, key: "steps[0].task") { $0.steps[0].task = .download },
        Refusal(shape: .connection, key: "steps[0].task") { $0.steps[0].task = .async },
        Refusal(shape: .download, key: "steps[0].task") { $0.steps[0].task = .data },
        Refusal(shape: .connectionDownload, key: "steps[0].task") { $0.steps[0].task = .upload },
        Refusal(shape: .connection, key: "steps[0].suspendAt") { $0.steps[0].suspendAt = .init("data") },
        Refusal(shape: .connection, key: "steps[0].onResponse") { $0.steps[0].onResponse = .cancel },
        Refusal(shape: .connection, key: "steps[0].onBodyStream") { $0.steps[0].onBodyStream = .never },
        Refusal(shape: .connection, key: "steps[0].answerAfter") { $0.steps[0].answerAfter = 10 },
        Refusal(shape: .connection, key: "steps[0].onRedirect") { $0.steps[0].onRedirect = [.never] },
        Refusal(shape: .connection, key: "steps[0].onRedirect") { $0.steps[0].onRedirect = [.twice] },
        Refusal(shape: .connection, key: "steps[0].onRedirect") {
            $0.steps[0].onRedirect = [.cancelThenFollow]
        },
        Refusal(shape: .connection, key: "steps[0].cachePolicy") {
            $0.steps[0].unknownWords = [.init(key: "cachePolicy", word: "sometimes")]
        },
        Refusal(shape: .connection, key: "session.delegates") { $0.session.delegates = .task },
        Refusal(shape: .connection, key: "session.queue") { $0.session.queue = .main },
        Refusal(shape: .connection, key: "session.end") { $0.session.end = .invalidate },
        Refusal(shape: .connectionDownload, key: "steps[0].producesResumeData") {
            $0.steps[0].task = .download
            $0.steps[0].producesResumeData = true
        },
        Refusal(shape: .download, key: "steps[0].bodyForm") {
            $0.steps[0].task = .download
            $0.steps[0].body = .init(text: "a")
            $0.steps[0].bodyForm = .stream
        },
    ])
    func `what the old shapes can't do is named before anything is done`(row: Refusal) async throws {
        var assignment = Assignment(
            scenario: "test/legacy", caseName: "test", base: "http://127.0.0.1:1",
            steps: [Assignment.Step(url: "http://127.0.0.1:1/a")])
        row.change(&assignment)
        let trace = await LegacyServer.trace(of: assignment, as: row.shape)
        #expect(trace.ending == .unimplemented)
        #expect(trace.events.map(\.name) == [.unimplemented])
        #expect(trace.events.first?.argument?.hasPrefix(row.key + ":") == true, "\(trace.events)")
    }

    @Test func `a redirect whose answer should come later gives the step up`() async throws {
        let trace = try await LegacyServer.trace(as: .connection, LegacyScenes.redirect) { step in
            step.onChallenge = [.performDefault]
            step.answerAfter = 10
        }
        #expect(trace.ending == .unimplemented)
        #expect(trace.first(.unimplemented)?.argument?.hasPrefix("steps[0].answerAfter:") == true)
        #expect(trace.calls == "askCredStore canonicalize redirect(302)")
    }
}
