#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The most memory that this process may have, by its cgroup and by its own limits (`ulimit -v`, `ulimit -d`).
package enum MemoryBound {
    /// nil where nothing bounds it; read once, at the first use.
    package static let byteCount: Int? = (ofProcess + ofControlGroups).compactMap(\.self).min()

    /// The bound of something that may be held at a time: `usual`, or an eighth of the memory where that is less.
    package static func share(of usual: Int) -> Int { min(usual, (byteCount ?? .max) / 8) }

    #if canImport(Darwin)
        private static let ownLimits = [RLIMIT_AS, RLIMIT_DATA]
    #else
        private static let ownLimits = [
            __rlimit_resource_t(RLIMIT_AS.rawValue), __rlimit_resource_t(RLIMIT_DATA.rawValue),
        ]
    #endif

    private static var ofProcess: [Int?] {
        ownLimits.map { resource in
            var limit = rlimit()
            guard unsafe getrlimit(resource, &limit) == 0 else { return nil }
            return bound(UInt64(limit.rlim_cur))
        }
    }

    /// Beyond 2⁵⁰ bytes it is none, which each system spells in another way.
    private static func bound(_ byteCount: UInt64) -> Int? { byteCount < 1 << 50 ? Int(byteCount) : nil }

    /// The bounds of the control groups of both versions; a container sees its own group at the top.
    private static var ofControlGroups: [Int?] {
        guard let text = SystemFile.text(of: "/proc/self/cgroup") else { return [] }
        var paths = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"]
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { continue }
            if parts[0] == "0" { paths.append("/sys/fs/cgroup\(parts[2])/memory.max") }
            if parts[1].split(separator: ",").contains("memory") {
                paths.append("/sys/fs/cgroup/memory\(parts[2])/memory.limit_in_bytes")
            }
        }
        return paths.map { path in SystemFile.text(of: path).flatMap { UInt64($0) }.flatMap(bound) }
    }
}
