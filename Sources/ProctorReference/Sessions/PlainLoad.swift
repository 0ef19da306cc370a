internal import ProctorHTTP
internal import ProctorLoop

/// A load that nobody watches: no task, no delegate, no queue; every question is answered on the spot.
///
/// Loop thread only, but for its making and for ``result()`` after the end.
@safe final class PlainLoad: LoadClient, @unchecked Sendable {
    private let session: ReferenceSession
    private let request: ClientRequest
    private let options: LoadOptions
    private var load: Load?
    private var outcome = TaskOutcome()
    private var hasEnded = false

    init(_ request: ClientRequest, timeout: Duration?, session: ReferenceSession) {
        self.session = session
        self.request = session.complete(request)
        options = session.configuration.loadOptions(timeout: timeout, asksToStore: false)
    }

    /// Returns when it has ended; cancelling the task cancels the load.
    func run() async {
        guard session.begin(self) else {
            outcome.error = ReferenceSession.invalidated
            return
        }
        let load = Load(request, options: options, pool: session.pool, client: self)
        self.load = load
        await load.run()
        self.load = nil
        session.end(self)
    }

    func cancel() { load?.answer(.cancel) }

    func result() throws(LoadError) -> (content: [UInt8], response: LoadResponse) {
        if let error = outcome.error { throw error }
        guard let response = outcome.response else {
            throw LoadError(.badServerResponse, "\(request.method) \(request.url) ended without a response")
        }
        return (outcome.bytes, response)
    }

    func load(_ load: Load, tells notice: ClientNotice) {
        switch notice {
        case .canonicalize: load.answer(.canonicalAnswered(isAccepted: true))
        case .redirect(let next, _): load.answer(.redirectAnswered(next))
        case .challenge: load.answer(.challengeAnswered(.goOnWithout))
        case .needBodyStream: load.answer(.bodyStreamAnswered(nil))
        case .response(let response):
            outcome.response = response
            outcome.bytes = []
            load.answer(.responseAnswered(isAllowed: true))
        case .data(let bytes): take(bytes, of: load)
        case .willCache: load.answer(.cacheAnswered(isStored: false))
        case .complete(let error): if outcome.error == nil { outcome.error = error }
        case .challengeCancelled, .bodySent, .informational, .metrics: break
        }
    }

    private func take(_ bytes: [UInt8], of load: Load) {
        let limit = session.configuration.collectedByteLimit
        guard limit - outcome.bytes.count >= bytes.count else {
            outcome.error = LoadError(
                .dataLengthExceedsMaximum,
                "the content is longer than the \(limit) bytes that are kept in memory; use a download")
            return load.answer(.cancel)
        }
        if outcome.bytes.isEmpty { outcome.bytes = bytes } else { outcome.bytes += bytes }
        load.didConsume(bytes.count)
    }
}

/// The plain loads of a session; loop thread only.
final class PlainLoads: @unchecked Sendable {
    private var loads: [ObjectIdentifier: PlainLoad] = [:]

    var isEmpty: Bool { loads.isEmpty }

    func insert(_ load: PlainLoad) { loads[ObjectIdentifier(load)] = load }

    func remove(_ load: PlainLoad) { loads[ObjectIdentifier(load)] = nil }

    func cancelAll() {
        for load in loads.values { load.cancel() }
    }
}
