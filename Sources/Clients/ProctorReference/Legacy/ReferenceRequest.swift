internal import Dispatch
internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop

/// A request of NSURLConnection without a delegate, whose caller gets only the result (R62).
///
/// Redirects are followed and challenges get their default handling. At most the configuration's `collectedByteLimit`
/// of the content is kept.
package final class ReferenceRequest: LoadClient {
    private let request: ClientRequest
    private let network: LegacyNetwork
    private let options: LoadOptions
    private let loopState: LoopBound<State>

    private final class State {
        var reply: GatheredReply
        var filter: (any CallFilter)?
        /// nil before the start and after the end.
        var give: (@Sendable ([PlacedCall]) -> Void)?

        init(_ configuration: ReferenceConfiguration) {
            reply = GatheredReply(configuration)
            filter = configuration.makeCallFilter?()
        }
    }

    /// Makes a request; send it once, in one of the two ways.
    package init(_ request: ClientRequest, on network: LegacyNetwork, timeout: Duration? = nil) {
        self.request = network.shared.completed(request)
        self.network = network
        options = network.shared.options(timeout: timeout, asksToStore: true)
        loopState = LoopBound(State(network.configuration), on: network.loop)
    }

    // MARK: From any thread but the network's

    /// Blocks the calling thread until the load is over; `tell` receives calls that only a client with a deliberate
    /// fault makes.
    package func sendSynchronously(telling tell: @escaping @Sendable (DelegateCall) -> Void) -> TaskOutcome {
        let result = Locked(TaskOutcome(error: LegacyNetwork.hasEnded))
        let isOver = DispatchSemaphore(value: 0)
        start { calls in
            for placed in calls {
                if case .handler(let outcome) = placed.call {
                    result.withLock { $0 = outcome }
                } else {
                    tell(placed.call)
                }
            }
            isOver.signal()
        }
        isOver.wait()
        return result.withLock { $0 }
    }

    /// Returns at once; `block` runs on `queue`, once, with the call ``DelegateCall/handler(_:)`` (R63).
    package func send(on queue: CallbackQueue, _ block: @escaping @Sendable (DelegateCall) -> Void) {
        start { calls in
            for placed in calls {
                queue.submit {
                    guard placed.isElsewhere else { return block(placed.call) }
                    WorkerThread { block(placed.call) }?.join()
                }
            }
        }
    }

    private func start(_ give: @escaping @Sendable ([PlacedCall]) -> Void) {
        let hasEntered = network.enter { [self] in
            loopState.value.give = give
            let load = Load(request, options: options, pool: network.pool, client: self)
            if !network.run(load) { finish(TaskOutcome(error: LegacyNetwork.hasEnded)) }
        }
        if !hasEntered { give([PlacedCall(.handler(TaskOutcome(error: LegacyNetwork.hasEnded)))]) }
    }

    // MARK: On the network's thread

    func load(_ load: Load, tells call: DelegateCall) {
        let state = loopState.value
        state.reply.receive(call, of: load)
        if case .complete = call { finish(state.reply.outcome(of: request)) }
    }

    private func finish(_ outcome: TaskOutcome) {
        let state = loopState.value
        guard let give = state.give else { return }
        state.give = nil
        state.reply.letGo()
        give(state.filter.calls(for: .handler(outcome)))
    }
}
