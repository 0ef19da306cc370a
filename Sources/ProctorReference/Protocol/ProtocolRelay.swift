internal import Dispatch
internal import Foundation
internal import ProctorBase
internal import ProctorLoop

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Stands between a load, on its loop, and the client of a URLProtocol object, on the thread that started that.
///
/// One call at a time and in order; each in a turn of the run loop of its own, so that the client can stop the object
/// between any two. An extension has what the load tells, another how calls are made.
final class ProtocolRelay: LoadClient, @unchecked Sendable {
    /// Written once; it may go at any time, and the runtime makes each look atomic.
    weak private(set) var object: ReferenceProtocol?
    let options: ReferenceProtocol.Options
    let place = ClientPlace.current
    let state = Locked(State())

    /// Loop thread only.
    var notices = Notices()

    struct State {
        var isAtWork = true
        /// Stopped: nothing is said any more.
        var isSilent = false
        var load: Load?
        /// Runs the load; ends with it.
        var task: Task<Void, Never>?
        var calls: [PlacedCall<ProtocolCall>] = []
        /// Somebody makes calls, or is on the way.
        var isCalling = false
        /// The thread that is in the client just now.
        var caller: ObjectIdentifier?
        /// The one that stops, and waits for the caller.
        var waiter: DispatchSemaphore?
        var isRedirecting = false
        /// The last challenge and its number.
        var challenge: URLAuthenticationChallenge?
        var challengeNumber = 0
        var isChallengeOpen = false
        /// Nobody else holds it any more; only of a protocol that goes on when it was stopped.
        var kept: ReferenceProtocol?
    }

    /// How long a stop waits for a call that another thread is making.
    private static let longestWait = DispatchTimeInterval.seconds(1)

    /// To be made on the client thread.
    init(_ object: ReferenceProtocol, options: ReferenceProtocol.Options) {
        self.object = object
        self.options = options
    }

    /// Whether the object was started and neither ended nor was stopped.
    var isAtWork: Bool { state.withLock { $0.isAtWork } }

    // MARK: From the client

    /// Calls nobody before it returns.
    func start(_ request: URLRequest, cachedResponse: CachedURLResponse?) {
        let cached = options.heedsCachedResponses ? cachedResponse : nil
        let plan = ProtocolPlan(request, cachedResponse: cached, ownSchemes: options.ownSchemes)
        let idleLimit = request.idleLimit
        switch ReferenceEngine.shared {
        case .success(let engine): engine.loop.submit { self.begin(plan, idleLimit: idleLimit, with: engine) }
        case .failure(let failure):
            enqueue([PlacedCall(.fail(LoadError(.resourceUnavailable, "no thread can be made to load: \(failure)")))])
        }
    }

    /// From any thread, any number of times.
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

    /// In place of a stop: the object stays until it has said its end.
    func keepOn(_ object: ReferenceProtocol) {
        state.withLock { if $0.isAtWork { $0.kept = object } }
    }

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
}
