#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// How many descriptors the process may have; a crowd of clients wants more than the usual 1024 or 256.
enum DescriptorLimit {
    /// Raises the soft limit to the hard one, as far as the system allows; what can't be raised stays.
    static func raise() {
        var limit = rlimit()
        #if canImport(Darwin)
            let resource = RLIMIT_NOFILE
        #else
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #endif
        guard unsafe getrlimit(resource, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
        let before = limit.rlim_cur
        limit.rlim_cur = limit.rlim_max
        #if canImport(Darwin)
            // Beyond OPEN_MAX the call fails as a whole there.
            limit.rlim_cur = max(before, min(limit.rlim_max, rlim_t(OPEN_MAX)))
        #endif
        guard limit.rlim_cur > before else { return }
        unsafe setrlimit(resource, &limit)
    }
}
