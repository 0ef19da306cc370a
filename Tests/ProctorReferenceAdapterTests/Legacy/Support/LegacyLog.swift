import ProctorBase
import ProctorHTTP
import ProctorReference
import ProctorTestSupport
import Testing

/// A delegate of all old shapes that keeps what it was told, and answers as a test wants.
final class LegacyLog: ReferenceConnectionDelegate, ReferenceConnectionDownloadDelegate, ReferenceDownloadDelegate {
    let challengeMethods = LegacyChallengeMethods.none
    private let state = Locked<[String]>([])
    private let threads = Locked<Set<Bool>>([])
    private let queue: CallbackQueue
    /// What is done with a request that is about to be sent; the text is `canonical` or the status of a redirect.
    let onRequest: @Sendable (ClientRequest, String) -> ClientRequest?
    /// After each entry, in the callback.
    let onEntry: @Sendable (String, any LegacyLoading) -> Void

    init(
        _ queue: CallbackQueue,
        onRequest: @escaping @Sendable (ClientRequest, String) -> ClientRequest? = { request, _ in request },
        onEntry: @escaping @Sendable (String, any LegacyLoading) -> Void = { _, _ in }
    ) {
        self.queue = queue
        self.onRequest = onRequest
        self.onEntry = onEntry
    }

    /// Runs of equal ones count once.
    var entries: String {
        state.withLock { entries in
            var folded: [String] = []
            for entry in entries where folded.last != entry { folded.append(entry) }
            return folded.joined(separator: " ")
        }
    }

    /// Each entry, also those that repeat.
    var all: [String] { state.withLock { $0 } }

    var isOnQueue: Bool { threads.withLock { $0 == [true] } }

    private func note(_ entry: String, _ load: any LegacyLoading) {
        state.withLock { $0.append(entry) }
        let isCurrent = queue.isCurrent
        threads.withLock { _ = $0.insert(isCurrent) }
        onEntry(entry, load)
    }

    func shouldUseCredentialStorage(for load: any LegacyLoading) -> Bool {
        note("store", load)
        return true
    }

    func load(
        _ load: any LegacyLoading, willSend request: ClientRequest, redirectResponse: LoadResponse?
    ) -> ClientRequest? {
        let word = redirectResponse.map { "\($0.status)" } ?? "canonical"
        note(word, load)
        return onRequest(request, word)
    }

    func load(_ load: any LegacyLoading, canAuthenticateAgainst space: LoadChallenge.ProtectionSpace) -> Bool {
        note("can:\(space.realm)", load)
        return space.realm != "never"
    }

    func load(_ load: any LegacyLoading, didReceive challenge: LegacyChallenge) {
        note("challenge", load)
        challenge.performDefaultHandling()
    }

    func load(_ load: any LegacyLoading, didCancel challenge: LoadChallenge) { note("withdrawn", load) }

    func connection(_ connection: ReferenceConnection, didReceive response: LoadResponse) {
        note("response:\(response.status)", connection)
    }

    func connection(_ connection: ReferenceConnection, didReceive data: [UInt8]) {
        note("data:\(String(decoding: data, as: UTF8.self))", connection)
    }

    func connectionDidFinishLoading(_ connection: ReferenceConnection) { note("finish", connection) }

    func connection(_ connection: ReferenceConnection, didFailWith error: LoadError) {
        note("fail:\(error.kind)", connection)
    }

    func connection(_ connection: ReferenceConnectionDownload, didWriteData n: Int, total: Int, expected: Int) {
        note("wrote:\(total)/\(expected)", connection)
    }

    func connectionDidFinishDownloading(_ connection: ReferenceConnectionDownload, destination path: String) {
        note("file:\(path)", connection)
    }

    func connection(_ connection: ReferenceConnectionDownload, didFailWith error: LoadError) {
        note("fail:\(error.kind)", connection)
    }

    func downloadDidBegin(_ download: ReferenceDownload) { note("begin", download) }

    func download(_ download: ReferenceDownload, didReceive response: LoadResponse) {
        note("response:\(response.status)", download)
    }

    func download(_ download: ReferenceDownload, shouldDecodeSourceDataOfMIMEType type: String) -> Bool {
        note("decode:\(type)", download)
        return true
    }

    func download(_ download: ReferenceDownload, decideDestinationWithSuggestedFilename name: String) {
        note("destination:\(name)", download)
    }

    func download(_ download: ReferenceDownload, didCreateDestination path: String) { note("created", download) }

    func downloadDidFinish(_ download: ReferenceDownload) { note("finish", download) }

    func download(_ download: ReferenceDownload, didFailWith error: LoadError) { note("fail:\(error.kind)", download) }
}

/// A network and a queue for the time of a test.
enum LegacyBench {
    static func run<Result>(
        folder: String? = nil, makeCallFilter: (@Sendable () -> any CallFilter)? = nil,
        _ body: (LegacyNetwork, CallbackQueue) async throws -> Result
    ) async throws -> Result {
        var configuration = ReferenceConfiguration()
        configuration.requestTimeout = Patience.whole
        configuration.makeCallFilter = makeCallFilter
        if let folder { configuration.temporaryFolder = folder }
        let network = try LegacyNetwork(configuration: configuration)
        let queue = try CallbackQueue(label: "bench")
        do {
            let result = try await body(network, queue)
            await network.stop()
            queue.stop()
            return result
        } catch {
            await network.stop()
            queue.stop()
            throw error
        }
    }

    static func request(_ base: String, _ path: String = "/a") throws -> ClientRequest {
        ClientRequest(url: try ClientURL(base + path))
    }
}
