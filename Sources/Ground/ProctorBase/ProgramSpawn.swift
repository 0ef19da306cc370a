#if canImport(Darwin)
    package import Darwin
#else
    package import Glibc
#endif

/// Starts programs that do not inherit the signals that this process ignores or blocks.
package enum ProgramSpawn {
    private struct Started {
        /// Ids of started processes that are not known to be reaped.
        var ids: Set<pid_t> = []
        var isOver = false
    }

    private static let started = Locked(Started())

    /// Runs `body` with the ids of all processes that ``forget(_:)`` was not called for; no program starts meanwhile.
    package static func withStarted<Value>(_ body: (Set<pid_t>) -> Value) -> Value { started.withLock { body($0.ids) } }

    /// Records that a process was reaped: the system may give its id to another process.
    package static func forget(_ id: pid_t) { started.withLock { _ = $0.ids.remove(id) } }

    /// Kills all programs that have a process group of their own, and refuses to start others: for a process about to
    /// end.
    package static func endAll() {
        started.withLock { started in
            started.isOver = true
            for id in started.ids { kill(-id, SIGKILL) }
        }
    }

    /// Starts a program; its caller reaps it and then calls ``forget(_:)``.
    ///
    /// A name without a slash is searched in the PATH of this process, whatever `environment` says. `command` is never
    /// empty. The program gets only the given environment.
    ///
    /// `streams` become the standard streams in their order; the program inherits ours for those that are missing.
    /// `signals` get their default action. With a process group of its own, the program's process id is also the
    /// group's id. On Linux the program inherits other descriptors without close-on-exec, unless `closesOthers`. On
    /// Darwin it inherits none: a descriptor cannot be created with close-on-exec in one call there, so the program
    /// could inherit one that another thread has just created.
    package static func start(
        _ command: [String], environment: [String: String], streams: [Int32] = [], defaulting signals: sigset_t,
        ownGroup: Bool = false, closesOthers: Bool = false
    ) throws(CallFailure) -> pid_t {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #else
            var actions = unsafe posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #endif
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        for (stream, descriptor) in streams.enumerated() {
            unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(stream))
        }
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var defaults = signals
        unsafe posix_spawnattr_setsigdefault(&attributes, &defaults)
        var mask = sigset_t()
        unsafe sigemptyset(&mask)
        unsafe posix_spawnattr_setsigmask(&attributes, &mask)
        var flags = Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK)
        if ownGroup {
            unsafe posix_spawnattr_setpgroup(&attributes, 0)
            flags |= Int16(POSIX_SPAWN_SETPGROUP)
        }
        #if canImport(Darwin)
            flags |= Int16(POSIX_SPAWN_CLOEXEC_DEFAULT)
            for stream in Int32(streams.count)..<max(3, Int32(streams.count)) {
                unsafe posix_spawn_file_actions_addinherit_np(&actions, stream)
            }
        #else
            if closesOthers { unsafe closeOthers(&actions, from: Int32(streams.count)) }
        #endif
        unsafe posix_spawnattr_setflags(&attributes, flags)

        var pid = pid_t()
        let variables = environment.map { "\($0.key)=\($0.value)" }
        let code = unsafe CStringVector.lend(command) { arguments in
            unsafe CStringVector.lend(variables) { variables in
                // Under one lock, so that a search for leftover processes does not find the new child.
                started.withLock { started in
                    guard !started.isOver else { return ECANCELED }
                    let code = unsafe posix_spawnp(&pid, command[0], &actions, &attributes, arguments, variables)
                    if code == 0 { started.ids.insert(pid) }
                    return code
                }
            }
        }
        guard code == 0 else { throw .system("run \(command[0])", code: code) }
        return pid
    }

    #if !canImport(Darwin)
        /// glibc has the call since 2.34, but Swift's importer does not import it.
        private static func closeOthers(
            _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t>, from lowest: Int32
        ) {
            typealias Call = @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32
            guard let symbol = unsafe dlsym(nil, "posix_spawn_file_actions_addclosefrom_np") else { return }
            _ = unsafe unsafeBitCast(symbol, to: Call.self)(actions, lowest)
        }
    #endif
}

/// How a process ended, from a status of `wait`; Swift does not import WIFEXITED and its like.
package enum ProcessEnd {
    case exited(Int32)
    case signalled(Int32)

    /// `status` is that of a process that has ended, not of a stopped one.
    package init(waitStatus status: Int32) {
        let signal = status & 0x7F
        self = signal == 0 ? .exited(status >> 8 & 0xFF) : .signalled(signal)
    }
}

/// Strings as the vectors of C strings that `exec` takes.
package enum CStringVector {
    /// The vector ends in NULL and is valid while `body` runs.
    package static func lend<Result>(
        _ texts: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        var vector: [UnsafeMutablePointer<CChar>?] = unsafe texts.map { unsafe strdup($0) }
        unsafe vector.append(nil)
        defer { while let pointer = unsafe vector.popLast() { unsafe free(pointer) } }
        // The array is never empty, so it has a buffer.
        return unsafe vector.withUnsafeMutableBufferPointer { buffer in
            unsafe body(UnsafePointer(buffer.baseAddress.unsafelyUnwrapped))
        }
    }
}
