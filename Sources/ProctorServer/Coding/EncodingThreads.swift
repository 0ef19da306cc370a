internal import ProctorBase

/// A few threads for work that would block a loop too long; each ends when no job is left.
final class EncodingThreads: Sendable {
    /// Shared by all servers of the process, which share its cores.
    static let shared = EncodingThreads(mostThreads: 2)

    private let queue = Locked(Queue())

    private struct Queue {
        var jobs: [@Sendable () -> Void] = []
        var threadCount = 0
    }

    private let mostThreads: Int

    init(mostThreads: Int) {
        self.mostThreads = mostThreads
    }

    /// Runs the job as soon as a thread is free; where the system gives no thread, on the caller's thread at once.
    func add(_ job: @escaping @Sendable () -> Void) {
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

    /// Runs a job without blocking the caller's thread.
    func run<Result: Sendable>(_ job: @escaping @Sendable () -> Result) async -> Result {
        unsafe await withUnsafeContinuation { continuation in
            add { unsafe continuation.resume(returning: job()) }
        }
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
