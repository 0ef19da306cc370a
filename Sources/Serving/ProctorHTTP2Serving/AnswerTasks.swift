internal import ProctorServing

/// The answers of one connection that need a task each, and how many tasks run; on the loop's thread only.
struct AnswerTasks {
    /// Answers that no task has taken.
    private(set) var starting: [Starting] = []
    /// The first of them, whose tasks have not run yet.
    private var begunCount = 0
    /// Tasks of answers and of output that have not ended.
    var runningCount = 0

    struct Starting {
        let stream: MultiplexedStream
        let rest: WaitingAnswer<MultiplexedStream>
    }

    /// Hands the connection to its tasks.
    final class Holder {
        var connection: HTTP2Connection?
    }

    /// Whether an answer waits for its task to begin.
    var hasNew: Bool { starting.count > begunCount }

    mutating func add(_ answer: Starting) { starting.append(answer) }

    /// Returns how many tasks the caller has to begin.
    mutating func beginAll() -> Int {
        let count = starting.count - begunCount
        begunCount = starting.count
        runningCount += count
        return count
    }

    /// The answer of a task that runs now, which is the oldest one.
    mutating func takeNext() -> Starting {
        begunCount -= 1
        return starting.removeFirst()
    }

    /// Gives back what is not needed while the connection waits.
    mutating func trim() { starting = [] }
}
