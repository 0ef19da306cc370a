internal import Dispatch
internal import Foundation
internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Passes the calls of a load, on its loop, to the client of a URLProtocol object, on the thread that started the
/// object.
///
/// Calls are made one at a time and in order, each in its own turn of the run loop, so that the client can stop the
/// object between two calls.
final class ProtocolRelay: LoadClient {
    private let options: ReferenceProtocol.Options
    private let thread = CallbackThread.current
    let state = Locked(State())
    /// nil when the system provides no thread for loading.
    private let loadState: LoopBound<LoadState>?

    struct State {
        /// The owner may release the object at any time.
        weak var object: ReferenceProtocol?
        var isAtWork = true
        /// Whether the object was stopped, so that no further call is made.
        var isSilent = false
        var load: Load?
        /// The copy of a streamed body; released at the response, after which no request follows.
        var body: BodyCopy?
        /// Runs the load and ends with it.
        var task: Task<Void, Never>?
        var calls: [PlacedCall] = []
        /// Whether a thread makes calls, or will at once.
        var isCalling = false
        /// The thread that is calling the client.
        var caller: ObjectIdentifier?
        /// Signals the thread that stops the object and waits for the caller.
        var waiter: DispatchSemaphore?
        var isRedirecting = false
        var challenge: URLAuthenticationChallenge?
        var challengeNumber = 0
        var isChallengeOpen = false
        /// Keeps the object alive, for a deliberate fault that ignores a stop.
        var kept: ReferenceProtocol?
        /// Keeps the object alive for ever, for a deliberate fault.
        var itself: ReferenceProtocol?
    }

    /// The longest wait of a stop for a call on another thread.
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

    /// Starts the load; makes no call to the client before it returns.
    func start(_ request: URLRequest, cachedResponse: CachedURLResponse?) {
        let cached = options.heedsCachedResponses ? cachedResponse : nil
        let plan = ProtocolPlan(
            request, cachedResponse: cached, ownSchemes: options.ownSchemes, keepsBody: options.fault != .keepsNoBody)
        let idleLimit = request.idleLimit
        switch ReferenceEngine.shared {
        case .success(let engine): engine.loop.submit { self.startPlan(plan, idleLimit: idleLimit, with: engine) }
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
        load?.submit(.cancel)
        _ = wait?.wait(timeout: .now() + Self.longestWait)
    }

    /// Takes the place of a stop, for a deliberate fault: the object stays alive until its last call.
    func keepOn(_ object: ReferenceProtocol) {
        state.withLock { if $0.isAtWork { $0.kept = object } }
    }

    /// Takes the place of a stop, for a deliberate fault: no call follows, but the load continues until the object is
    /// released.
    func fallSilent() {
        state.withLock { state in
            state.isSilent = true
            state.isAtWork = false
            state.calls = []
        }
    }

    /// Makes sure that the object is never released, for a deliberate fault.
    func keepForEver(_ object: ReferenceProtocol) { state.withLock { $0.itself = object } }

    func refuseRedirect() {
        let load = state.withLock { state -> Load? in
            guard state.isRedirecting else { return nil }
            state.isRedirecting = false
            return state.load
        }
        load?.submit(.redirectAnswered(nil))
    }

    /// Submits an answer to the challenge; only the first answer counts.
    func submitAnswer(_ answer: ChallengeAnswer, toChallenge number: Int) {
        let load = state.withLock { state -> Load? in
            guard state.isChallengeOpen, state.challengeNumber == number else { return nil }
            state.isChallengeOpen = false
            return state.load
        }
        load?.submit(.challengeAnswered(answer))
    }

    // MARK: Calls of a load become calls to the client; on the loop's thread

    private final class LoadState {
        var filter: (any CallFilter)?
        var idleLimit = UInt64.max
        var isConditional = false
        /// Whether the client received `cachedResponseIsValid`; the content of the 304 is not passed on.
        var isValidated = false
        /// Whether the client received the last call.
        var isOver = false
        /// Ends the wait for the client's decision about a redirect when the request's time is over.
        var redirectTimer: Task<Void, Never>?

        init(_ filter: (any CallFilter)?) { self.filter = filter }

        func endRedirectTimer() {
            redirectTimer?.cancel()
            redirectTimer = nil
        }
    }

    private func startPlan(_ plan: ProtocolPlan, idleLimit: UInt64, with engine: LoadingThread) {
        loadState?.value.idleLimit = idleLimit
        switch plan {
        case .fail(let error): notifyClient(.complete(error))
        case .answerFromCache:
            notifyClient(.cacheValidated)
            notifyClient(.complete(nil))
        case .load(let request, let isConditional, let copy):
            loadState?.value.isConditional = isConditional
            state.withLock { $0.body = copy }
            var loading = LoadOptions(options.configuration)
            loading.idleLimit = idleLimit
            loading.cache = nil
            loading.policy.asksForTokens = false
            loading.policy.readsOpenRedirects = true
            loading.policy.resolvesTrustItself = options.fault != .forwardsTrust
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
        case .challenge, .challengeCancelled: notifyClient(call)
        case .response(let response):
            own.endRedirectTimer()
            state.withLock { $0.body = nil }
            if own.isConditional, response.status == 304 {
                // The client has head and content already; a repetition would deliver each byte twice (R30).
                own.isValidated = true
                notifyClient(.cacheValidated)
            } else {
                notifyClient(call)
            }
            load.submit(.responseAnswered(.allow))
        case .data(let bytes):
            own.endRedirectTimer()
            if own.isValidated { load.didConsume(bytes.count) } else { notifyClient(call) }
        case .willCache: load.submit(.cacheAnswered(.refuse))
        case .complete:
            own.endRedirectTimer()
            notifyClient(call)
            own.isOver = true
            // Breaks the reference cycle between load and relay.
            state.withLock { $0.load = nil }
        // A URLProtocol can't ask for another stream (R24), so it has kept a copy of the first.
        case .needBodyStream: load.submit(.bodyStreamAnswered(state.withLock { $0.body }?.bodyStream()))
        case .canonicalize: if let answer = call.defaultAnswer { load.submit(answer) }
        // URLProtocolClient has no methods for progress, interim heads and metrics.
        default: break
        }
    }

    private func redirect(_ load: Load, by call: DelegateCall) {
        guard let own = loadState?.value else { return }
        state.withLock { $0.isRedirecting = true }
        notifyClient(call)
        switch options.afterRedirect {
        case .waitForStop:
            guard own.idleLimit < UInt64(Int64.max) else { return }
            let limit = Duration.nanoseconds(Int64(own.idleLimit))
            own.redirectTimer = Task(executorPreference: load.loop) {
                if await load.loop.sleep(for: limit) { load.submit(.timedOut) }
            }
        case .failCancelled:
            notifyClient(.failedAsCancelled)
            own.isOver = true
            load.submit(.cancel)
        }
    }

    private func notifyClient(_ call: DelegateCall) {
        guard let own = loadState?.value, !own.isOver else { return }
        enqueue(own.filter.calls(for: call))
    }

    // MARK: Calls to the client, one after the other

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
        (next.isElsewhere ? CallbackThread.elsewhere : thread).submit { self.makeCall() }
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
            // A missing cached response means that the protocol has a deliberate fault.
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
            finish()
            client.urlProtocolDidFinishLoading(object)
        case .complete(let error?):
            finish()
            client.urlProtocol(object, didFailWithError: error.foundationError(of: object.request.url))
        case .failedAsCancelled:
            finish()
            client.urlProtocol(object, didFailWithError: CocoaError(.userCancelled))
        case .challenge(let challenge): client.urlProtocol(object, didReceive: open(challenge))
        case .challengeCancelled(let challenge): client.urlProtocol(object, didCancel: close(challenge))
        default: break
        }
    }

    /// Ends the calls; a protocol with a deliberate fault may make calls after the end.
    private func finish() {
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
        let opened = challenge.urlChallenge { [weak self] answer in self?.submitAnswer(answer, toChallenge: number) }
        state.withLock { state in
            state.challenge = opened
            state.isChallengeOpen = true
        }
        return opened
    }

    /// The challenge that the client received and that has no answer, if there is one.
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
