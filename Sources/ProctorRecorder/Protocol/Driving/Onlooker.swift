internal import Dispatch
internal import Foundation
internal import ProctorBase

/// A thread that looks after another one: feels its pulse, and knows when the time is over.
final class Onlooker: Sendable {
    private let heart: Heart
    private let deadline: UInt64
    private let isOver = DispatchSemaphore(value: 0)

    private static var interval: DispatchTimeInterval { .milliseconds(20) }

    init(heart: Heart, deadline: Duration) {
        self.heart = heart
        self.deadline = MonotonicClock.nanoseconds &+ deadline.wholeNanoseconds
    }

    /// Looks on until ``end()`` or the deadline; both functions are called on its thread, `late` at most once.
    func start(silence: @escaping @Sendable (Int) -> Void, late: @escaping @Sendable () -> Void) {
        Thread.detachNewThread {
            while self.isOver.wait(timeout: .now() + Self.interval) == .timedOut {
                for milliseconds in self.heart.look() { silence(milliseconds) }
                guard MonotonicClock.nanoseconds < self.deadline else { return late() }
            }
        }
    }

    /// From any thread, any number of times.
    func end() { isOver.signal() }
}
