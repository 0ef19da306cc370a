#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Environment variables and signal actions that the process inherits, and on which an exam must not depend.
enum Surroundings {
    private static let proxies = ["http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"]

    static var takesManyAssignments: Bool {
        unsafe getenv("PROCTOR_ASSIGNMENTS").map { unsafe String(cString: $0) } == "many"
    }

    /// Call it first, while the process has one thread: URLSession on Linux uses the proxies in the environment.
    static func clear() {
        for name in proxies { unsafe unsetenv(name) }
        unsafe setenv("NO_PROXY", "*", 1)
        unsafe setenv("no_proxy", "*", 1)
        // When the reader of the pipe has closed it, the write fails instead of ending this process.
        _ = signal(SIGPIPE, SIG_IGN)
    }

    /// Sets one proxy in the environment of this process; clients that do not read the environment ignore it.
    ///
    /// Loopback is a range of addresses (RFC 6890 §2.2.2), which libcurl understands since 7.86; for older versions the
    /// first address is written too.
    static func enter(proxy authority: String, exceptLoopback: Bool) {
        unsafe unsetenv("NO_PROXY")
        unsafe unsetenv("no_proxy")
        for name in ["http_proxy", "https_proxy"] { unsafe setenv(name, "http://\(authority)", 1) }
        if exceptLoopback { unsafe setenv("no_proxy", "127.0.0.1,127.0.0.0/8,::1,[::1]", 1) }
    }

    static func endProcess(_ code: Int32) -> Never { _exit(code) }
}
