#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A value behind a lock, with a condition on which threads can block; never for code on a loop's thread.
///
/// Critical sections are as short as those of ``Locked``. Code that makes a change for which another thread waits calls
/// ``wakeAll()`` after the change, without the lock.
@safe package final class Monitor<Value: ~Copyable>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private var value: Value

    /// What a waiting thread does after it has read the value.
    package enum Look<Result> {
        case done(Result)
        /// Waits for ``wakeAll()``, or until a moment of ``MonotonicClock`` in nanoseconds, and looks again; it may
        /// look earlier.
        case wait(until: UInt64? = nil)
    }

    /// The caller may keep no other reference to what the value holds.
    package init(_ value: consuming sending Value) {
        self.value = value
        unsafe mutex = .allocate(capacity: 1)
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe pthread_mutex_init(mutex, nil)
        unsafe condition = .allocate(capacity: 1)
        unsafe condition.initialize(to: pthread_cond_t())
        #if canImport(Darwin)
            unsafe pthread_cond_init(condition, nil)
        #else
            var attributes = pthread_condattr_t()
            unsafe pthread_condattr_init(&attributes)
            unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
            unsafe pthread_cond_init(condition, &attributes)
            unsafe pthread_condattr_destroy(&attributes)
        #endif
    }

    deinit {
        unsafe pthread_cond_destroy(condition)
        unsafe condition.deallocate()
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }

    /// Runs `body` with the lock held; not reentrant.
    package func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return body(&value)
    }

    /// Blocks the thread until `look` returns `done`; `look` runs with the lock held.
    package func wait<Result>(_ look: (inout Value) -> Look<Result>) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while true {
            switch look(&value) {
            case .done(let result): return result
            case .wait(nil): unsafe pthread_cond_wait(condition, mutex)
            case .wait(let moment?): wait(until: moment)
            }
        }
    }

    /// Makes all waiting threads look at the value again.
    package func wakeAll() { unsafe pthread_cond_broadcast(condition) }

    private func wait(until moment: UInt64) {
        #if canImport(Darwin)
            let now = MonotonicClock.nanoseconds
            guard now < moment else { return }
            var rest = Self.time(moment - now)
            unsafe pthread_cond_timedwait_relative_np(condition, mutex, &rest)
        #else
            var time = Self.time(moment)
            unsafe pthread_cond_timedwait(condition, mutex, &time)
        #endif
    }

    private static func time(_ nanoseconds: UInt64) -> timespec {
        timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    }
}
