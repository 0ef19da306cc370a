internal import ProctorBase
internal import ProctorLoop

/// A loop on a thread of its own, and the connections that the loads on it share.
///
/// Its owner calls ``end()``, or keeps it as long as the process.
final class LoadingThread: Sendable {
    let loop: EventLoop
    let pool: ConnectionPool
    /// Closes connections that idle; over when the pool is closed.
    private let tending: Task<Void, Never>

    init(name: String) throws(CallFailure) {
        let loop = try EventLoop(name: name)
        let pool = ConnectionPool(on: loop)
        self.loop = loop
        self.pool = pool
        tending = Task(executorPreference: loop) { await pool.tend() }
    }

    /// Closes every connection, fails what is still under way, and ends the thread; from any thread.
    func end() {
        loop.submit { [pool] in pool.close() }
        loop.stop()
    }

    /// Waits until the thread has ended after ``end()``.
    func ended() async {
        await tending.value
        await loop.ended()
    }
}
