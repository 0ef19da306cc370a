internal import ProctorJournal
internal import ProctorLoop
internal import ProctorReplies
internal import ProctorScenario

extension Connection {
    /// The effects that end connections of its origin by time.
    private var ends: [ConnectionEffect] {
        guard case .origin(let stage, let origin) = endpoint else { return [] }
        return stage.scenario.origins[origin].connectionEffects.filter { $0.delay != nil }
    }

    func startTimers() {
        let ends = ends
        guard !ends.isEmpty else { return }
        let loop = socket.loop
        let held = heldForTasks()
        timers = ends.map { effect in
            Task(executorPreference: loop) {
                guard await loop.sleep(for: effect.delay ?? .zero) else { return }
                held.value?.endConnection(by: effect)
            }
        }
    }

    /// The connection for a task of its loop, which keeps it.
    func heldForTasks() -> LoopBound<Connection?> {
        let held = LoopBound<Connection?>(nil, on: socket.loop)
        held.value = self
        return held
    }

    /// Serves a connection that a tunnel carries, to its end.
    package func serve() async {
        let loop = socket.loop
        let held = heldForTasks()
        await withTaskCancellationHandler {
            unsafe await withUnsafeContinuation { continuation in
                unsafe serve(for: EndAwaiter(continuation))
                if Task.isCancelled { cancelTask() }
            }
        } onCancel: {
            loop.perform { held.value?.cancelTask() }
        }
        held.value = nil
    }

    /// Ends the connection, whatever waits on it; nothing once it has ended.
    private func endConnection(by effect: ConnectionEffect) {
        guard !socket.isClosed, input.endByTime == nil, effect.connections?.contains(self.effects?.number ?? 0) ?? true
        else {
            return
        }
        journals.append(.effectPlayed(effect.action.row.played(at: effect.position.text)))
        input.endByTime = socket.endByTime(effect.action)
    }
}

/// Keeps a connection until it has ended; on the loop's thread only.
protocol ConnectionOwner: AnyObject {
    func connectionEnded(_ connection: Connection)
}

/// Resumes a task once.
@safe private final class EndAwaiter: ConnectionOwner {
    private let continuation: UnsafeContinuation<Void, Never>

    init(_ continuation: UnsafeContinuation<Void, Never>) { unsafe self.continuation = continuation }

    func connectionEnded(_ connection: Connection) { unsafe continuation.resume() }
}
