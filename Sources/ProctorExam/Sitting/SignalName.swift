#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The names of signals that end processes.
enum SignalName {
    private static let names: [(number: Int32, name: String)] = [
        (SIGILL, "SIGILL"), (SIGTRAP, "SIGTRAP"), (SIGABRT, "SIGABRT"), (SIGBUS, "SIGBUS"), (SIGFPE, "SIGFPE"),
        (SIGSEGV, "SIGSEGV"), (SIGKILL, "SIGKILL"), (SIGTERM, "SIGTERM"), (SIGPIPE, "SIGPIPE"), (SIGHUP, "SIGHUP"),
        (SIGINT, "SIGINT"), (SIGQUIT, "SIGQUIT"), (SIGSYS, "SIGSYS"), (SIGXCPU, "SIGXCPU"), (SIGALRM, "SIGALRM"),
    ]

    /// `SIGTRAP`, or `signal 63` for one without a name here.
    static func name(of signal: Int32) -> String {
        names.first { $0.number == signal }?.name ?? "signal \(signal)"
    }
}
