#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

extension MonotonicClock {
    /// Identifies the zero of ``nanoseconds``; nil if the system does not report it.
    ///
    /// The value is equal in all processes that share the clock, and changes when the system restarts.
    ///
    /// A simulator has the identity of its Mac, a container that of its host.
    package static let identity: String? = {
        #if canImport(Darwin)
            return systemText("kern.bootsessionuuid")
        #else
            guard let boot = SystemFile.text(of: "/proc/sys/kernel/random/boot_id") else { return nil }
            // A process in a time namespace has another clock (time_namespaces(7)).
            return SystemFile.target(ofLink: "/proc/self/ns/time").map { "\(boot) \($0)" } ?? boot
        #endif
    }()

    #if canImport(Darwin)
        private static func systemText(_ name: String) -> String? {
            var bytes = [UInt8](repeating: 0, count: 128)
            var count = bytes.count
            guard unsafe sysctlbyname(name, &bytes, &count, nil, 0) == 0 else { return nil }
            let text = String(decoding: bytes.prefix(count).prefix { $0 != 0 }, as: UTF8.self)
            return text.isEmpty ? nil : text
        }
    #endif
}
