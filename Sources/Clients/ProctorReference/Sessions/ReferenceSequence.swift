internal import ProctorBase

/// A mistake of a sequence on purpose, by the rule that it breaks; `faults.tsv` says what each does.
package enum SequenceFault: String, Sendable, CaseIterable {
    case headTwice = "R71"
    case trailersTwice = "R72"
    case endsTwice = "R73"
    case tellsBehindCancel = "R74"
    case leavesItsTask = "R75"
}

/// A load whose response is a sequence that one Swift task reads: its head, its parts, its trailers, and the end.
///
/// What the reader has not taken is held: at ``mostHeldBytes`` reading from the network stops until the reader asks.
package struct ReferenceSequence: Sendable {
    static let mostHeldBytes = 256 << 10

    private let request: ClientRequest
    private let session: ReferenceSession
    private let timeout: Duration?
    private let fault: SequenceFault?

    /// Nothing is sent before ``read(_:)``; `session` must not split multipart content, which is one content to a sequence.
    ///
    /// Redirects are followed, and challenges get their default answers.
    package init(
        _ request: ClientRequest, in session: ReferenceSession, timeout: Duration? = nil, fault: SequenceFault? = nil
    ) {
        (self.request, self.session, self.timeout, self.fault) = (request, session, timeout, fault)
    }

    /// Loads, and calls `receive` on the caller's task, once for each of `response`, `data`, `trailers` and `complete`.
    ///
    /// `complete` is the last call. Where the task is cancelled, it is `cancelled`, and the only one behind the cancel.
    package func read(_ receive: @escaping @Sendable (DelegateCall) async -> Void) async {
        let feed = SequenceFeed()
        let task =
            if case .file(let path) = request.body {
                session.uploadTask(with: request, fromFile: path, timeout: timeout)
            } else {
                session.dataTask(with: request, timeout: timeout)
            }
        task.delegate = feed
        await withTaskCancellationHandler {
            task.resume()
            var hasEnded = false
            while !hasEnded {
                for call in await feed.takeHeld() {
                    if case .complete(let error) = call {
                        await finish(with: error, receive)
                        hasEnded = true
                    } else if !Task.isCancelled {
                        await handOver(call, receive)
                    }
                }
            }
        } onCancel: {
            task.cancel()
        }
    }

    private func finish(with error: LoadError?, _ receive: @Sendable (DelegateCall) async -> Void) async {
        let isCancelled = Task.isCancelled
        if isCancelled, fault == .tellsBehindCancel { await receive(.data([0x2E])) }
        let end = DelegateCall.complete(
            isCancelled ? LoadError(.cancelled, "the task that reads was cancelled") : error)
        await receive(end)
        if fault == .endsTwice { await receive(end) }
    }

    /// Calls once, or as a broken client does.
    private func handOver(
        _ call: DelegateCall, _ receive: @escaping @Sendable (DelegateCall) async -> Void
    ) async {
        switch (fault, call) {
        case (.leavesItsTask, .response): await Task { await receive(call) }.value
        case (.headTwice, .response), (.trailersTwice, .trailers):
            await receive(call)
            await receive(call)
        default: await receive(call)
        }
    }
}

/// Holds what a task tells until the reader takes it.
private final class SequenceFeed: CallReceiver {
    private let state = Locked(State())

    private struct State {
        var held: [DelegateCall] = []
        var heldBytes = 0
        /// The task that stands still until the reader takes what is held.
        var suspended: ReferenceTask?
        var reader: CheckedContinuation<Void, Never>?
    }

    /// All that came since the last call, at least one; waits for it.
    func takeHeld() async -> [DelegateCall] {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                if state.held.isEmpty { state.reader = continuation }
                return !state.held.isEmpty
            }
            if isReady { continuation.resume() }
        }
        return state.withLock { state in
            defer { (state.held, state.heldBytes, state.suspended) = ([], 0, nil) }
            // In the lock, so that no later suspension comes before it.
            state.suspended?.resume()
            return state.held
        }
    }

    func receive(
        _ call: DelegateCall, of task: ReferenceTask, in session: ReferenceSession,
        answer: @escaping @Sendable (LoadEvent) -> Void
    ) {
        if let given = call.defaultAnswer { answer(given) }
        let reader = state.withLock { state in
            switch call {
            case .response, .trailers, .complete: break
            case .data(let content):
                state.heldBytes += content.count
                if state.heldBytes >= ReferenceSequence.mostHeldBytes, state.suspended == nil {
                    state.suspended = task
                    task.suspend()
                }
            default: return CheckedContinuation<Void, Never>?.none
            }
            state.held.append(call)
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume()
    }

    /// Trusts by the anchors, and has no identity but the configuration's.
    func session(
        _ session: ReferenceSession, didReceive challenge: LoadChallenge,
        answer: @escaping @Sendable (ChallengeAnswer) -> Void
    ) { answer(.byDefault) }
}
