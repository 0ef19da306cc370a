#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A value behind a pthread mutex; the only lock of the project.
///
/// `Synchronization.Mutex` is a futex of its own on Linux and ThreadSanitizer cannot see it, so that every use would be
/// reported as a race. A critical section is a few lines, never holds an `await` and never calls out.
@safe public final class Locked<Value>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private var value: Value

    /// Takes the value over; the caller may keep no other reference to what it holds.
    public init(_ value: sending Value) {
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
    public func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
