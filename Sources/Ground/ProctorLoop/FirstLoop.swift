internal import CUV
internal import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The first `uv_loop_init` of the process, in which libuv makes a pipe for signals, and calls `abort` where the system
/// gives it none (`uv__signal_global_init`).
///
/// A pipe is tried before, so that a failure can be thrown. Another thread or process may take the descriptors in the
/// moment between; then the process ends with a sentence and exit code 1, and not by SIGABRT.
enum FirstLoop {
    private static let hasSignals = Locked(false)

    /// `uv_loop_init` for any loop; from any thread.
    static func initialise(_ loop: UnsafeMutablePointer<uv_loop_t>) throws(CallFailure) {
        let (code, failure) = hasSignals.withLock { hasSignals -> (Int32, CallFailure?) in
            if hasSignals { return (unsafe uv_loop_init(loop), nil) }
            if let failure = failureOfPipe() { return (0, failure) }
            let former = signal(SIGABRT, endWithSentence)
            let code = unsafe uv_loop_init(loop)
            _ = signal(SIGABRT, former)
            hasSignals = true
            return (code, nil)
        }
        if let failure { throw failure }
        try check(code, "uv_loop_init")
    }

    private static func failureOfPipe() -> CallFailure? {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return .system("pipe") }
        for end in ends { close(end) }
        return nil
    }
}

/// The handler of SIGABRT for the time of the call: it may only use what is safe in a handler (POSIX 2.4.3).
private func endWithSentence(_ signal: Int32) {
    let text: StaticString =
        "proctor: the system has no file descriptors left for libuv's pipe; close other programs, or raise the limit (ulimit -n)\n"
    _ = unsafe write(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount)
    _exit(1)
}
