public import ProctorBase

/// A fixed number of loops, each on its own thread.
public final class EventLoopGroup: Sendable {
    /// Never empty.
    public let loops: [EventLoop]
    private let turn = Locked(0)

    /// Starts the threads; a `count` below 1 counts as 1.
    ///
    /// When one can't be started, those before it are ended.
    public init(count: Int) throws(CallFailure) {
        var loops: [EventLoop] = []
        do throws(CallFailure) {
            for index in 0..<max(1, count) {
                loops.append(try EventLoop(name: "proctor-loop-\(index)"))
            }
        } catch {
            for loop in loops { loop.stop() }
            throw error
        }
        self.loops = loops
    }

    /// The loops by turn; for what belongs to one loop for its whole life.
    public func next() -> EventLoop {
        let index = turn.withLock { turn in
            defer { turn = (turn + 1) % loops.count }
            return turn
        }
        return loops[index]
    }

    /// Ends each thread once everything of its loop is closed; see ``EventLoop/stop()``.
    public func stop() {
        for loop in loops { loop.stop() }
    }

    /// Waits until all threads have ended after ``stop()``.
    public func ended() async {
        for loop in loops { await loop.ended() }
    }
}
