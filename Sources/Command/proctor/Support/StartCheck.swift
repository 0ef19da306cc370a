internal import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Checks, before any task waits, that the process has the memory and threads that it needs.
///
/// A Swift runtime that gets no thread for its tasks asks for one again and again, so that a start with a limit of
/// memory or processes would hang without a message.
enum StartCheck {
    /// Memory needed after the start: fixtures, thread stacks, and the allocator's reserve.
    private static let neededByteCount = 96 << 20
    /// The threads of the runtime, of a loop, and of the fixture loader.
    private static let neededThreadCount = 4

    /// The descriptors of the first loop and of a server's first port; libuv ends a process that has none for its signals.
    private static let neededFileCount = 12

    /// A sentence with the problem and what to do; nil when there is none.
    static func trouble() -> String? {
        addressSpaceTrouble() ?? fileTrouble() ?? threadTrouble()
    }

    private static func fileTrouble() -> String? {
        var descriptors: [Int32] = []
        defer { for descriptor in descriptors { close(descriptor) } }
        while descriptors.count < neededFileCount {
            let descriptor = FileCalls.open("/dev/null", O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else {
                let failure = CallFailure.system("open")
                return
                    "this process can open \(descriptors.count) files more, and \(neededFileCount) are needed at least "
                    + "(\(failure.text)); raise the limit (ulimit -n)"
            }
            descriptors.append(descriptor)
        }
        return nil
    }

    private static func addressSpaceTrouble() -> String? {
        var limit = rlimit()
        #if canImport(Darwin)
            let resource = RLIMIT_AS
        #else
            let resource = __rlimit_resource_t(RLIMIT_AS.rawValue)
        #endif
        guard unsafe getrlimit(resource, &limit) == 0, limit.rlim_cur != .max, limit.rlim_cur < 1 << 40 else {
            return nil
        }
        let needed = usedByteCount + neededByteCount
        guard Int(limit.rlim_cur) < needed else { return nil }
        return
            "the address space of this process is limited to \(Int(limit.rlim_cur) >> 20) MiB, and \(needed >> 20) MiB "
            + "are needed at least; raise the limit (ulimit -v)"
    }

    private static var usedByteCount: Int {
        guard let text = try? InputFile.bytes(of: "/proc/self/statm") else { return 0 }
        let pages = text.prefix(while: \.isASCIIDigit).reduce(0) { $0 * 10 + Int($1) - 0x30 }
        return pages * Int(getpagesize())
    }

    /// Starts all threads at the same time, as the server does.
    private static func threadTrouble() -> String? {
        let gate = Locked(0)
        var threads: [WorkerThread] = []
        gate.withLock { _ in
            for _ in 0..<neededThreadCount {
                guard let thread = WorkerThread({ gate.withLock { $0 += 1 } }) else { break }
                threads.append(thread)
            }
        }
        for thread in threads { thread.join() }
        guard threads.count < neededThreadCount else { return nil }
        return
            "the system gives this process \(threads.count) threads, and \(neededThreadCount) are needed at least; raise "
            + "the limit of processes or of memory (ulimit -u, ulimit -v, or pids.max and memory.max of its cgroup)"
    }
}

/// The limit of file descriptors; many clients need more than the usual 1024 or 256.
enum DescriptorLimit {
    /// Raises the soft limit to the hard one; an error leaves the limit unchanged.
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
