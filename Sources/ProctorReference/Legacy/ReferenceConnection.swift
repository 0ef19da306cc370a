internal import ProctorBase
internal import ProctorHTTP

/// A load as NSURLConnection has it: told to a delegate on one thread, question by return value (family connection).
///
/// The load keeps its delegate until its end.
public final class ReferenceConnection: LegacyLoad {
    /// What was asked for first, as it was given.
    public let originalRequest: ClientRequest
    let core: LegacyCore<any ReferenceConnectionDelegate>

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
        scheduledOn queue: CallbackQueue, timeout: Duration?, filter: (any CallFilter)?
    ) {
        originalRequest = request
        core = LegacyCore(
            delegate, challengeMethods: delegate.challengeMethods, network: network, queue: queue,
            options: network.loadOptions(timeout: timeout, asksToStore: true),
            filter: filter)
    }

    /// Begins; to be called once, from any thread.
    public func start() { begin(originalRequest) }

    /// Ends the load without a word to its delegate (R6, R42).
    public func cancel() { stop() }

    /// Returns when the last call has returned, or after a cancel when nothing can come any more.
    public func ended() async { await core.ended() }

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
        case .needBodyStream: load.answer(.bodyStreamAnswered(delegate.connectionNeedsNewBodyStream(self)))
        case .bodySent(let progress):
            delegate.connection(
                self, didSendBodyData: progress.byteCount, total: progress.total, expected: progress.expected)
        case .response(let response):
            delegate.connection(self, didReceive: response)
            load.answer(.responseAnswered(isAllowed: true))
        case .data(let bytes): delegate.connection(self, didReceive: bytes)
        case .willCache(let response, let byteCount):
            let isStored = delegate.connection(self, willCache: response, byteCount: byteCount)
            load.answer(.cacheAnswered(isStored: isStored))
        case .complete(nil): delegate.connectionDidFinishLoading(self)
        case .complete(let error?): delegate.connection(self, didFailWith: error)
        default: makeCommon(call, of: load, to: delegate)
        }
    }
}

/// The delegate of a ``ReferenceConnection``, in the words of NSURLConnection; each method may be left out.
public protocol ReferenceConnectionDelegate: LegacyDelegate {
    /// A stream is needed, for the first sending or another one; nil fails the load (R21, R22). Left out: nil.
    func connectionNeedsNewBodyStream(_ connection: ReferenceConnection) -> BodyStream?

    /// Bytes of the body went out; `expected` is -1 for a stream of unknown length. Totals start again when it is resent.
    func connection(_ connection: ReferenceConnection, didSendBodyData n: Int, total: Int, expected: Int)

    /// The definitive head; another one makes what came before it void (R26).
    func connection(_ connection: ReferenceConnection, didReceive response: LoadResponse)

    /// The next bytes of the content, never none (R30).
    func connection(_ connection: ReferenceConnection, didReceive data: [UInt8])

    /// Whether a reply may be stored, whose content had so many bytes (R32); only asked where the configuration has it so.
    ///
    /// This client stores nothing, whatever is answered. Left out: yes.
    func connection(_ connection: ReferenceConnection, willCache response: LoadResponse, byteCount: Int) -> Bool

    /// The end, if all went well; nothing follows.
    func connectionDidFinishLoading(_ connection: ReferenceConnection)

    /// The end, if not; nothing follows.
    func connection(_ connection: ReferenceConnection, didFailWith error: LoadError)
}

extension ReferenceConnectionDelegate {
    /// No stream, which fails the load.
    public func connectionNeedsNewBodyStream(_ connection: ReferenceConnection) -> BodyStream? { nil }

    /// Does nothing.
    public func connection(_ connection: ReferenceConnection, didSendBodyData n: Int, total: Int, expected: Int) {}

    /// Does nothing.
    public func connection(_ connection: ReferenceConnection, didReceive response: LoadResponse) {}

    /// Does nothing.
    public func connection(_ connection: ReferenceConnection, didReceive data: [UInt8]) {}

    /// Yes.
    public func connection(
        _ connection: ReferenceConnection, willCache response: LoadResponse, byteCount: Int
    ) -> Bool { true }

    /// Does nothing.
    public func connectionDidFinishLoading(_ connection: ReferenceConnection) {}

    /// Does nothing.
    public func connection(_ connection: ReferenceConnection, didFailWith error: LoadError) {}
}
