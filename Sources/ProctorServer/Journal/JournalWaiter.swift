internal import ProctorBase

/// Somebody who waits for a journal's next entry; woken once, from any thread.
@safe final class JournalWaiter: Sendable {
    private let state = Locked(State.idle)

    @safe private enum State {
        // Valid next states: waiting, woken.
        case idle
        // Valid next states: woken.
        case waiting(UnsafeContinuation<Void, Never>)
        // The end.
        case woken
    }

    func wait() async {
        unsafe await withUnsafeContinuation { continuation in
            let isWoken = state.withLock { state in
                if case .woken = state { return true }
                unsafe state = .waiting(continuation)
                return false
            }
            if isWoken { unsafe continuation.resume() }
        }
    }

    func wake() {
        let continuation: UnsafeContinuation<Void, Never>? = unsafe state.withLock { state in
            defer { state = .woken }
            guard case .waiting(let continuation) = state else { return nil }
            return unsafe continuation
        }
        unsafe continuation?.resume()
    }
}
