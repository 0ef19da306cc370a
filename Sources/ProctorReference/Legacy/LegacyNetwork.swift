public import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop

/// The thread and the kept connections that loads of the old kind share.
///
/// Apple has one for each process and hides it; here its maker calls ``end()``.
public final class LegacyNetwork: Sendable {
    /// As it was given; changes come too late.
    ///
    /// What it says of completion handlers and of filters of calls is for sessions alone.
    public var configuration: ReferenceConfiguration { shared.configuration }
    /// What its loads send and take: the configuration's, or one of its own.
    public var cookieStore: ReferenceCookieStore { shared.cookieStore }
    private let shared: SharedState
    private let state = Locked(State())

    private struct State {
        var loads: [Int: Task<Void, Never>] = [:]
        var loadCount = 0
        var isEnded = false
    }

    /// Starts the thread; no connection is opened before a load needs one.
    ///
    /// `credentials` is asked for what the configuration's credential store does not have, on the network's thread and
    /// where a delegate lets the storage be used.
    public init(
        configuration: ReferenceConfiguration = ReferenceConfiguration(),
        credentials: @escaping @Sendable (LoadChallenge.ProtectionSpace) -> LoadCredential? = { _ in nil }
    ) throws(CallFailure) {
        shared = SharedState(configuration, on: try LoadingThread(name: "legacy-network"), fallback: credentials)
    }

    /// Cancels what is under way, closes all connections and ends the thread; loads that start later fail at once.
    ///
    /// What ends here tells its delegate so, as `cancelled`.
    public func end() async {
        let loads = state.withLock { state in
            state.isEnded = true
            return Array(state.loads.values)
        }
        for load in loads { load.cancel() }
        for load in loads { await load.value }
        shared.thread.end()
        await shared.thread.ended()
    }

    var loop: EventLoop { shared.thread.loop }
    var pool: ConnectionPool { shared.thread.pool }

    func loadOptions(timeout: Duration?, asksToStore: Bool) -> LoadOptions {
        shared.options(timeout: timeout, asksToStore: asksToStore)
    }

    // MARK: For loads

    /// Runs a command on the network's thread; false when there is none any more.
    func enter(_ command: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            if !state.isEnded { loop.submit(command) }
            return !state.isEnded
        }
    }

    /// Runs a load to its end; false when the network has ended, and then the load never begins.
    func run(_ load: Load) -> Bool {
        state.withLock { state in
            guard !state.isEnded else { return false }
            state.loadCount += 1
            let number = state.loadCount
            state.loads[number] = Task(executorPreference: loop) {
                await load.run()
                self.forget(number)
            }
            return true
        }
    }

    private func forget(_ number: Int) { state.withLock { _ = $0.loads.removeValue(forKey: number) } }

    /// With the fields of the configuration that it lacks.
    func complete(_ request: ClientRequest) -> ClientRequest { request.completed(with: shared.fields) }

    static let hasEnded = LoadError(.cancelled, "the network of this load was ended before it began")
}
