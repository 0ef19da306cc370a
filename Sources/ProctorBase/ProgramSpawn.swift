#if canImport(Darwin)
    package import Darwin
#else
    package import Glibc
#endif

/// Starts programs that do not inherit what this process ignores or blocks.
package enum ProgramSpawn {
    /// Looks the program up in PATH where it has no slash; `command` is never empty, nothing of our environment is kept.
    ///
    /// `streams` become the standard streams, in their order; those that are not given are ours. `signals` get their
    /// default action. With a group of its own the process id is also the group's.
    package static func start(
        _ command: [String], environment: [String: String], streams: [Int32] = [], defaulting signals: sigset_t,
        ownGroup: Bool = false
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
        unsafe posix_spawnattr_setflags(&attributes, flags)

        var pid = pid_t()
        let variables = environment.map { "\($0.key)=\($0.value)" }
        let code = unsafe CStringVector.lend(command) { arguments in
            unsafe CStringVector.lend(variables) { variables in
                unsafe posix_spawnp(&pid, command[0], &actions, &attributes, arguments, variables)
            }
        }
        guard code == 0 else { throw .system("run \(command[0])", code: code) }
        return pid
    }
}

/// How a process ended, from what `wait` says; WIFEXITED and its kin are macros that Swift does not see.
package enum ProcessEnd {
    case exited(Int32)
    case signalled(Int32)

    /// Of a process that is over, not of one that stopped.
    package init(waitStatus status: Int32) {
        let signal = status & 0x7F
        self = signal == 0 ? .exited(status >> 8 & 0xFF) : .signalled(signal)
    }
}

/// Texts as the vectors that `exec` and its kin take.
package enum CStringVector {
    /// Lends the texts as a vector that ends in NULL, for the time of `body`.
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
