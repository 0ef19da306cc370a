internal import ProctorBase
internal import ProctorLoop

/// What a load tells becomes calls of a client; on the loop's thread.
extension ProtocolRelay {
    struct Notices {
        var filter: (any CallFilter<ProtocolCall>)?
        var idleLimit = UInt64.max
        /// A 304 says that the cached response holds.
        var isConditional = false
        /// It was said: what is left of the 304 is nobody's.
        var isValidated = false
        /// The client has heard of the end.
        var isOver = false
        /// Waits for the end of the request's time while the client thinks about a redirect.
        var patience: Task<Void, Never>?
    }

    func begin(_ plan: ProtocolPlan, idleLimit: UInt64, with engine: LoadingThread) {
        notices.filter = options.makeCallFilter?()
        notices.idleLimit = idleLimit
        switch plan {
        case .fail(let error): tell(.fail(error))
        case .answerFromCache:
            tell(.cacheValidated)
            tell(.finish)
        case .load(let request, let isConditional):
            notices.isConditional = isConditional
            var loading = LoadOptions()
            loading.idleLimit = idleLimit
            loading.resourceLimit = options.resourceLimit?.wholeNanoseconds
            loading.policy = LoaderPolicy(
                proxy: options.proxy, asksForTokens: false, resolvesTrustItself: !options.forwardsTrust)
            loading.policy.sparesLoopback = options.sparesLoopback
            loading.names = options.names
            loading.transportFault = options.transportFault
            loading.security = ReferenceEngine.security(options.security)
            loading.cookies = options.cookieStore.map {
                CookieCourse(store: $0, policy: options.cookiePolicy, fault: options.cookieFault)
            }
            loading.makeFilter = options.makeActionFilter
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

    func load(_ load: Load, tells notice: ClientNotice) {
        switch notice {
        case .canonicalize: load.answer(.canonicalAnswered(isAccepted: true))
        case .redirect(let next, let response): redirect(load, to: next, from: response)
        case .challenge(let challenge): tell(.challenge(challenge))
        case .challengeCancelled(let challenge): tell(.challengeCancelled(challenge))
        // A URLProtocol can't ask for another stream (R24), so the load ends with an error that says so.
        case .needBodyStream: load.answer(.bodyStreamAnswered(nil))
        // It has no call for any of these.
        case .bodySent, .informational, .metrics: break
        case .response(let response):
            endPatience()
            if notices.isConditional, response.status == 304 {
                // The client has head and content already; to tell them again would be to give each byte twice (R30).
                notices.isValidated = true
                tell(.cacheValidated)
            } else {
                tell(.response(response))
            }
            load.answer(.responseAnswered(isAllowed: true))
        case .data(let bytes):
            endPatience()
            if notices.isValidated { load.didConsume(bytes.count) } else { tell(.data(bytes)) }
        case .willCache: load.answer(.cacheAnswered(isStored: false))
        case .complete(let error):
            endPatience()
            tell(error.map { .fail($0) } ?? .finish)
            notices.isOver = true
            // They hold one another.
            state.withLock { $0.load = nil }
        }
    }

    private func redirect(_ load: Load, to next: ClientRequest, from response: LoadResponse) {
        state.withLock { $0.isRedirecting = true }
        tell(.redirect(next, from: response))
        switch options.afterRedirect {
        case .waitForStop:
            guard notices.idleLimit < UInt64(Int64.max) else { return }
            let limit = Duration.nanoseconds(Int64(notices.idleLimit))
            notices.patience = Task(executorPreference: load.loop) {
                if await load.loop.sleep(for: limit) { load.answer(.timedOut) }
            }
        case .failCancelled:
            tell(.failCancelled)
            notices.isOver = true
            load.answer(.cancel)
        }
    }

    private func endPatience() {
        notices.patience?.cancel()
        notices.patience = nil
    }

    private func tell(_ call: ProtocolCall) {
        guard !notices.isOver else { return }
        enqueue(notices.filter?.filter(call) ?? [PlacedCall(call)])
    }
}
