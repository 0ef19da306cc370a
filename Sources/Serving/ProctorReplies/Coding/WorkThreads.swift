package import ProctorBase

/// A few threads for work that would block a loop too long; each ends when no job is left.
///
/// The server runs nothing in the pool that a process shares: in a test process hundreds of tests wait in it, and a
/// reply would wait behind them. Shared by all servers of the process, which share its cores.
package final class WorkThreads: TaskExecutor {
    /// For content codings, and for giving memory back.
    static let encoding = WorkThreads(mostThreads: 2)
    /// For requests that take long to compare with patterns; one, so that a loop has a processor beside it.
    package static let matching = WorkThreads(mostThreads: 1)
    private let queue = Locked(Queue())

    private struct Queue {
        var jobs: [@Sendable () -> Void] = []
        var threadCount = 0
    }

    private let mostThreads: Int

    package init(mostThreads: Int) {
        self.mostThreads = mostThreads
    }

    /// Runs the job as soon as a thread is free; where the system gives no thread, on the caller's thread at once.
    package func add(within bounds: WorkBounds, _ job: @escaping @Sendable (WorkBudget) -> Void) {
        add { job(bounds.budget()) }
    }

    private func add(_ job: @escaping @Sendable () -> Void) {
        let needsThread = queue.withLock { queue in
            queue.jobs.append(job)
            guard queue.threadCount < mostThreads else { return false }
            queue.threadCount += 1
            return true
        }
        guard needsThread else { return }
        guard let thread = WorkerThread({ self.work() }) else { return work() }
        thread.detach()
    }

    /// For tasks that prefer these threads, whose steps are short.
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        add { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// Runs a job without blocking the caller's thread.
    ///
    /// The time of its budget starts with the job.
    package func run<Result: Sendable>(
        within bounds: WorkBounds, _ job: @escaping @Sendable (WorkBudget) -> Result
    ) async -> Result {
        unsafe await withUnsafeContinuation { continuation in
            add { unsafe continuation.resume(returning: job(bounds.budget())) }
        }
    }

    /// Runs a job that may fail, without blocking the caller's thread.
    package func attempt<Value: Sendable, Failure: Error>(
        within bounds: WorkBounds, _ job: @escaping @Sendable (WorkBudget) throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try await run(within: bounds) { budget in
            Result { () throws(Failure) in try job(budget) }
        }.get()
    }

    private func work() {
        while let job = next() { job() }
    }

    private func next() -> (@Sendable () -> Void)? {
        queue.withLock { queue in
            guard queue.jobs.isEmpty else { return queue.jobs.removeFirst() }
            queue.threadCount -= 1
            return nil
        }
    }
}
