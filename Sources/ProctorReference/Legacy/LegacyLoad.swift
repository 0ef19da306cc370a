internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop

/// A load of the old kind: turns the calls of a ``Load`` into those of its delegate.
protocol LegacyLoad: LegacyLoading, LoadClient {
    associatedtype Delegate: Sendable

    var core: LegacyCore<Delegate> { get }

    /// Callback thread.
    func make(_ call: DelegateCall, of load: Load, to delegate: Delegate)

    /// The methods that all delegates of the old kind have.
    func common(_ delegate: Delegate) -> any LegacyDelegate

    /// On the network's thread, before the load runs: asks and tells what comes before everything else.
    func prepare(_ load: Load)

    /// The delegate refused a redirect; callback thread.
    func refuseRedirect(of load: Load)
}

extension LegacyLoad {
    func prepare(_ load: Load) {}

    func refuseRedirect(of load: Load) { load.answer(.redirectAnswered(nil)) }

    // MARK: From any thread

    func begin(_ request: ClientRequest) {
        guard core.beginOnce() else { return }
        let hasEntered = core.network.enter { [self] in
            guard !core.isSilent else { return core.finish() }
            let canonical = core.network.complete(request)
            // Nothing is announced where nothing is rewritten (R7); what lacks no field at all is rare.
            let load = makeLoad(canonical, announces: canonical != originalRequest || request.url.isRespelled)
            place(.useCredentialStorage, of: load)
            prepare(load)
            run(load)
        }
        guard !hasEntered else { return }
        // No load and no thread of the network; all that is left is to say so.
        core.queue.submit { [self] in
            guard let delegate = core.delegate else { return }
            let load = Load(request, options: core.options, pool: core.network.pool, client: self)
            make(.complete(LegacyNetwork.hasEnded), of: load, to: delegate)
        }
        core.finish()
    }

    func stop() {
        guard core.silence() else { return core.finish() }
        // Where the network is gone everything has ended already.
        _ = core.network.enter { [self] in core.onLoop.load?.answer(.cancel) }
    }

    // MARK: On the network's thread

    /// Has a call made, or what the filter wants in its place, and then `rest` on the same thread.
    func place(_ call: DelegateCall, of load: Load, then rest: (@Sendable () -> Void)? = nil) {
        core.place(call, makeIt: { [self] in make($0, of: load, to: $1) }, then: rest)
    }

    /// The last call of all.
    func placeLast(_ call: DelegateCall, of load: Load) {
        core.onLoop.load = nil
        place(call, of: load)
        core.finish()
    }

    /// Fails for a reason of this client while the load is under way; what the load still says is not passed on.
    func fail(_ load: Load, _ error: LoadError) {
        guard core.onLoop.load === load else { return }
        placeLast(.complete(error), of: load)
        load.answer(.cancel)
    }

    /// Takes the place of the load before; what that still says is not passed on.
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

    /// Takes the calls that mean the same for every shape; false for the others.
    func takeCommon(_ call: DelegateCall, of load: Load) -> Bool {
        switch call {
        case .canonicalize, .redirect: place(call, of: load)
        case .challenge(let challenge): ask(challenge, of: load)
        case .challengeCancelled(let challenge): withdraw(challenge, of: load)
        case .informational, .metrics: break
        default: return false
        }
        return true
    }

    // MARK: Challenges, on the network's thread

    private func ask(_ challenge: LoadChallenge, of load: Load) {
        core.onLoop.openChallenge = challenge
        core.onLoop.isChallengeTold = false
        switch core.challengeMethods {
        case .none: load.answer(.challengeAnswered(.byDefault))
        case .oldTrio: place(.canAuthenticate(challenge), of: load)
        case .newMethod: place(.challenge(challenge), of: load)
        }
    }

    private func decide(_ challenge: LoadChallenge, isAble: Bool, of load: Load) {
        let state = core.onLoop
        guard state.load === load, state.openChallenge == challenge, !state.isChallengeTold else { return }
        guard isAble else { return load.answer(.challengeAnswered(.byDefault)) }
        state.isChallengeTold = true
        place(.challenge(challenge), of: load)
    }

    private func withdraw(_ challenge: LoadChallenge, of load: Load) {
        if core.onLoop.isChallengeTold { place(.challengeCancelled(challenge), of: load) }
        core.onLoop.openChallenge = nil
        core.onLoop.isChallengeTold = false
    }

    // MARK: On the callback thread

    /// Makes the calls that all delegates of the old kind know.
    func makeCommon(_ call: DelegateCall, of load: Load, to delegate: Delegate) {
        let delegate = common(delegate)
        switch call {
        case .useCredentialStorage:
            let isUsed = delegate.shouldUseCredentialStorage(for: self)
            core.usesCredentialStorage = isUsed
            load.answer(.storageAnswered(isUsed: isUsed))
        case .canonicalize(let request):
            announced(request, delegate.load(self, willSend: request, redirectResponse: nil), of: load)
        case .redirect(let request, let response):
            if let answer = delegate.load(self, willSend: request, redirectResponse: response) {
                load.answer(.redirectAnswered(answer))
            } else {
                refuseRedirect(of: load)
            }
        case .canAuthenticate(let challenge):
            let isAble = delegate.load(self, canAuthenticateAgainst: challenge.space)
            load.loop.submit { [self] in decide(challenge, isAble: isAble, of: load) }
        case .challenge(let challenge):
            delegate.load(
                self,
                didReceive: LegacyChallenge(challenge) { load.answer(.challengeAnswered($0)) })
        case .challengeCancelled(let challenge): delegate.load(self, didCancel: challenge)
        default: break
        }
    }

    /// The loader sends what it announced, so that another request takes another load.
    private func announced(_ request: ClientRequest, _ answer: ClientRequest?, of load: Load) {
        guard let answer, answer != request else {
            return load.answer(.canonicalAnswered(isAccepted: answer != nil))
        }
        load.loop.submit { [self] in
            guard core.onLoop.load === load, !core.isSilent else { return }
            run(makeLoad(answer, announces: false))
            load.answer(.cancel)
        }
    }
}

/// What every load of the old kind holds: who is told, where, of which load, and whether any more.
final class LegacyCore<Delegate: Sendable>: Sendable {
    let network: LegacyNetwork
    let queue: CallbackQueue
    let options: LoadOptions
    let challengeMethods: LegacyChallengeMethods
    private let end = OneShotEvent()
    private let state: Locked<State>
    private let loopState: LoopBound<LoopState>

    private struct State {
        /// nil when nothing may be told any more.
        var delegate: Delegate?
        var isStarted = false
        var usesCredentialStorage = true
    }

    /// What belongs to the network's thread.
    final class LoopState {
        /// The one whose calls count.
        var load: Load?
        /// The one that is being asked about.
        var openChallenge: LoadChallenge?
        /// The delegate was given it, so that it has to be taken back when it needs no answer any more.
        var isChallengeTold = false
        fileprivate var calls: FilteredCalls

        fileprivate init(_ filter: (any CallFilter)?) { calls = FilteredCalls(filter) }
    }

    init(
        _ delegate: Delegate, challengeMethods: LegacyChallengeMethods, network: LegacyNetwork, queue: CallbackQueue,
        options: LoadOptions, filter: (any CallFilter)?
    ) {
        self.network = network
        self.queue = queue
        self.options = options
        self.challengeMethods = challengeMethods
        state = Locked(State(delegate: delegate))
        loopState = LoopBound(LoopState(filter), on: network.loop)
    }

    // MARK: From any thread

    /// nil when nothing may be told any more.
    var delegate: Delegate? { state.withLock { $0.delegate } }

    var isSilent: Bool { state.withLock { $0.delegate == nil } }

    var usesCredentialStorage: Bool {
        get { state.withLock { $0.usesCredentialStorage } }
        set { state.withLock { $0.usesCredentialStorage = newValue } }
    }

    /// True for the first start, unless a cancel came before it.
    func beginOnce() -> Bool {
        state.withLock { state in
            defer { state.isStarted = true }
            return !state.isStarted && state.delegate != nil
        }
    }

    /// Lets no call begin any more; whether the load was started.
    func silence() -> Bool {
        state.withLock { state in
            state.delegate = nil
            return state.isStarted
        }
    }

    /// When all calls so far have returned, nothing more will come.
    func finish() {
        let leave: @Sendable () -> Void = { [self] in
            _ = silence()
            end.come()
        }
        // A queue that was ended before makes no calls: there is nothing to wait for.
        if !queue.submit(leave) { leave() }
    }

    func ended() async { await end.wait() }

    // MARK: On the network's thread

    var onLoop: LoopState { loopState.value }

    func place(
        _ call: DelegateCall, makeIt: @escaping @Sendable (DelegateCall, Delegate) -> Void,
        then rest: (@Sendable () -> Void)?
    ) {
        var isTaken = true
        for placed in onLoop.calls.calls(for: call) {
            isTaken = queue.submit { [self] in
                guard let delegate else { return }
                guard placed.isElsewhere else { return makeIt(placed.call, delegate) }
                // The order stays: this thread waits for the other one.
                WorkerThread { makeIt(placed.call, delegate) }?.join()
            }
        }
        if let rest { isTaken = queue.submit(rest) }
        if !isTaken { giveUp() }
    }

    /// The queue was ended, so there is no way to tell or to ask anything any more.
    private func giveUp() {
        _ = silence()
        onLoop.load?.answer(.cancel)
    }
}
