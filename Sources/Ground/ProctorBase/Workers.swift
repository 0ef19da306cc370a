#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Runs independent work on several threads, which end before the call returns.
package enum Workers {
    /// The number of items that a thread takes at a time; further threads are started only for more items.
    private static let batchSize = 128
    private static let mostThreads = 8

    /// The results in the order of the items; `transform` runs on several threads.
    package static func map<Item: Sendable, Result: Sendable>(
        _ items: [Item], _ transform: @escaping @Sendable (Item) -> Result
    ) -> [Result] {
        let batches = (items.count + batchSize - 1) / batchSize
        let next = Locked(0)
        let finished = Locked<[Int: [Result]]>([:])
        let work: @Sendable () -> Void = {
            while true {
                let batch = next.withLock { next in
                    defer { next += 1 }
                    return next
                }
                guard batch < batches else { return }
                let range = batch * batchSize..<min((batch + 1) * batchSize, items.count)
                let results = items[range].map(transform)
                finished.withLock { $0[batch] = results }
            }
        }
        let helpers = max(0, min(processorCount, mostThreads, batches) - 1)
        let threads = (0..<helpers).compactMap { _ in WorkerThread(work) }
        work()
        for thread in threads { thread.join() }
        return finished.withLock { finished in (0..<batches).flatMap { finished[$0] ?? [] } }
    }

    private static var processorCount: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }
}
