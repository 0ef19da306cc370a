import ProctorBase
import ProctorHTTP
import ProctorReference
import ProctorTestSupport
import Testing

/// A delegate of all old shapes that keeps what it was told, and answers as a test wants.
final class LegacyLog: LegacyDelegate {
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

    func load(_ load: any LegacyLoading, permits question: DelegateCall) -> Bool {
        switch question {
        case .canAuthenticate(let challenge):
            note("can:\(challenge.space.realm)", load)
            return challenge.space.realm != "never"
        case .shouldDecode(let type): note("decode:\(type)", load)
        default: note("store", load)
        }
        return true
    }

    func load(
        _ load: any LegacyLoading, willSend request: ClientRequest, redirectResponse: LoadResponse?
    ) -> ClientRequest? {
        let word = redirectResponse.map { "\($0.status)" } ?? "canonical"
        note(word, load)
        return onRequest(request, word)
    }

    func load(_ load: any LegacyLoading, didReceive challenge: LegacyChallenge) {
        note("challenge", load)
        challenge.performDefaultHandling()
    }

    func load(_ load: any LegacyLoading, tells call: DelegateCall) {
        switch call {
        case .challengeCancelled: note("withdrawn", load)
        case .response(let response): note("response:\(response.status)", load)
        case .data(let bytes): note("data:\(String(decoding: bytes, as: UTF8.self))", load)
        case .progress(let progress) where load is ReferenceConnectionDownload:
            note("wrote:\(progress.total)/\(max(0, progress.expected))", load)
        case .created: note("begin", load)
        case .decideDestination(let name): note("destination:\(name)", load)
        case .createdDestination: note("created", load)
        case .fileReady(let file): note("file:\(file.path)", load)
        case .complete(nil): note("finish", load)
        case .complete(let error?): note("fail:\(error.kind)", load)
        default: break
        }
    }
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
