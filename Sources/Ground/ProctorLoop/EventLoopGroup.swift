package import ProctorBase

/// Loops that have a thread each.
package final class EventLoopGroup: Sendable {
    /// Never empty.
    package let loops: [EventLoop]
    private let turn = Locked(0)

    /// Starts the threads; a `count` below 1 counts as 1.
    ///
    /// If one cannot start, the earlier ones are ended.
    package init(count: Int, watchedBy watch: LoopWatch? = nil) throws(CallFailure) {
        var loops: [EventLoop] = []
        do throws(CallFailure) {
            for index in 0..<max(1, count) {
                loops.append(try EventLoop(name: "proctor-loop-\(index)", watchedBy: watch))
            }
        } catch {
            for loop in loops { loop.stop() }
            throw error
        }
        self.loops = loops
    }

    package func next() -> EventLoop {
        let index = turn.withLock { turn in
            defer { turn = (turn + 1) % loops.count }
            return turn
        }
        return loops[index]
    }

    /// Ends each thread when everything of its loop is closed; see ``EventLoop/stop()``.
    package func stop() {
        for loop in loops { loop.stop() }
    }

    /// Waits until all threads have ended after ``stop()``.
    package func ended() async {
        for loop in loops { await loop.ended() }
    }
}
