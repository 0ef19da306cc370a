#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// What the process inherits and an exam must not depend on.
enum Surroundings {
    private static let proxies = ["http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"]

    /// To be called first, while there is one thread: URLSession on Linux obeys the proxies of the environment.
    static func leave() {
        for name in proxies { unsafe unsetenv(name) }
        unsafe setenv("NO_PROXY", "*", 1)
        unsafe setenv("no_proxy", "*", 1)
        // A reader that went away shows as a failed write.
        _ = signal(SIGPIPE, SIG_IGN)
    }

    /// Makes one proxy that of this process for `http`; clients that don't read the environment take no notice.
    static func enter(proxy authority: String) {
        unsafe unsetenv("NO_PROXY")
        unsafe unsetenv("no_proxy")
        unsafe setenv("http_proxy", "http://\(authority)", 1)
    }

    /// Ends the process without waiting for anybody.
    static func end(_ code: Int32) -> Never { _exit(code) }
}
