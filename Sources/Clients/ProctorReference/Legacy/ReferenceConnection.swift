internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop

/// A load in the shape of NSURLConnection: calls on one thread, answers by return value (family connection).
///
/// The load keeps its delegate until its end.
package final class ReferenceConnection: LegacyLoad {
    package let originalRequest: ClientRequest
    let core: LegacyCore

    /// Loads only after ``start()``; `timeout` replaces the network's `requestTimeout`.
    package init(
        _ request: ClientRequest, delegate: any LegacyDelegate, on network: LegacyNetwork,
        scheduledOn queue: CallbackQueue, timeout: Duration? = nil
    ) {
        originalRequest = request
        core = LegacyCore(
            delegate, challengeMethods: delegate.challengeMethods, network: network, queue: queue, timeout: timeout,
            asksToStore: true)
    }

    // MARK: On the network's thread

    var isDownload: Bool { false }

    func receiveResponse(_ response: LoadResponse, of load: Load) { place(.response(response), of: load) }

    func receiveContent(_ bytes: [UInt8], of load: Load) {
        place(.data(bytes), of: load) { load.didConsume(bytes.count) }
    }

    func finish(_ load: Load, _ error: LoadError?) { placeLast(.complete(error), of: load) }
}

/// A download in the shape of NSURLConnection for Newsstand: into a file, resumed after a lost connection
/// (connectionDownload).
///
/// The load keeps its delegate until its end.
package final class ReferenceConnectionDownload: LegacyLoad {
    package let originalRequest: ClientRequest
    let core: LegacyCore
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
        _ request: ClientRequest, delegate: any LegacyDelegate, on network: LegacyNetwork,
        scheduledOn queue: CallbackQueue, timeout: Duration? = nil
    ) {
        originalRequest = request
        core = LegacyCore(
            delegate, challengeMethods: delegate.challengeMethods, network: network, queue: queue, timeout: timeout,
            asksToStore: false)
        state = LoopBound(State(), on: network.loop)
    }

    /// The last response, whose content is in the file; nil before the first one.
    package var response: LoadResponse? { current.withLock { $0 } }

    // MARK: On the network's thread

    func load(_ load: Load, tells call: DelegateCall) {
        guard core.onLoop.load === load else { return }
        if case .canonicalize = call {} else { state.value.firstRequest = state.value.firstRequest ?? load.request }
        receive(call, of: load)
    }

    func receiveResponse(_ response: LoadResponse, of load: Load) throws(LoadError) {
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
        load.submit(.responseAnswered(.allow))
    }

    func receiveContent(_ bytes: [UInt8], of load: Load) throws(LoadError) {
        guard let content = state.value.content else { return }
        try content.append(bytes)
        place(.progress(content.progress(by: bytes.count)), of: load) { load.didConsume(bytes.count) }
    }

    func finish(_ load: Load, _ error: LoadError?) {
        let content = state.value.content
        guard let error = error ?? content?.shortfall else {
            guard let file = content?.file else { return placeLast(.complete(Self.noContent), of: load) }
            file.finish()
            content?.letGo()
            if core.network.configuration.downloadFault == .keepsTemporaryFile { file.retain() }
            return placeLast(.fileReady(file), of: load)
        }
        if error.kind == .connectionLost, !core.isSilent, goesOn() { return }
        abandon()
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

    func abandon() { state.value.content?.letGo() }
}
