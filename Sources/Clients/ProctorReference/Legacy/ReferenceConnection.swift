internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop

/// A load in the shape of NSURLConnection: calls on one thread, answers by return value (family connection).
///
/// The load keeps its delegate until its end.
package final class ReferenceConnection: LegacyLoad {
    package let originalRequest: ClientRequest
    let core: LegacyCore<any ReferenceConnectionDelegate>

    /// Loads only after ``start()``; `timeout` replaces the network's `requestTimeout`.
    package init(
        _ request: ClientRequest, delegate: any ReferenceConnectionDelegate, on network: LegacyNetwork,
        scheduledOn queue: CallbackQueue, timeout: Duration? = nil
    ) {
        originalRequest = request
        core = LegacyCore(
            delegate, challengeMethods: delegate.challengeMethods, network: network, queue: queue, timeout: timeout,
            asksToStore: true)
    }

    func common(_ delegate: any ReferenceConnectionDelegate) -> any LegacyDelegate { delegate }

    // MARK: On the network's thread

    func load(_ load: Load, tells call: DelegateCall) {
        guard core.onLoop.load === load, !takeCommon(call, of: load) else { return }
        switch call {
        case .data(let bytes): place(call, of: load) { load.didConsume(bytes.count) }
        case .complete: placeLast(call, of: load)
        default: place(call, of: load)
        }
    }

    // MARK: On the callback thread

    func make(_ call: DelegateCall, of load: Load, to delegate: any ReferenceConnectionDelegate) {
        switch call {
        case .needBodyStream: load.submit(.bodyStreamAnswered(delegate.connectionNeedsNewBodyStream(self)))
        case .bodySent(let progress):
            delegate.connection(
                self, didSendBodyData: progress.byteCount, total: progress.total, expected: progress.expected)
        case .response(let response):
            delegate.connection(self, didReceive: response)
            load.submit(.responseAnswered(isAllowed: true))
        case .data(let bytes): delegate.connection(self, didReceive: bytes)
        case .willCache(let response, let byteCount):
            load.submit(.cacheAnswered(delegate.connection(self, willCache: response, byteCount: byteCount)))
        case .complete(nil): delegate.connectionDidFinishLoading(self)
        case .complete(let error?): delegate.connection(self, didFailWith: error)
        default: makeCommon(call, of: load, to: delegate)
        }
    }
}

/// The delegate of a ``ReferenceConnection``, in the terms of NSURLConnection; each method has a default.
package protocol ReferenceConnectionDelegate: LegacyDelegate {
    /// Asks for a stream, for the first sending or for a repetition; nil, the default, fails the load (R21, R22).
    func connectionNeedsNewBodyStream(_ connection: ReferenceConnection) -> BodyStream?

    /// The system accepted bytes of the body; `expected` is -1 for a stream of unknown length.
    ///
    /// A repetition counts from 0.
    func connection(_ connection: ReferenceConnection, didSendBodyData n: Int, total: Int, expected: Int)

    /// The final head; a later one replaces it and the content so far (R26).
    func connection(_ connection: ReferenceConnection, didReceive response: LoadResponse)

    /// The next bytes of the content, never empty (R30).
    func connection(_ connection: ReferenceConnection, didReceive data: [UInt8])

    /// Asks whether to store a reply with a body of `byteCount` bytes (R32); only when the configuration has a cache.
    ///
    /// Default: store.
    func connection(
        _ connection: ReferenceConnection, willCache response: LoadResponse, byteCount: Int
    ) -> StoringAnswer

    func connectionDidFinishLoading(_ connection: ReferenceConnection)

    /// The last call of a failed load.
    func connection(_ connection: ReferenceConnection, didFailWith error: LoadError)
}

extension ReferenceConnectionDelegate {
    package func connectionNeedsNewBodyStream(_ connection: ReferenceConnection) -> BodyStream? { nil }

    package func connection(_ connection: ReferenceConnection, didSendBodyData n: Int, total: Int, expected: Int) {}

    package func connection(_ connection: ReferenceConnection, didReceive response: LoadResponse) {}

    package func connection(_ connection: ReferenceConnection, didReceive data: [UInt8]) {}

    package func connection(
        _ connection: ReferenceConnection, willCache response: LoadResponse, byteCount: Int
    ) -> StoringAnswer { .store }

    package func connectionDidFinishLoading(_ connection: ReferenceConnection) {}

    package func connection(_ connection: ReferenceConnection, didFailWith error: LoadError) {}
}

/// A download in the shape of NSURLConnection for Newsstand: into a file, resumed after a lost connection
/// (connectionDownload).
///
/// The load keeps its delegate until its end.
package final class ReferenceConnectionDownload: LegacyLoad {
    package let originalRequest: ClientRequest
    let core: LegacyCore<any ReferenceConnectionDownloadDelegate>
    private let current = Locked<LoadResponse?>(nil)
    private let state: LoopBound<State>

    private final class State {
        /// The request that was sent first, which may be the delegate's instead of the original one.
        var firstRequest: ClientRequest?
        var content: DownloadContent?
        var resumptionCount = 0
    }

    /// The most resumptions; the next lost connection fails the download.
    package static let resumptionLimit = 8

    /// Loads only after ``start()``; `timeout` replaces the network's `requestTimeout`.
    package init(
        _ request: ClientRequest, delegate: any ReferenceConnectionDownloadDelegate, on network: LegacyNetwork,
        scheduledOn queue: CallbackQueue, timeout: Duration? = nil
    ) {
        originalRequest = request
        core = LegacyCore(
            delegate, challengeMethods: delegate.challengeMethods, network: network, queue: queue, timeout: timeout,
            asksToStore: false)
        state = LoopBound(State(), on: network.loop)
    }

    func common(_ delegate: any ReferenceConnectionDownloadDelegate) -> any LegacyDelegate { delegate }

    /// The last response, whose content is in the file; nil before the first one.
    package var response: LoadResponse? { current.withLock { $0 } }

    // MARK: On the network's thread

    func load(_ load: Load, tells call: DelegateCall) {
        guard core.onLoop.load === load else { return }
        let state = state.value
        if case .canonicalize = call {} else { state.firstRequest = state.firstRequest ?? load.request }
        guard !takeCommon(call, of: load) else { return }
        do throws(LoadError) {
            switch call {
            // No delegate method returns a stream, and the request's own stream was read.
            case .needBodyStream: load.submit(.bodyStreamAnswered(nil))
            case .response(let response):
                try receiveResponse(response, of: load)
                if core.onLoop.load === load { load.submit(.responseAnswered(isAllowed: true)) }
            case .data(let bytes): try receiveContent(bytes, of: load)
            case .complete(let error): finish(load, error)
            // Downloads are not stored.
            case .willCache: load.submit(.cacheAnswered(.refuse))
            default: break
            }
        } catch {
            state.content?.letGo()
            fail(load, error)
        }
    }

    private func receiveResponse(_ response: LoadResponse, of load: Load) throws(LoadError) {
        current.withLock { $0 = response }
        let state = state.value
        let content = state.content ?? DownloadContent(of: state.firstRequest ?? originalRequest)
        state.content = content
        switch try content.start(with: response) {
        case .new: content.store(in: try core.network.configuration.makeFile())
        // A further part replaces the content so far (R26).
        case .again: place(.downloadResumed(response, offset: 0, expected: content.expected ?? -1), of: load)
        case .goesOn(let offset):
            place(.downloadResumed(response, offset: offset, expected: content.expected ?? -1), of: load)
        }
    }

    private func receiveContent(_ bytes: [UInt8], of load: Load) throws(LoadError) {
        guard let content = state.value.content else { return }
        try content.append(bytes)
        place(.progress(content.progress(by: bytes.count)), of: load) { load.didConsume(bytes.count) }
    }

    private func finish(_ load: Load, _ error: LoadError?) {
        let content = state.value.content
        guard let error = error ?? content?.shortfall else {
            guard let file = content?.file else { return placeLast(.complete(Self.noContent), of: load) }
            file.finish()
            content?.letGo()
            if core.network.configuration.downloadFault == .keepsTemporaryFile { file.retain() }
            return placeLast(.fileReady(file), of: load)
        }
        if error.kind == .connectionLost, !core.isSilent, goesOn() { return }
        content?.letGo()
        placeLast(.complete(error), of: load)
    }

    /// Resumes the download; false when no safe request for the rest is possible.
    private func goesOn() -> Bool {
        let state = state.value
        // A load that failed before its first reply has no bytes with which to resume.
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
        case .fileReady(let file):
            delegate.connectionDidFinishDownloading(self, destination: file.path)
            file.expire()
        case .complete(nil): delegate.connectionDidFinishLoading(self)
        case .complete(let error?): delegate.connection(self, didFailWith: error)
        default: makeCommon(call, of: load, to: delegate)
        }
    }
}

/// The delegate of a ``ReferenceConnectionDownload``, in the terms of NSURLConnectionDownloadDelegate.
///
/// Each method has a default. Totals are bytes of the file; `expected` is 0 when it is unknown.
package protocol ReferenceConnectionDownloadDelegate: LegacyDelegate {
    func connection(_ connection: ReferenceConnectionDownload, didWriteData n: Int, total: Int, expected: Int)

    /// The download resumes after a lost connection, at byte `total`; 0: from the beginning (R36).
    func connectionDidResumeDownloading(_ connection: ReferenceConnectionDownload, total: Int, expected: Int)

    /// The last call of a successful load; the file is removed when it returns, unless it was moved.
    func connectionDidFinishDownloading(_ connection: ReferenceConnectionDownload, destination path: String)

    /// The last call of a failed load; there is no file.
    func connection(_ connection: ReferenceConnectionDownload, didFailWith error: LoadError)

    /// The end of a connection without a file; a download calls it only when it breaks R35.
    func connectionDidFinishLoading(_ connection: ReferenceConnectionDownload)
}

extension ReferenceConnectionDownloadDelegate {
    package func connection(_ connection: ReferenceConnectionDownload, didWriteData n: Int, total: Int, expected: Int) {
    }

    package func connectionDidResumeDownloading(_ connection: ReferenceConnectionDownload, total: Int, expected: Int) {}

    package func connectionDidFinishDownloading(_ connection: ReferenceConnectionDownload, destination path: String) {}

    package func connection(_ connection: ReferenceConnectionDownload, didFailWith error: LoadError) {}

    package func connectionDidFinishLoading(_ connection: ReferenceConnectionDownload) {}
}
