internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop

/// A download as NSURLConnection made it for Newsstand: into a file, resumed by itself where a connection breaks (family connectionDownload).
///
/// The load keeps its delegate until its end.
public final class ReferenceConnectionDownload: LegacyLoad {
    /// What was asked for first, as it was given.
    public let originalRequest: ClientRequest
    let core: LegacyCore<any ReferenceConnectionDownloadDelegate>
    private let current = Locked<LoadResponse?>(nil)
    private let state: LoopBound<State>

    /// What belongs to the network's thread.
    private final class State {
        /// What was sent first: the delegate may have put another request in the place of the original one.
        var firstRequest: ClientRequest?
        /// nil before the first response.
        var content: DownloadContent?
        var resumptionCount = 0
    }

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
        scheduledOn queue: CallbackQueue, timeout: Duration?, filter: (any CallFilter)?
    ) {
        originalRequest = request
        core = LegacyCore(
            delegate, challengeMethods: delegate.challengeMethods, network: network, queue: queue,
            options: network.loadOptions(timeout: timeout, asksToStore: false),
            filter: filter)
        state = LoopBound(State(), on: network.loop)
    }

    /// Begins; to be called once, from any thread.
    public func start() { begin(originalRequest) }

    /// Ends the load without a word to its delegate (R42), and removes the file.
    public func cancel() { stop() }

    /// Returns when the last call has returned, or after a cancel when nothing can come any more.
    public func ended() async { await core.ended() }

    /// The last one, whose content the file has; nil before it came.
    public var response: LoadResponse? { current.withLock { $0 } }

    func common(_ delegate: any ReferenceConnectionDownloadDelegate) -> any LegacyDelegate { delegate }

    // MARK: On the network's thread

    func load(_ load: Load, tells call: DelegateCall) {
        guard core.onLoop.load === load else { return }
        let state = state.value
        if case .canonicalize = call {} else { state.firstRequest = state.firstRequest ?? load.request }
        guard !takeCommon(call, of: load) else { return }
        do throws(LoadError) {
            switch call {
            // There is no method for a stream; the one that came with the request has been sent.
            case .needBodyStream: load.answer(.bodyStreamAnswered(nil))
            case .response(let response):
                try take(response, of: load)
                if core.onLoop.load === load { load.answer(.responseAnswered(isAllowed: true)) }
            case .data(let bytes): try take(bytes, of: load)
            case .complete(let error): end(load, error)
            // Nothing asks to store a download.
            case .willCache: load.answer(.cacheAnswered(isStored: false))
            default: break
            }
        } catch {
            state.content?.letGo()
            fail(load, error)
        }
    }

    private func take(_ response: LoadResponse, of load: Load) throws(LoadError) {
        current.withLock { $0 = response }
        let state = state.value
        let content = state.content ?? DownloadContent(of: state.firstRequest ?? originalRequest)
        state.content = content
        switch try content.begin(with: response) {
        case .new: content.store(in: try core.network.configuration.makeFile())
        // A further part makes what came before it void (R26).
        case .again: place(.downloadResumed(response, offset: 0, expected: content.expected ?? -1), of: load)
        case .goesOn(let offset):
            place(.downloadResumed(response, offset: offset, expected: content.expected ?? -1), of: load)
        }
    }

    private func take(_ bytes: [UInt8], of load: Load) throws(LoadError) {
        guard let content = state.value.content else { return }
        try content.append(bytes)
        place(.progress(content.progress(by: bytes.count)), of: load) { load.didConsume(bytes.count) }
    }

    private func end(_ load: Load, _ error: LoadError?) {
        let content = state.value.content
        guard let error = error ?? content?.shortfall else {
            guard let file = content?.file else { return placeLast(.complete(Self.noContent), of: load) }
            file.finish()
            content?.letGo()
            return placeLast(.fileReady(file), of: load)
        }
        if error.kind == .connectionLost, !core.isSilent, goesOn() { return }
        content?.letGo()
        placeLast(.complete(error), of: load)
    }

    /// False when the rest could not be asked for safely.
    private func goesOn() -> Bool {
        let state = state.value
        // A load that breaks before its first reply has nothing to go on with.
        guard let content = state.content, !content.isAwaitingAnswer, state.resumptionCount < Self.resumptionLimit,
            let data = content.left, let next = DownloadContent(goingOnWith: data)
        else { return false }
        state.content = next
        state.resumptionCount += 1
        run(makeLoad(data.rest, announces: false))
        return true
    }

    private static let noContent = LoadError(.badServerResponse, "the download ended before its response came")

    // MARK: On the callback thread

    func make(_ call: DelegateCall, of load: Load, to delegate: any ReferenceConnectionDownloadDelegate) {
        switch call {
        case .progress(let progress):
            delegate.connection(
                self, didWriteData: progress.byteCount, total: progress.total, expected: max(0, progress.expected))
        case .downloadResumed(_, let offset, let expected):
            delegate.connectionDidResumeDownloading(self, total: offset, expected: max(0, expected))
        case .fileReady(let file): delegate.connectionDidFinishDownloading(self, destination: file.path)
        case .complete(let error?): delegate.connection(self, didFailWith: error)
        default: makeCommon(call, of: load, to: delegate)
        }
    }
}

/// The delegate of a ``ReferenceConnectionDownload``, in the words of NSURLConnectionDownloadDelegate.
///
/// Each method may be left out. All totals are of the file, in bytes; `expected` is 0 where it is unknown.
public protocol ReferenceConnectionDownloadDelegate: LegacyDelegate {
    /// Bytes were written to the file (R34).
    func connection(_ connection: ReferenceConnectionDownload, didWriteData n: Int, total: Int, expected: Int)

    /// The download goes on by itself after a connection broke, from `total` on; 0: from the beginning (R36).
    func connectionDidResumeDownloading(_ connection: ReferenceConnectionDownload, total: Int, expected: Int)

    /// The end, if all went well; the file is there until this returns, unless it is moved away meanwhile.
    func connectionDidFinishDownloading(_ connection: ReferenceConnectionDownload, destination path: String)

    /// The end, if not; there is no file.
    func connection(_ connection: ReferenceConnectionDownload, didFailWith error: LoadError)
}

extension ReferenceConnectionDownloadDelegate {
    /// Does nothing.
    public func connection(
        _ connection: ReferenceConnectionDownload, didWriteData n: Int, total: Int, expected: Int
    ) {}

    /// Does nothing.
    public func connectionDidResumeDownloading(
        _ connection: ReferenceConnectionDownload, total: Int, expected: Int
    ) {}

    /// Does nothing.
    public func connectionDidFinishDownloading(
        _ connection: ReferenceConnectionDownload, destination path: String
    ) {}

    /// Does nothing.
    public func connection(_ connection: ReferenceConnectionDownload, didFailWith error: LoadError) {}
}
