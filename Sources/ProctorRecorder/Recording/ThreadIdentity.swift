#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// What tells threads apart while they live; names of threads are inherited and say nothing.
enum ThreadIdentity {
    static var current: UInt {
        #if canImport(Darwin)
            unsafe UInt(bitPattern: pthread_self())
        #else
            UInt(pthread_self())
        #endif
    }
}
