import Foundation
import ProctorBase
import ProctorHTTP
import ProctorTestSupport
import Testing

@testable import ProctorReference

/// Old downloads that go on: what they ask for, and what is left when they can't.
@Suite(.limit(minutes: 5))
struct LegacyResumeTests {
    private final class EndDelegate: ReferenceDownloadDelegate, ReferenceConnectionDownloadDelegate {
        let log = CallLog()

        func download(_ download: ReferenceDownload, willResumeWith response: LoadResponse, fromByte offset: Int) {
            log.add("resumed at \(offset)")
        }

        func downloadDidFinish(_ download: ReferenceDownload) { log.add("complete ok") }

        func download(_ download: ReferenceDownload, didFailWith error: LoadError) {
            log.add("complete \(error.kind)")
        }

        func connectionDidResumeDownloading(_ connection: ReferenceConnectionDownload, total: Int, expected: Int) {
            log.add("resumed at \(total)")
        }

        func connectionDidFinishDownloading(_ connection: ReferenceConnectionDownload, destination path: String) {
            log.add("file \(TextFile.read(path) ?? "none")")
        }

        func connection(_ connection: ReferenceConnectionDownload, didFailWith error: LoadError) {
            log.add("complete \(error.kind)")
        }
    }

    /// Half of ten bytes and then the end of the connection; the rest is answered by `rest`.
    private static func half(rest: @escaping @Sendable (SessionBench.Asked) -> String?) -> SessionBench.Answer {
        { request, peer in
            guard request.field("Range") == nil else { return rest(request) }
            try await peer.send("HTTP/1.1 200 X\r\nContent-Length: 10\r\nETag: \"v1\"\r\n\r\n01234")
            return nil
        }
    }

    /// The temporary folder is removed with the files in it.
    private static func withNetwork(_ body: (LegacyNetwork, CallbackQueue) async throws -> Void) async throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        var configuration = ReferenceConfiguration()
        configuration.temporaryFolder = folder.path
        let network = try LegacyNetwork(configuration: configuration)
        let queue = try CallbackQueue(label: "bench")
        do {
            try await body(network, queue)
        } catch {
            await network.stop()
            queue.stop()
            throw error
        }
        await network.stop()
        queue.stop()
    }

    /// Downloads a half as NSURLDownload does, and gives what it left.
    private static func left(
        of request: ClientRequest, _ network: LegacyNetwork, _ queue: CallbackQueue
    ) async throws -> ResumeData {
        let delegate = EndDelegate()
        let download = ReferenceDownload(request, delegate: delegate, on: network, scheduledOn: queue)
        download.deletesFileUponFailure = false
        download.start()
        await download.ended()
        #expect(delegate.log.lines == ["complete connectionLost"])
        return try #require(download.resumeData)
    }

    /// Goes on with it; gives the calls, and what was left once more.
    private static func goOn(
        with data: ResumeData, _ network: LegacyNetwork, _ queue: CallbackQueue
    ) async throws -> (calls: [String], left: ResumeData?) {
        let delegate = EndDelegate()
        let download = try #require(
            ReferenceDownload(resuming: data, delegate: delegate, on: network, scheduledOn: queue))
        download.deletesFileUponFailure = false
        download.start()
        await download.ended()
        return (delegate.log.lines, download.resumeData)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let rest: String?
        let end: String
    }

    @Test(arguments: [
        Row(testDescription: "no answer at all", rest: nil, end: "connectionLost"),
        Row(
            testDescription: "another version",
            rest: reply(206, "56789", "Content-Range: bytes 5-9/10", "ETag: \"v2\""), end: "badServerResponse"),
        Row(
            testDescription: "another offset", rest: reply(206, "456789", "Content-Range: bytes 4-9/10"),
            end: "badServerResponse"),
        Row(testDescription: "an error page", rest: reply(503, "sorry"), end: "badServerResponse"),
    ])
    func `a download that could not go on leaves what it had`(row: Row) async throws {
        try await SessionBench.run(Self.half { $0.field("X-Again") == nil ? row.rest : nil }) { bench in
            let request = try bench.request("/file")
            try await Self.withNetwork { network, queue in
                let first = try await Self.left(of: request, network, queue)
                let second = try await Self.goOn(with: first, network, queue)
                #expect(second.calls == ["complete \(row.end)"])
                #expect(second.left?.validator == "\"v1\"")
                #expect(second.left?.byteCount == 5)
                let file = try #require(second.left?.takeFile())
                #expect(TextFile.read(file.path) == "01234")
            }
        }
    }

    @Test func `a download that was refused once resumes with its earlier bytes`() async throws {
        let count = Locked(0)
        let answer = Self.half { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return number == 1
                ? reply(503, "sorry") : reply(206, "56789", "Content-Range: bytes 5-9/10", "ETag: \"v1\"")
        }
        try await SessionBench.run(answer) { bench in
            let request = try bench.request("/file")
            try await Self.withNetwork { network, queue in
                let first = try await Self.left(of: request, network, queue)
                let second = try await Self.goOn(with: first, network, queue)
                let left = try #require(second.left)
                let third = try await Self.goOn(with: left, network, queue)
                #expect(third.calls == ["resumed at 5", "complete ok"])
                #expect(third.left == nil)
            }
        }
    }

    /// A redirect to another origin removes the credentials (RFC 9110 §15.4), which the first address requires.
    @Test func `the rest is asked for where the download began, with all its fields`() async throws {
        try await SessionBench.run(
            Self.half { _ in reply(206, "56789", "Content-Range: bytes 5-9/10", "ETag: \"v1\"") }
        ) { other in
            let target = "Location: http://\(other.address)/file"
            try await SessionBench.run { request, _ in
                request.field("Authorization") == "Basic YTpi" ? reply(302, "", target) : reply(403, "no")
            } _: { bench in
                let request = try bench.request("/start", fields: [HTTPField("Authorization", "Basic YTpi")])
                try await Self.withNetwork { network, queue in
                    let left = try await Self.left(of: request, network, queue)
                    #expect(left.request == request)
                    #expect(try await Self.goOn(with: left, network, queue).calls == ["resumed at 5", "complete ok"])

                    let delegate = EndDelegate()
                    let connection = ReferenceConnectionDownload(
                        request, delegate: delegate, on: network, scheduledOn: queue)
                    connection.start()
                    await connection.ended()
                    #expect(delegate.log.lines == ["resumed at 5", "file 0123456789"])
                }
                #expect(bench.lines == Array(repeating: "GET /start", count: 4))
                #expect(other.asked.withLock { $0.map { $0.field("Range") } } == [nil, "bytes=5-", nil, "bytes=5-"])
                #expect(other.asked.withLock { $0.allSatisfy { $0.field("Authorization") == nil } })
            }
        }
    }
}
