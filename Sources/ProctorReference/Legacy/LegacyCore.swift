internal import ProctorBase
internal import ProctorLoop

/// What every load of the old kind holds: who is told, where, of which load, and whether any more.
///
/// What is not behind the lock belongs to the network's thread.
@safe final class LegacyCore<Delegate: Sendable, Call: Sendable>: @unchecked Sendable {
    let network: LegacyNetwork
    let queue: CallbackQueue
    let options: LoadOptions
    let challengeMethods: LegacyChallengeMethods
    /// The one whose notices count.
    var load: Load?
    /// The one that is being asked about.
    var openChallenge: LoadChallenge?
    /// The delegate was given it, so that it has to be taken back when it needs no answer any more.
    var isChallengeTold = false
    private var filter: (any CallFilter<Call>)?
    private let end = LegacyEnd()
    private let state: Locked<State>

    private struct State {
        /// nil when nothing may be told any more.
        var delegate: Delegate?
        var isStarted = false
        var usesCredentialStorage = true
    }

    init(
        _ delegate: Delegate, challengeMethods: LegacyChallengeMethods, network: LegacyNetwork, queue: CallbackQueue,
        options: LoadOptions, filter: (any CallFilter<Call>)?
    ) {
        self.network = network
        self.queue = queue
        self.options = options
        self.challengeMethods = challengeMethods
        self.filter = filter
        state = Locked(State(delegate: delegate))
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

    /// Has a call made, or what the filter wants in its place, and then `rest` on the same thread.
    func place(
        _ call: Call, makeIt: @escaping @Sendable (Call, Delegate) -> Void, then rest: (@Sendable () -> Void)?
    ) {
        var isTaken = true
        for placed in filter == nil ? [PlacedCall(call)] : filter?.filter(call) ?? [] {
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

    /// The queue was ended, so nobody can be told and nothing be asked any more.
    private func giveUp() {
        _ = silence()
        load?.answer(.cancel)
    }
}
