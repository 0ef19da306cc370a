internal import ProctorBase
internal import ProctorHTTP

/// A load as NSURLConnection has it: told to a delegate on one thread, question by return value (family UC).
///
/// It keeps its delegate until its end.
@safe public final class ReferenceConnection: LegacyShape, @unchecked Sendable {
    /// What was asked for first, as it was given.
    public let originalRequest: ClientRequest
    let core: LegacyCore<any ReferenceConnectionDelegate, ConnectionCall>
    /// Of the content of the last response; network thread only.
    private var byteCount = 0

    /// Nothing happens before ``start()``; `timeout` takes the place of the network's `requestTimeout`.
    public convenience init(
        _ request: ClientRequest, delegate: any ReferenceConnectionDelegate, on network: LegacyNetwork,
        scheduledOn queue: CallbackQueue, timeout: Duration? = nil
    ) {
        self.init(request, delegate: delegate, on: network, scheduledOn: queue, timeout: timeout, filter: nil)
    }

    /// `filter` sees each call before it is made.
    package init(
        _ request: ClientRequest, delegate: any ReferenceConnectionDelegate, on network: LegacyNetwork,
        scheduledOn queue: CallbackQueue, timeout: Duration?, filter: (any CallFilter<ConnectionCall>)?
    ) {
        originalRequest = request
        core = LegacyCore(
            delegate, challengeMethods: delegate.challengeMethods, network: network, queue: queue,
            options: network.configuration.loadOptions(
                timeout: timeout, asksToStore: true, keeper: network.keeper, security: network.security,
                cookies: network.cookieStore),
            filter: filter)
    }

    /// Begins; to be called once, from any thread.
    public func start() { begin(originalRequest) }

    /// Ends the load without a word to its delegate (R6, R42).
    public func cancel() { stop() }

    /// Returns when the last call has returned, or after a cancel when nothing can come any more.
    public func ended() async { await core.ended() }

    static func common(_ call: LegacyCall) -> ConnectionCall { .common(call) }
    static func failure(_ error: LoadError) -> ConnectionCall { .didFail(error) }

    // MARK: On the network's thread

    func load(_ load: Load, tells notice: ClientNotice) {
        guard core.load === load, !takeCommon(notice, of: load) else { return }
        switch notice {
        case .needBodyStream: place(.needNewBodyStream, of: load)
        case .bodySent(let n, let total, let expected):
            place(.didSendBodyData(n: n, total: total, expected: expected), of: load)
        case .response(let response):
            byteCount = 0
            place(.didReceiveResponse(response), of: load)
        case .data(let bytes):
            byteCount += bytes.count
            place(.didReceiveData(bytes), of: load) { load.didConsume(bytes.count) }
        case .willCache(let response): place(.willCache(response, byteCount: byteCount), of: load)
        case .complete(let error): placeLast(error.map { .didFail($0) } ?? .didFinishLoading, of: load)
        case .canonicalize, .redirect, .challenge, .challengeCancelled, .informational, .metrics: break
        }
    }

    // MARK: On the callback thread

    func make(_ call: ConnectionCall, of load: Load, to delegate: any ReferenceConnectionDelegate) {
        switch call {
        case .common(let call): makeCommon(call, of: load, to: delegate)
        case .needNewBodyStream:
            load.answer(.bodyStreamAnswered(delegate.connectionNeedsNewBodyStream(self)))
        case .didSendBodyData(let n, let total, let expected):
            delegate.connection(self, didSendBodyData: n, total: total, expected: expected)
        case .didReceiveResponse(let response):
            delegate.connection(self, didReceive: response)
            load.answer(.responseAnswered(isAllowed: true))
        case .didReceiveData(let bytes): delegate.connection(self, didReceive: bytes)
        case .willCache(let response, let byteCount):
            let isStored = delegate.connection(self, willCache: response, byteCount: byteCount)
            load.answer(.cacheAnswered(isStored: isStored))
        case .didFinishLoading: delegate.connectionDidFinishLoading(self)
        case .didFail(let error): delegate.connection(self, didFailWith: error)
        }
    }
}
