#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Which signals the threads of this process receive.
enum SignalMask {
    /// Unblocks all signals in this thread, and so in those that it starts.
    ///
    /// A process inherits what its parent's thread has blocked, which is nearly every signal where a task of Swift starts it by
    /// Foundation: without SIGCHLD no end of a child is seen, and without SIGTERM a server does not stop.
    static func unblockAll() {
        var none = sigset_t()
        _ = unsafe sigemptyset(&none)
        _ = unsafe pthread_sigmask(SIG_SETMASK, &none, nil)
    }
}
