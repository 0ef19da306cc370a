import ProctorBase

/// 1, 2, 3, from any thread.
final class Counting: Sendable {
    private let count = Locked(0)

    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}
