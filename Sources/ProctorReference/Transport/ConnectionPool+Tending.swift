internal import ProctorBase
internal import ProctorLoop

extension ConnectionPool {
    /// Closes connections that idle for too long or that their peer left, until ``close()``.
    ///
    /// Runs once, as a task of the pool's loop; cancelling it closes the pool.
    func tend() async {
        loop.preconditionOnLoop()
        guard !isClosed else { return }
        tending.begin(with: connections)
        await withTaskCancellationHandler {
            await withDiscardingTaskGroup { group in
                while let connection = await nextNewcomer() {
                    group.addTask { await self.watch(connection) }
                }
            }
        } onCancel: {
            loop.submit { self.close() }
        }
    }

    private func nextNewcomer() async -> PooledConnection? {
        while !isClosed {
            if let connection = tending.takeNewcomer() { return connection }
            unsafe await withUnsafeContinuation { unsafe tending.wait($0) }
        }
        return nil
    }

    /// One child task for the life of a connection, so that exchanges cost nothing.
    private func watch(_ connection: PooledConnection) async {
        let socket = connection.socket
        while !socket.isClosed {
            do throws(SocketError) {
                try await socket.waitUntilPeerLeaves(within: timeLeft(to: connection))
                connection.hasPeerLeft = true
                if connection.isIdle { discard(connection) }
                return
            } catch {
                guard error == .timedOut else { return }
                if connection.isIdle, timeLeft(to: connection) == 0 { discard(connection) }
            }
        }
    }

    /// What a connection may still idle; in use it has all the time there is.
    private func timeLeft(to connection: PooledConnection) -> UInt64 {
        let idleTime = limits.idleTime.wholeNanoseconds
        guard let start = connection.idleSince else { return idleTime }
        let passed = MonotonicClock.nanoseconds &- start
        return passed < idleTime ? idleTime - passed : 0
    }

    /// New connections on their way to the task that tends them.
    @safe struct Tending {
        private var isUnderWay = false
        private var newcomers: [PooledConnection] = []
        private var waiter: UnsafeContinuation<Void, Never>?

        mutating func begin(with connections: [PooledConnection]) {
            precondition(!isUnderWay, "a pool is tended by two tasks")
            isUnderWay = true
            newcomers = connections
        }

        mutating func welcome(_ connection: PooledConnection) {
            guard isUnderWay else { return }
            newcomers.append(connection)
            wake()
        }

        mutating func takeNewcomer() -> PooledConnection? { newcomers.popLast() }

        mutating func wait(_ continuation: UnsafeContinuation<Void, Never>) {
            unsafe waiter = continuation
        }

        mutating func end() {
            newcomers = []
            wake()
        }

        private mutating func wake() {
            guard let continuation = unsafe waiter else { return }
            unsafe waiter = nil
            unsafe continuation.resume()
        }
    }
}
