internal import ProctorBase
internal import ProctorExam
internal import ProctorLoop

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Unix signals as events, from a loop of their own, so that they arrive even when a server's loops are blocked.
struct SignalThread: Sendable {
    /// The signals that end what serves.
    static let endsOfServing = [SIGINT, SIGTERM, SIGQUIT]
    /// The signals that end what works with clients, which must not outlive the terminal.
    static let endsOfWork = [SIGINT, SIGTERM, SIGHUP]

    /// The signals; ends after the first one that is in `stops`.
    let events: AsyncStream<Int32>
    private let loop: EventLoop
    private let source: SignalSource
    private let task: Task<Void, Never>

    /// Starts the thread.
    ///
    /// After a signal of `stops`, every signal has its default action again, so that a second one ends the process at
    /// once; then `onStop` is called on the thread.
    init(
        _ others: [Int32], stops: [Int32] = [], onStop: @escaping @Sendable () -> Void = {}
    ) async throws {
        let loop = try EventLoop(name: "proctor-signals")
        self.loop = loop
        do {
            source = try await loop.run { try SignalSource(stops + others, on: loop) }
        } catch {
            loop.stop()
            throw error
        }
        let (events, feed) = AsyncStream<Int32>.makeStream(bufferingPolicy: .bufferingOldest(64))
        self.events = events
        task = Task(executorPreference: loop) { [source] in
            while let signal = await source.next() {
                let isStop = stops.contains(signal)
                if isStop {
                    source.close()
                    QuitSignal.actAsTermination()
                    onStop()
                }
                feed.yield(signal)
                if isStop { break }
            }
            feed.finish()
        }
    }

    /// Restores the default action of the signals, and ends the thread.
    func stop() async {
        try? await loop.run {
            source.close()
            QuitSignal.actAsTermination()
        }
        await task.value
        loop.stop()
        await loop.ended()
    }
}

/// Makes SIGQUIT act like SIGTERM, since its default action writes a core file.
///
/// A ``SignalThread`` that watches SIGQUIT replaces this action, and restores it at its end.
enum QuitSignal {
    static func actAsTermination() {
        // raise is async-signal-safe (POSIX.1-2024, XSH 2.4.3).
        _ = signal(SIGQUIT) { _ in _ = raise(SIGTERM) }
    }
}

/// Which signals the threads of this process receive.
enum SignalMask {
    /// Unblocks all signals in this thread, and so in those that it starts.
    ///
    /// A process inherits what its parent's thread has blocked, which is nearly every signal where a task of Swift starts it by
    /// Foundation: without SIGCHLD no end of a child is seen, and without SIGTERM a server does not stop.
    static func unblockAll() {
        var none = sigset_t()
        _ = unsafe sigemptyset(&none)
        _ = unsafe pthread_sigmask(SIG_SETMASK, &none, nil)
    }
}

/// Work with clients that a signal of ``SignalThread/endsOfWork`` stops, with every process that it has started.
enum StoppableWork {
    /// What came of the work, and whether a signal stopped it.
    static func run<Result: Sendable>(
        _ work: @escaping @Sendable () async throws -> Result
    ) async throws -> (result: Swift.Result<Result, any Error>, isStopped: Bool) {
        let state = Locked((task: Task<Result, any Error>?.none, isStopped: false))
        let signals = try await SignalThread([], stops: SignalThread.endsOfWork) {
            state.withLock { state in
                state.isStopped = true
                state.task?.cancel()
            }
            // A running client would continue after this process.
            ProgramSpawn.endAll()
        }
        let task = Task { try await work() }
        state.withLock { state in
            state.task = task
            if state.isStopped { task.cancel() }
        }
        let result = await task.result
        await signals.stop()
        LeftProcesses.endAll()
        return (result, state.withLock(\.isStopped))
    }
}
