internal import CUV

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The calling thread's pthread as a number that can be compared.
func currentThread() -> UInt {
    #if canImport(Darwin)
        unsafe UInt(bitPattern: pthread_self())
    #else
        UInt(pthread_self())
    #endif
}

/// Proctor lives in other people's processes, so a write to a closed peer must never raise SIGPIPE.
func blockBrokenPipeSignal() {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGPIPE)
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
}

func nameCurrentThread(_ name: String) {
    #if canImport(Darwin)
        unsafe _ = pthread_setname_np(name)
    #else
        // 15 bytes and NUL is all that Linux takes.
        unsafe _ = pthread_setname_np(pthread_self(), String(name.prefix(15)))
    #endif
}
