import Foundation
import ProctorBase
import ProctorEvents
import ProctorProgram
import ProctorTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a pass of an exam inside a test rests on: a client that fails every load fails those too that it must.
struct ExamControlTests {
    /// Musts that a client passes by an error alone, where it makes any load.
    private static let patterns = [
        "broken/nothing-at-all#*", "broken/reset-at-once", "fault/close-after-the-head",
        "redirect/loop#ends",
    ]

    /// Sends the request of the load, and looks at nothing that comes.
    private static func send(_ load: ExamLoad) async throws {
        let url = try #require(URL(string: load.url))
        var request = URLRequest(url: url)
        request.timeoutInterval = 5
        _ = try? await URLSession(configuration: .ephemeral).data(for: request)
    }

    private static func cases(_ abilities: Set<Ability> = [.redirects]) throws -> [ExamCase] {
        try patterns.flatMap { try ClientExam($0, abilities: abilities).cases }
    }

    @Test(arguments: try cases())
    func `a client that throws in every load passes no case`(item: ExamCase) async throws {
        let isRed = Locked(false)
        try await withKnownIssue(isIntermittent: true) {
            try await item.sit { load in
                try await Self.send(load)
                throw URLError(.networkConnectionLost)
            }
        } matching: { _ in
            isRed.withLock { $0 = true }
            return true
        }
        // A case that rests on the control is cancelled with its reason, which is not to be seen from here.
        #expect(isRed.withLock { $0 } || Task.isCancelled, "\(item.testDescription) is passed")
    }

    @Test(arguments: try cases())
    func `a client that loads what can be loaded passes them`(item: ExamCase) async throws {
        try await item.sit { load in
            let url = try #require(URL(string: load.url))
            let session = URLSession(configuration: .ephemeral)
            defer { session.finishTasksAndInvalidate() }
            let (data, response) = try await session.data(for: URLRequest(url: url))
            let reply = try #require(response as? HTTPURLResponse)
            return ExamResult(status: reply.statusCode, url: reply.url?.absoluteString, content: Array(data))
        }
        #expect(!Task.isCancelled)
    }
}
