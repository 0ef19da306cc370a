#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A value behind a pthread mutex; the only lock of the project.
///
/// ThreadSanitizer does not know `Synchronization.Mutex` on Linux, a futex of its own, and would report every use as a
/// race. A critical section is a few lines, has no `await` and calls no other code. ThreadSanitizer also reports a lock
/// of an empty value (`Locked(())`): access to a value without bytes counts as access to the object's header.
@safe package final class Locked<Value>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private var value: Value

    /// The caller may keep no other reference to what the value holds.
    package init(_ value: sending Value) {
        self.value = value
        unsafe mutex = .allocate(capacity: 1)
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe pthread_mutex_init(mutex, nil)
    }

    deinit {
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }

    /// Runs `body` with the lock held; not reentrant.
    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
