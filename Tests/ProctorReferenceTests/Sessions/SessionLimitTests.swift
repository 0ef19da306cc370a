import ProctorHTTP
import Testing

@testable import ProctorReference

/// Content that is too long, where the load itself has nothing to complain of.
@Suite(.timeLimit(.minutes(5)))
struct SessionLimitTests {
    /// A part without a boundary behind it: only the end tells that its last line end belongs to it, which makes 5 bytes.
    private static let part: SessionBench.Answer = { _, _ in
        reply(200, "--b\r\nX-Part: 1\r\n\r\nabc\r\n", "Content-Type: multipart/x-mixed-replace; boundary=b")
    }

    private static func configuration(limit: Int) -> ReferenceConfiguration {
        var configuration = ReferenceConfiguration()
        configuration.collectedByteLimit = limit
        configuration.fileByteLimit = limit
        return configuration
    }

    @Test(arguments: [true, false])
    func `bytes that are too many fail the load also when they come with its end`(hasDelegate: Bool) async throws {
        try await SessionBench.run(Self.part) { bench in
            let session = try ReferenceSession(
                configuration: Self.configuration(limit: 3), delegate: hasDelegate ? LogDelegate() : nil)
            let request = try bench.request("/parts")
            let content = await #expect(throws: LoadError.self) { try await session.data(for: request) }
            #expect(content?.kind == .dataLengthExceedsMaximum)
            let file = await #expect(throws: LoadError.self) { try await session.download(for: request) }
            #expect(file?.kind == .dataLengthExceedsMaximum)
            session.invalidateAndCancel()
            await session.ended()
        }
    }

    @Test(arguments: [(3, "complete dataLengthExceedsMaximum"), (5, "complete ok")])
    func `a file that may not be as long is not given to the delegate`(limit: Int, end: String) async throws {
        try await SessionBench.run(Self.part) { bench in
            let delegate = LogDelegate()
            let session = try ReferenceSession(
                configuration: Self.configuration(limit: limit), delegate: delegate)
            session.downloadTask(with: try bench.request("/parts")).resume()
            await delegate.log.wait(for: "complete")
            session.finishTasksAndInvalidate()
            await session.ended()
            let file = limit == 5 ? ["fileReady"] : []
            let calls = delegate.log.folded.filter { $0 != "sessionInvalid" }
            #expect(calls == ["created", "progress"] + file + ["metrics 1", end])
        }
    }
}
