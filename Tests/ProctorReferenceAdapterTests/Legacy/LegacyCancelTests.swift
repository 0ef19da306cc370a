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

    // Other moments are rows of Tests/Data/clients/old-shapes/cancelling.md; a case can't be cancelled in these.
    private static let connection = ["askCredStore", "canonicalize"]
    private static let connectionDownload = ["askCredStore", "canonicalize", "askCanAuth"]
    private static let download = [
        "askCredStore", "downloadBegin", "canonicalize", "askCanAuth", "response", "shouldDecode", "destination",
        "destinationCreated",
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
