internal import Dispatch
internal import Foundation
internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Connects a load, on its loop, with the client of a URLProtocol object, on the thread that started the object.
///
/// Calls come one at a time and in order, each in its own turn of the run loop, so that the client can stop the object
/// between two calls.
final class ProtocolRelay: LoadClient {
    private let options: ReferenceProtocol.Options
    private let thread = ClientThread.current
    let state = Locked(State())
    /// nil where the system gives no thread to load on.
    private let loadState: LoopBound<LoadState>?

    struct State {
        /// The owner may release the object at any time.
        weak var object: ReferenceProtocol?
        var isAtWork = true
        /// After a stop: no call is made any longer.
        var isSilent = false
        var load: Load?
        /// Of a streamed body; dropped with the response, after which no request follows.
        var body: BodyCopy?
        /// Runs the load and ends with it.
        var task: Task<Void, Never>?
        var calls: [PlacedCall] = []
        /// A thread makes calls, or is about to.
        var isCalling = false
        /// The thread that calls the client now.
        var caller: ObjectIdentifier?
        /// Signals the thread that stops the object and waits for the caller.
        var waiter: DispatchSemaphore?
        var isRedirecting = false
        var challenge: URLAuthenticationChallenge?
        var challengeNumber = 0
        var isChallengeOpen = false
        /// Keeps the object alive in a protocol that is broken on purpose and ignores a stop.
        var kept: ReferenceProtocol?
        /// The same for ever.
        var itself: ReferenceProtocol?
    }

    /// How long a stop waits for a call on another thread.
    private static let longestWait = DispatchTimeInterval.seconds(1)

    /// Must run on the client thread.
    init(_ object: ReferenceProtocol, options: ReferenceProtocol.Options) {
        self.options = options
        loadState = (try? ReferenceEngine.shared.get()).map { engine in
            LoopBound(LoadState(options.makeCallFilter?()), on: engine.loop)
        }
        state.withLock { $0.object = object }
    }

    /// Whether the object was started and has neither ended nor been stopped.
    var isAtWork: Bool { state.withLock { $0.isAtWork } }

    // MARK: From the client

    /// Makes no call before it returns.
    func start(_ request: URLRequest, cachedResponse: CachedURLResponse?) {
        let cached = options.heedsCachedResponses ? cachedResponse : nil
        let plan = ProtocolPlan(
            request, cachedResponse: cached, ownSchemes: options.ownSchemes, keepsBody: options.fault != .keepsNoBody)
        let idleLimit = request.idleLimit
        switch ReferenceEngine.shared {
        case .success(let engine): engine.loop.submit { self.begin(plan, idleLimit: idleLimit, with: engine) }
        case .failure(let failure):
            enqueue([
                PlacedCall(.complete(LoadError(.resourceUnavailable, "no thread can be made to load: \(failure)")))
            ])
        }
    }

    /// Any thread may call it, any number of times.
    func stop() {
        let (load, wait) = state.withLock { state -> (Load?, DispatchSemaphore?) in
            state.isSilent = true
            state.isAtWork = false
            state.calls = []
            state.isRedirecting = false
            state.isChallengeOpen = false
            state.challenge = nil
            defer { state.load = nil }
            guard let caller = state.caller, caller != ObjectIdentifier(Thread.current), state.waiter == nil else {
                return (state.load, nil)
            }
            let waiter = DispatchSemaphore(value: 0)
            state.waiter = waiter
            return (state.load, waiter)
        }
        load?.answer(.cancel)
        _ = wait?.wait(timeout: .now() + Self.longestWait)
    }

    /// Replaces a stop: the object stays alive until its last call.
    func keepOn(_ object: ReferenceProtocol) {
        state.withLock { if $0.isAtWork { $0.kept = object } }
    }

    /// Replaces a stop: no call follows, but the load goes on until the object is released.
    func fallSilent() {
        state.withLock { state in
            state.isSilent = true
            state.isAtWork = false
            state.calls = []
        }
    }

    /// The object is never released.
    func keepForEver(_ object: ReferenceProtocol) { state.withLock { $0.itself = object } }

    func refuseRedirect() {
        let load = state.withLock { state -> Load? in
            guard state.isRedirecting else { return nil }
            state.isRedirecting = false
            return state.load
        }
        load?.answer(.redirectAnswered(nil))
    }

    /// Only the first answer to the open challenge counts.
    func answer(_ answer: LoadEvent.ChallengeAnswer, toChallenge number: Int) {
        let load = state.withLock { state -> Load? in
            guard state.isChallengeOpen, state.challengeNumber == number else { return nil }
            state.isChallengeOpen = false
            return state.load
        }
        load?.answer(.challengeAnswered(answer))
    }

    // MARK: What a load tells becomes calls of a client; on the loop's thread

    private final class LoadState {
        var filter: (any CallFilter)?
        var idleLimit = UInt64.max
        var isConditional = false
        /// The client received `cachedResponseIsValid`; the content of the 304 is not passed on.
        var isValidated = false
        /// The client received the last call.
        var isOver = false
        /// Ends the wait for the client's decision about a redirect when the request's time is over.
        var redirectTimer: Task<Void, Never>?

        init(_ filter: (any CallFilter)?) { self.filter = filter }

        func endRedirectTimer() {
            redirectTimer?.cancel()
            redirectTimer = nil
        }
    }

    private func begin(_ plan: ProtocolPlan, idleLimit: UInt64, with engine: LoadingThread) {
        loadState?.value.idleLimit = idleLimit
        switch plan {
        case .fail(let error): tell(.complete(error))
        case .answerFromCache:
            tell(.cacheValidated)
            tell(.complete(nil))
        case .load(let request, let isConditional, let copy):
            loadState?.value.isConditional = isConditional
            state.withLock { $0.body = copy }
            var loading = options.configuration.loadOptions(timeout: nil)
            loading.idleLimit = idleLimit
            loading.cache = nil
            loading.policy.asksForTokens = false
            loading.policy.readsOpenRedirects = true
            loading.policy.resolvesTrustItself = !options.forwardsTrust
            loading.security = ReferenceEngine.security(options.security)
            loading.cookies = options.cookieStore.map { CookieHandling(of: options.configuration, in: $0) }
            let load = Load(request, options: loading, pool: engine.pool, client: self)
            let isWanted = state.withLock { state in
                if !state.isSilent { state.load = load }
                return !state.isSilent
            }
            guard isWanted else { return }
            let task = Task(executorPreference: engine.loop) { await load.run() }
            state.withLock { $0.task = task }
        }
    }

    func load(_ load: Load, tells call: DelegateCall) {
        guard let own = loadState?.value else { return }
        switch call {
        case .redirect: redirect(load, by: call)
        case .challenge, .challengeCancelled: tell(call)
        case .response(let response):
            own.endRedirectTimer()
            state.withLock { $0.body = nil }
            if own.isConditional, response.status == 304 {
                // The client has head and content already; repeating them would deliver each byte twice (R30).
                own.isValidated = true
                tell(.cacheValidated)
            } else {
                tell(call)
            }
            load.answer(.responseAnswered(isAllowed: true))
        case .data(let bytes):
            own.endRedirectTimer()
            if own.isValidated { load.didConsume(bytes.count) } else { tell(call) }
        case .willCache: load.answer(.cacheAnswered(.refuse))
        case .complete:
            own.endRedirectTimer()
            tell(call)
            own.isOver = true
            // Breaks the reference cycle between load and relay.
            state.withLock { $0.load = nil }
        // A URLProtocol cannot ask for another stream (R24), so it has kept a copy of the first.
        case .needBodyStream: load.answer(.bodyStreamAnswered(state.withLock { $0.body }?.bodyStream()))
        case .canonicalize: if let answer = call.defaultAnswer { load.answer(answer) }
        // URLProtocolClient has no call for progress, interim heads and metrics.
        default: break
        }
    }

    private func redirect(_ load: Load, by call: DelegateCall) {
        guard let own = loadState?.value else { return }
        state.withLock { $0.isRedirecting = true }
        tell(call)
        switch options.afterRedirect {
        case .waitForStop:
            guard own.idleLimit < UInt64(Int64.max) else { return }
            let limit = Duration.nanoseconds(Int64(own.idleLimit))
            own.redirectTimer = Task(executorPreference: load.loop) {
                if await load.loop.sleep(for: limit) { load.answer(.timedOut) }
            }
        case .failCancelled:
            tell(.failedAsCancelled)
            own.isOver = true
            load.answer(.cancel)
        }
    }

    private func tell(_ call: DelegateCall) {
        guard let own = loadState?.value, !own.isOver else { return }
        enqueue(own.filter.calls(for: call))
    }

    // MARK: How calls get to the client: in a line, one after the other

    private func enqueue(_ calls: [PlacedCall]) {
        let first = state.withLock { state -> PlacedCall? in
            guard !state.isSilent else { return nil }
            state.calls += calls
            guard !state.isCalling, let first = state.calls.first else { return nil }
            state.isCalling = true
            return first
        }
        if let first { schedule(first) }
    }

    private func schedule(_ next: PlacedCall) {
        (next.isElsewhere ? ClientThread.elsewhere : thread).submit { self.makeCall() }
    }

    private func makeCall() {
        // During a call the object is alive: its deinit would have to wait for the call.
        let object = state.withLock { $0.object }
        let call = state.withLock { state -> DelegateCall? in
            guard !state.isSilent, object != nil, !state.calls.isEmpty else {
                state.calls = []
                state.isCalling = false
                return nil
            }
            state.caller = ObjectIdentifier(Thread.current)
            return state.calls.removeFirst().call
        }
        guard let call, let object else { return }
        make(call, for: object)
        let (next, load, waiter) = state.withLock { state in
            state.caller = nil
            if state.calls.isEmpty { state.isCalling = false }
            defer { state.waiter = nil }
            return (state.calls.first, state.load, state.waiter)
        }
        waiter?.signal()
        if case .data(let bytes) = call { load?.didConsume(bytes.count) }
        if let next { schedule(next) }
    }

    private func make(_ call: DelegateCall, for object: ReferenceProtocol) {
        guard let client = object.client else { return }
        switch call {
        case .redirect(let next, let response):
            client.urlProtocol(
                object,
                wasRedirectedTo: object.request.redirected(
                    to: next, body: state.withLock { $0.body }?.inputStream()),
                redirectResponse: response.urlResponse)
        case .cacheValidated:
            // A missing cached response means that the protocol is broken on purpose.
            client.urlProtocol(object, cachedResponseIsValid: object.cachedResponse ?? .nothing)
        case .response(let response):
            let scheme = response.url.origin.scheme
            let response = response.urlResponse
            client.urlProtocol(
                object, didReceive: response,
                cacheStoragePolicy: options.fault == .storesEverything
                    ? .allowed : ReferenceProtocol.storagePolicy(of: response, to: object.request, by: scheme))
        case .data(let bytes): client.urlProtocol(object, didLoad: Data(bytes))
        case .complete(nil):
            end()
            client.urlProtocolDidFinishLoading(object)
        case .complete(let error?):
            end()
            client.urlProtocol(object, didFailWithError: error.foundationError(of: object.request.url))
        case .failedAsCancelled:
            end()
            client.urlProtocol(object, didFailWithError: CocoaError(.userCancelled))
        case .challenge(let challenge): client.urlProtocol(object, didReceive: open(challenge))
        case .challengeCancelled(let challenge): client.urlProtocol(object, didCancel: close(challenge))
        default: break
        }
    }

    /// A protocol that is broken on purpose may have calls behind the end.
    private func end() {
        state.withLock { state in
            state.isAtWork = false
            state.kept = nil
        }
    }

    private func open(_ challenge: LoadChallenge) -> URLAuthenticationChallenge {
        let number = state.withLock { state in
            state.challengeNumber += 1
            return state.challengeNumber
        }
        let opened = challenge.urlChallenge { [weak self] answer in self?.answer(answer, toChallenge: number) }
        state.withLock { state in
            state.challenge = opened
            state.isChallengeOpen = true
        }
        return opened
    }

    /// The open challenge that the client received, if there is one.
    private func close(_ challenge: LoadChallenge) -> URLAuthenticationChallenge {
        let opened = state.withLock { state in
            state.isChallengeOpen = false
            return state.challenge
        }
        return opened ?? challenge.urlChallenge { _ in }
    }
}

extension CachedURLResponse {
    fileprivate static var nothing: CachedURLResponse {
        let response = URLResponse(
            url: URL(fileURLWithPath: "/"), mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
        return CachedURLResponse(response: response, data: Data())
    }
}
