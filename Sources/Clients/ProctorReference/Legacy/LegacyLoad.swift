internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop

/// A load in the shape of NSURLConnection or NSURLDownload: turns the calls of a ``Load`` into those of its delegate.
protocol LegacyLoad: LegacyLoading, LoadClient {
    var core: LegacyCore { get }

    /// The first request to send: the original one, unless the load resumes an earlier one.
    var firstRequest: ClientRequest { get }

    /// Whether the content goes to a file, so that no response is stored and no delegate has a stream to give.
    var isDownload: Bool { get }

    /// The content of the load, on the network's thread; an error fails the load.
    func receiveResponse(_ response: LoadResponse, of load: Load) throws(LoadError)
    func receiveContent(_ bytes: [UInt8], of load: Load) throws(LoadError)
    func finish(_ load: Load, _ error: LoadError?)

    /// Lets go of what the load has received, since it fails.
    func abandon()

    /// Handles whether an encoded file is decoded; called on the callback thread.
    func decodeFile(of type: String, isPermitted: Bool, of load: Load)

    /// Runs on the network's thread before the load: asks the delegate's first questions.
    func prepare(_ load: Load)

    /// Handles a redirect that the delegate refused; called on the callback thread.
    func refuseRedirect(of load: Load)
}

extension LegacyLoad {
    var firstRequest: ClientRequest { originalRequest }

    var isDownload: Bool { true }

    func prepare(_ load: Load) {}

    func abandon() {}

    func decodeFile(of type: String, isPermitted: Bool, of load: Load) {}

    func refuseRedirect(of load: Load) { load.submit(.redirectAnswered(nil)) }

    // MARK: From any thread

    package func start() {
        let request = firstRequest
        guard core.beginOnce() else { return }
        let hasEntered = core.network.enter { [self] in
            guard !core.isSilent else { return core.finish() }
            let canonical = core.network.shared.completed(request)
            // When no field is changed, the delegate is not asked (R7); few requests have every field.
            let load = makeLoad(canonical, announces: canonical != originalRequest || request.url.isRespelled)
            place(.useCredentialStorage, of: load)
            prepare(load)
            run(load)
        }
        guard !hasEntered else { return }
        // Without a network thread there is no load, so only the failure is reported.
        core.queue.submit { [self] in
            guard let delegate = core.delegate else { return }
            let load = Load(request, options: core.options, pool: core.network.pool, client: self)
            make(.complete(LegacyNetwork.hasEnded), of: load, to: delegate)
        }
        core.finish()
    }

    /// Ends the load without a call to its delegate (R6, R42).
    package func cancel() {
        if core.network.configuration.downloadFault == .goesOnAfterCancel { return }
        guard core.silence() else { return core.finish() }
        // When the network has ended, every load has ended too.
        _ = core.network.enter { [self] in core.onLoop.load?.submit(.cancel) }
    }

    /// Returns after the last call has returned, or after a cancel when no call can follow.
    package func ended() async { await core.ended() }

    // MARK: On the network's thread

    /// Makes a call, or the filter's calls in its place, and then runs `rest` on the same thread.
    func place(_ call: DelegateCall, of load: Load, then rest: (@Sendable () -> Void)? = nil) {
        core.place(
            call,
            makeIt: { [self] placed, delegate in
                if placed.isMissing(in: delegate) {
                    goOn(without: placed, of: load)
                } else {
                    make(placed.call, of: load, to: delegate)
                }
            },
            orElse: { if let answer = call.defaultAnswer { load.submit(answer) } }, then: rest)
    }

    /// Performs the documented default, since the delegate lacks the method.
    private func goOn(without placed: PlacedCall, of load: Load) {
        if case .canAuthenticate(let challenge) = placed.call {
            let isAble = !challenge.space.isOfConnection && challenge.space.kind != "ntlm"
            load.loop.submit { [self] in decide(challenge, isAble: isAble, of: load) }
        } else if let answer = placed.defaultAnswer {
            load.submit(answer)
        }
    }

    func placeLast(_ call: DelegateCall, of load: Load) {
        core.onLoop.load = nil
        place(call, of: load)
        core.finish()
    }

    /// Fails the running load by an error of `body`, for a reason of this client; later events of the load are ignored.
    func attempt(_ load: Load, _ body: () throws(LoadError) -> Void) {
        do throws(LoadError) {
            try body()
        } catch {
            guard core.onLoop.load === load else { return }
            abandon()
            placeLast(.complete(error), of: load)
            load.submit(.cancel)
        }
    }

    /// Replaces the former load, whose later events are ignored.
    func makeLoad(_ request: ClientRequest, announces: Bool) -> Load {
        var options = core.options
        options.policy.announcesCanonicalForm = announces
        options.policy.usesStoredCredentials = core.usesCredentialStorage
        let load = Load(request, options: options, pool: core.network.pool, client: self)
        core.onLoop.load = load
        return load
    }

    func run(_ load: Load) {
        if !core.network.run(load) { self.load(load, tells: .complete(LegacyNetwork.hasEnded)) }
    }

    func load(_ load: Load, tells call: DelegateCall) { receive(call, of: load) }

    func receive(_ call: DelegateCall, of load: Load) {
        guard core.onLoop.load === load else { return }
        switch call {
        case .challenge(let challenge): ask(challenge, of: load)
        case .challengeCancelled(let challenge): withdraw(challenge, of: load)
        case .informational, .metrics, .trailers: break
        case .response(let response): attempt(load) { () throws(LoadError) in try receiveResponse(response, of: load) }
        case .data(let bytes): attempt(load) { () throws(LoadError) in try receiveContent(bytes, of: load) }
        case .complete(let error): finish(load, error)
        // The request's own stream was read.
        case .needBodyStream where isDownload: load.submit(.bodyStreamAnswered(nil))
        case .willCache where isDownload: load.submit(.cacheAnswered(.refuse))
        case .bodySent where isDownload: break
        default: place(call, of: load)
        }
    }

    // MARK: Challenges, on the network's thread

    private func ask(_ challenge: LoadChallenge, of load: Load) {
        core.onLoop.openChallenge = challenge
        core.onLoop.isChallengeTold = false
        switch core.challengeMethods {
        case .none: load.submit(.challengeAnswered(.byDefault))
        case .oldTrio: place(.canAuthenticate(challenge), of: load)
        case .newMethod, .both: place(.challenge(challenge), of: load)
        }
    }

    private func decide(_ challenge: LoadChallenge, isAble: Bool, of load: Load) {
        let state = core.onLoop
        guard state.load === load, state.openChallenge == challenge, !state.isChallengeTold else { return }
        guard isAble else { return load.submit(.challengeAnswered(.byDefault)) }
        state.isChallengeTold = true
        place(.challenge(challenge), of: load)
    }

    private func withdraw(_ challenge: LoadChallenge, of load: Load) {
        if core.onLoop.isChallengeTold { place(.challengeCancelled(challenge), of: load) }
        core.onLoop.openChallenge = nil
        core.onLoop.isChallengeTold = false
    }

    // MARK: On the callback thread

    private func make(_ call: DelegateCall, of load: Load, to delegate: any LegacyDelegate) {
        switch call {
        case .useCredentialStorage:
            let isAllowed = delegate.load(self, permits: call)
            let isUsed = isAllowed || core.network.configuration.legacyFault == .usesStorageAlways
            core.usesCredentialStorage = isUsed
            load.submit(.storageAnswered(isUsed: isUsed))
        case .canonicalize(let request):
            announced(request, delegate.load(self, willSend: request, redirectResponse: nil), of: load)
        case .redirect(let request, let response):
            if let answer = delegate.load(self, willSend: request, redirectResponse: response) {
                load.submit(.redirectAnswered(answer))
            } else {
                refuseRedirect(of: load)
            }
        case .canAuthenticate(let challenge):
            let isAble = delegate.load(self, permits: call)
            load.loop.submit { [self] in decide(challenge, isAble: isAble, of: load) }
        case .challenge(let challenge):
            delegate.load(self, didReceive: LegacyChallenge(challenge) { load.submit(.challengeAnswered($0)) })
        case .needBodyStream: load.submit(.bodyStreamAnswered(delegate.loadNeedsNewBodyStream(self)))
        case .willCache(let response, let byteCount):
            load.submit(.cacheAnswered(delegate.load(self, willCache: response, byteCount: byteCount)))
        case .shouldDecode(let type): decodeFile(of: type, isPermitted: delegate.load(self, permits: call), of: load)
        case .response where !isDownload:
            delegate.load(self, tells: call)
            load.submit(.responseAnswered(.allow))
        case .fileReady(let file):
            delegate.load(self, tells: call)
            file.expire()
        default: delegate.load(self, tells: call)
        }
    }

    /// Handles the delegate's answer to an announced request; the loader sends only that request, so another request
    /// needs another load.
    private func announced(_ request: ClientRequest, _ answer: ClientRequest?, of load: Load) {
        guard let answer, answer != request else {
            return load.submit(.canonicalAnswered(isAccepted: answer != nil))
        }
        load.loop.submit { [self] in
            guard core.onLoop.load === load, !core.isSilent else { return }
            run(makeLoad(answer, announces: false))
            load.submit(.cancel)
        }
    }
}

/// The state that both shapes share: the delegate, its queue and the current load.
final class LegacyCore: Sendable {
    let network: LegacyNetwork
    let queue: CallbackQueue
    let options: LoadOptions
    let challengeMethods: LegacyChallengeMethods
    private let end = OneShotEvent()
    private let state: Locked<State>
    private let loopState: LoopBound<LoopState>
    /// Keeps the delegate alive, for a client with a deliberate fault.
    private let kept: (any LegacyDelegate)?

    private struct State {
        /// nil when no further call may be made.
        var delegate: (any LegacyDelegate)?
        var isStarted = false
        var usesCredentialStorage = true
    }

    /// State of the network's thread.
    final class LoopState {
        /// The load whose calls are passed on; calls of an earlier load are ignored.
        var load: Load?
        var openChallenge: LoadChallenge?
        /// Whether the delegate was asked for the challenge, so that it must be told when no answer is needed.
        var isChallengeTold = false
        fileprivate var filter: (any CallFilter)?

        fileprivate init(_ filter: (any CallFilter)?) { self.filter = filter }
    }

    init(
        _ delegate: any LegacyDelegate, challengeMethods: LegacyChallengeMethods, network: LegacyNetwork,
        queue: CallbackQueue, timeout: Duration?, asksToStore: Bool
    ) {
        (self.network, self.queue) = (network, queue)
        options = network.shared.options(timeout: timeout, asksToStore: asksToStore)
        self.challengeMethods = challengeMethods
        state = Locked(State(delegate: delegate))
        kept = network.configuration.keepsDelegate ? delegate : nil
        loopState = LoopBound(LoopState(network.configuration.makeCallFilter?()), on: network.loop)
    }

    // MARK: From any thread

    /// nil when no further call may be made.
    var delegate: (any LegacyDelegate)? { state.withLock { $0.delegate } }

    var isSilent: Bool { state.withLock { $0.delegate == nil } }

    var usesCredentialStorage: Bool {
        get { state.withLock { $0.usesCredentialStorage } }
        set { state.withLock { $0.usesCredentialStorage = newValue } }
    }

    /// Returns true for the first start, unless a cancel came before it.
    func beginOnce() -> Bool {
        state.withLock { state in
            defer { state.isStarted = true }
            return !state.isStarted && state.delegate != nil
        }
    }

    /// Makes sure that no further call begins; returns whether the load was started.
    func silence() -> Bool {
        state.withLock { state in
            state.delegate = nil
            return state.isStarted
        }
    }

    /// Ends the load after all calls so far have returned.
    func finish() {
        let leave: @Sendable () -> Void = { [self] in
            _ = silence()
            end.come()
        }
        // An ended queue makes no calls, so nothing is waited for.
        if !queue.submit(leave) { leave() }
    }

    func ended() async { await end.wait() }

    // MARK: On the network's thread

    var onLoop: LoopState { loopState.value }

    func place(
        _ call: DelegateCall, makeIt: @escaping @Sendable (PlacedCall, any LegacyDelegate) -> Void,
        orElse skip: () -> Void, then rest: (@Sendable () -> Void)?
    ) {
        var isTaken = true
        let calls = onLoop.filter.calls(for: call)
        if calls.isEmpty { skip() }
        for placed in calls {
            isTaken = queue.submit { [self] in
                guard let delegate else { return }
                guard placed.isElsewhere else { return makeIt(placed, delegate) }
                // This thread waits for the other one, so that the calls stay in order.
                WorkerThread { makeIt(placed, delegate) }?.join()
            }
        }
        if let rest { isTaken = queue.submit(rest) }
        if !isTaken { giveUp() }
    }

    /// The queue has ended, so no call can be made.
    private func giveUp() {
        _ = silence()
        onLoop.load?.submit(.cancel)
    }
}
