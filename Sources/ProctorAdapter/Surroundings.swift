#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// What the process inherits and an exam must not depend on.
enum Surroundings {
    private static let proxies = ["http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"]

    /// Whether the examiner gives one process one assignment after the other.
    static var takesManyAssignments: Bool {
        unsafe getenv("PROCTOR_ASSIGNMENTS").map { unsafe String(cString: $0) } == "many"
    }

    /// To be called first, while there is one thread: URLSession on Linux obeys the proxies of the environment.
    static func leave() {
        for name in proxies { unsafe unsetenv(name) }
        unsafe setenv("NO_PROXY", "*", 1)
        unsafe setenv("no_proxy", "*", 1)
        // A reader that went away shows as a failed write.
        _ = signal(SIGPIPE, SIG_IGN)
    }

    /// Makes one proxy that of this process; clients that don't read the environment take no notice.
    ///
    /// Loopback is a range of addresses (RFC 6890 §2.2.2), which libcurl understands from 7.86 on; the first address is
    /// spelt out for those before.
    static func enter(proxy authority: String, exceptLoopback: Bool) {
        unsafe unsetenv("NO_PROXY")
        unsafe unsetenv("no_proxy")
        for name in ["http_proxy", "https_proxy"] { unsafe setenv(name, "http://\(authority)", 1) }
        if exceptLoopback { unsafe setenv("no_proxy", "127.0.0.1,127.0.0.0/8,::1,[::1]", 1) }
    }

    /// Ends the process without waiting for anybody.
    static func end(_ code: Int32) -> Never { _exit(code) }
}
