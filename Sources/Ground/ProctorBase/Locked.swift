#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A value behind a pthread mutex; the only lock of the project apart from ``Monitor``, on which threads can wait.
///
/// ThreadSanitizer does not know `Synchronization.Mutex` on Linux, which uses a futex directly, and would report every
/// use as a race. A critical section has a few lines, no `await`, and calls no code of other types. ThreadSanitizer
/// also reports a lock of an empty value (`Locked(())`): it sees access to a value of zero bytes as access to the
/// object's header.
@safe @usableFromInline package final class Locked<Value>: @unchecked Sendable {
    @usableFromInline let mutex: PthreadMutex
    @usableFromInline var value: Value

    /// The caller may keep no other reference to what the value holds.
    package init(_ value: sending Value) {
        self.value = value
        mutex = PthreadMutex()
    }

    deinit { mutex.destroy() }

    /// Runs `body` with the lock held; not reentrant.
    // Inlinable so that the compiler specialises the function in other modules: a request calls it several times.
    @inlinable package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        mutex.lock()
        defer { mutex.unlock() }
        return try body(&value)
    }
}

/// A pthread mutex at a fixed address; its owner calls ``destroy()``.
///
/// On glibc a thread that finds the mutex locked spins for a moment before it sleeps: critical sections are shorter
/// than a context switch.
@safe @usableFromInline struct PthreadMutex {
    @usableFromInline let address: UnsafeMutableRawPointer

    init() {
        let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        unsafe mutex.initialize(to: pthread_mutex_t())
        #if canImport(Glibc)
            var attributes = pthread_mutexattr_t()
            unsafe pthread_mutexattr_init(&attributes)
            unsafe pthread_mutexattr_settype(&attributes, CInt(PTHREAD_MUTEX_ADAPTIVE_NP))
            unsafe pthread_mutex_init(mutex, &attributes)
            unsafe pthread_mutexattr_destroy(&attributes)
        #else
            unsafe pthread_mutex_init(mutex, nil)
        #endif
        unsafe address = UnsafeMutableRawPointer(mutex)
    }

    private var mutex: UnsafeMutablePointer<pthread_mutex_t> {
        unsafe address.assumingMemoryBound(to: pthread_mutex_t.self)
    }

    @usableFromInline func lock() { unsafe pthread_mutex_lock(mutex) }

    @usableFromInline func unlock() { unsafe pthread_mutex_unlock(mutex) }

    func destroy() {
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }
}
