internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop

/// A load of the old kind: turns the notices of a ``Load`` into calls of its delegate.
protocol LegacyShape: LegacyLoading, LoadClient {
    associatedtype Delegate: Sendable
    associatedtype Call: Sendable

    var core: LegacyCore<Delegate, Call> { get }

    static func common(_ call: LegacyCall) -> Call
    static func failure(_ error: LoadError) -> Call

    /// Callback thread.
    func make(_ call: Call, of load: Load, to delegate: Delegate)

    /// On the network's thread, before the load runs: asks and tells what comes before everything else.
    func prepare(_ load: Load)

    /// The delegate refused a redirect; callback thread.
    func refuseRedirect(of load: Load)
}

extension LegacyShape {
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
            place(Self.common(.shouldUseCredentialStorage), of: load)
            prepare(load)
            run(load)
        }
        guard !hasEntered else { return }
        // No load and no thread of the network; all that is left is to say so.
        core.queue.submit { [self] in
            guard let delegate = core.delegate else { return }
            let load = Load(request, options: core.options, pool: core.network.pool, client: self)
            make(Self.failure(LegacyNetwork.hasEnded), of: load, to: delegate)
        }
        core.finish()
    }

    func stop() {
        guard core.silence() else { return core.finish() }
        // Where the network is gone everything has ended already.
        _ = core.network.enter { [self] in core.load?.answer(.cancel) }
    }

    // MARK: On the network's thread

    func place(_ call: Call, of load: Load, then rest: (@Sendable () -> Void)? = nil) {
        core.place(call, makeIt: { [self] in make($0, of: load, to: $1) }, then: rest)
    }

    /// The last call of all.
    func placeLast(_ call: Call, of load: Load, then rest: (@Sendable () -> Void)? = nil) {
        core.load = nil
        place(call, of: load, then: rest)
        core.finish()
    }

    /// Fails for a reason of our own while the load is under way; what that still says is not passed on.
    func fail(_ load: Load, _ error: LoadError) {
        guard core.load === load else { return }
        placeLast(Self.failure(error), of: load)
        load.answer(.cancel)
    }

    /// Takes the place of the load that was; what that still says is not passed on.
    func makeLoad(_ request: ClientRequest, announces: Bool) -> Load {
        var options = core.options
        options.policy.announcesCanonicalForm = announces
        options.policy.usesStoredCredentials = core.usesCredentialStorage
        let load = Load(request, options: options, pool: core.network.pool, client: self)
        core.load = load
        return load
    }

    func run(_ load: Load) {
        if !core.network.run(load) { self.load(load, tells: .complete(LegacyNetwork.hasEnded)) }
    }

    /// Takes the notices that mean the same for every shape; false for the others.
    func takeCommon(_ notice: ClientNotice, of load: Load) -> Bool {
        switch notice {
        case .canonicalize(let request):
            place(Self.common(.willSend(request, redirectResponse: nil)), of: load)
        case .redirect(let request, let response):
            place(Self.common(.willSend(request, redirectResponse: response)), of: load)
        case .challenge(let challenge): ask(challenge, of: load)
        case .challengeCancelled(let challenge): withdraw(challenge, of: load)
        case .informational, .metrics: break
        case .needBodyStream, .bodySent, .response, .data, .willCache, .complete: return false
        }
        return true
    }
}
