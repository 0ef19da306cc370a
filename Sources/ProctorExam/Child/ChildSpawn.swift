import ProctorBase

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Starts a program in a process group of its own, with the given descriptors as its standard streams.
enum ChildSpawn {
    /// The process id, which is also that of its group.
    static func start(
        _ command: [String], environment: [String: String], streams: [Int32]
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
        // A child must not inherit what we ignore, nor a mask.
        var defaults = sigset_t()
        unsafe sigfillset(&defaults)
        unsafe posix_spawnattr_setsigdefault(&attributes, &defaults)
        var mask = sigset_t()
        unsafe sigemptyset(&mask)
        unsafe posix_spawnattr_setsigmask(&attributes, &mask)
        unsafe posix_spawnattr_setpgroup(&attributes, 0)
        let flags = Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETPGROUP)
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
