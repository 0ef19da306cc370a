internal import ProctorBase
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
