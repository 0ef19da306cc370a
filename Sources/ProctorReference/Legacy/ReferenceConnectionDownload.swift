internal import ProctorBase
internal import ProctorHTTP

/// A download as NSURLConnection made it for Newsstand: into a file, resumed by itself where a connection breaks (family CD).
///
/// It keeps its delegate until its end.
@safe public final class ReferenceConnectionDownload: LegacyShape, @unchecked Sendable {
    /// What was asked for first, as it was given.
    public let originalRequest: ClientRequest
    let core: LegacyCore<any ReferenceConnectionDownloadDelegate, ConnectionDownloadCall>
    private let current = Locked<LoadResponse?>(nil)
    // Network thread only.
    /// What was sent first: the delegate may have put another request in the place of the original one.
    private var firstRequest: ClientRequest?
    /// nil before the first response.
    private var content: DownloadContent?
    private var resumptionCount = 0

    /// How often it goes on by itself; a connection that breaks once more fails the download.
    public static let resumptionLimit = 8

    /// Nothing happens before ``start()``; `timeout` takes the place of the network's `requestTimeout`.
    public convenience init(
        _ request: ClientRequest, delegate: any ReferenceConnectionDownloadDelegate, on network: LegacyNetwork,
        scheduledOn queue: CallbackQueue, timeout: Duration? = nil
    ) {
        self.init(request, delegate: delegate, on: network, scheduledOn: queue, timeout: timeout, filter: nil)
    }

    /// `filter` sees each call before it is made.
    package init(
        _ request: ClientRequest, delegate: any ReferenceConnectionDownloadDelegate, on network: LegacyNetwork,
        scheduledOn queue: CallbackQueue, timeout: Duration?, filter: (any CallFilter<ConnectionDownloadCall>)?
    ) {
        originalRequest = request
        core = LegacyCore(
            delegate, challengeMethods: delegate.challengeMethods, network: network, queue: queue,
            options: network.configuration.loadOptions(
                timeout: timeout, asksToStore: false, keeper: network.keeper, security: network.security,
                cookies: network.cookieStore),
            filter: filter)
    }

    /// Begins; to be called once, from any thread.
    public func start() { begin(originalRequest) }

    /// Ends the load without a word to its delegate (R42), and removes the file.
    public func cancel() { stop() }

    /// Returns when the last call has returned, or after a cancel when nothing can come any more.
    public func ended() async { await core.ended() }

    /// The last one, whose content the file has; nil before it came.
    public var response: LoadResponse? { current.withLock { $0 } }

    static func common(_ call: LegacyCall) -> ConnectionDownloadCall { .common(call) }
    static func failure(_ error: LoadError) -> ConnectionDownloadCall { .didFail(error) }

    // MARK: On the network's thread

    func load(_ load: Load, tells notice: ClientNotice) {
        guard core.load === load else { return }
        if case .canonicalize = notice {} else { firstRequest = firstRequest ?? load.request }
        guard !takeCommon(notice, of: load) else { return }
        do throws(LoadError) {
            switch notice {
            // There is no method for a stream; the one that came with the request has been sent.
            case .needBodyStream: load.answer(.bodyStreamAnswered(nil))
            case .response(let response):
                try take(response, of: load)
                if core.load === load { load.answer(.responseAnswered(isAllowed: true)) }
            case .data(let bytes): try take(bytes, of: load)
            case .complete(let error): end(load, error)
            // Nothing asks to store a download.
            case .willCache: load.answer(.cacheAnswered(isStored: false))
            case .bodySent, .canonicalize, .redirect, .challenge, .challengeCancelled, .informational, .metrics: break
            }
        } catch {
            content?.letGo()
            fail(load, error)
        }
    }

    private func take(_ response: LoadResponse, of load: Load) throws(LoadError) {
        current.withLock { $0 = response }
        let content = self.content ?? DownloadContent(of: firstRequest ?? originalRequest)
        self.content = content
        switch try content.begin(with: response) {
        case .new:
            let configuration = core.network.configuration
            content.store(
                in: try DownloadFile(in: configuration.temporaryFolder, limit: configuration.fileByteLimit))
        // A further part makes what came before it void (R26).
        case .again: place(.didResumeDownloading(total: 0, expected: content.expected ?? 0), of: load)
        case .goesOn(let offset):
            place(.didResumeDownloading(total: offset, expected: content.expected ?? 0), of: load)
        }
    }

    private func take(_ bytes: [UInt8], of load: Load) throws(LoadError) {
        guard let content else { return }
        try content.append(bytes)
        let call = ConnectionDownloadCall.didWriteData(
            n: bytes.count, total: content.byteCount, expected: content.expected ?? 0)
        place(call, of: load) { load.didConsume(bytes.count) }
    }

    private func end(_ load: Load, _ error: LoadError?) {
        guard let error = error ?? content?.shortfall else {
            guard let file = content?.file else { return placeLast(.didFail(Self.noContent), of: load) }
            file.finish()
            content?.letGo()
            return placeLast(.didFinishDownloading(path: file.path), of: load) { withExtendedLifetime(file) {} }
        }
        if error.kind == .connectionLost, !core.isSilent, goesOn() { return }
        content?.letGo()
        placeLast(.didFail(error), of: load)
    }

    /// False when the rest could not be asked for safely.
    private func goesOn() -> Bool {
        // One that breaks before it has said anything breaks what it was to go on with.
        guard let content, !content.isAwaitingAnswer, resumptionCount < Self.resumptionLimit,
            let data = content.left, let next = DownloadContent(goingOnWith: data)
        else { return false }
        self.content = next
        resumptionCount += 1
        run(makeLoad(data.rest, announces: false))
        return true
    }

    private static let noContent = LoadError(.badServerResponse, "the download ended before its response came")

    // MARK: On the callback thread

    func make(_ call: ConnectionDownloadCall, of load: Load, to delegate: any ReferenceConnectionDownloadDelegate) {
        switch call {
        case .common(let call): makeCommon(call, of: load, to: delegate)
        case .didWriteData(let n, let total, let expected):
            delegate.connection(self, didWriteData: n, total: total, expected: expected)
        case .didResumeDownloading(let total, let expected):
            delegate.connectionDidResumeDownloading(self, total: total, expected: expected)
        case .didFinishDownloading(let path):
            delegate.connectionDidFinishDownloading(self, destination: path)
        case .didFail(let error): delegate.connection(self, didFailWith: error)
        }
    }
}
