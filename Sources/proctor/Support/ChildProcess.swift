internal import ProctorBase
internal import ProctorServer

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A command run as a child with our streams; it gets the terminal's signals itself.
struct ChildProcess {
    let command: [String]
    let environment: [String: String]

    /// How the child ended.
    enum Outcome {
        case notStarted(CallFailure)
        case exited(Int32)
        case signalled(Int32)

        /// As the end of a sentence.
        var phrase: String {
            switch self {
            case .notStarted(let failure): "could not be run: \(failure.text)"
            case .exited(0): "exited with 0"
            case .exited(let code): "exited with \(code)"
            case .signalled(let signal): "was ended by signal \(signal)"
            }
        }
    }

    /// Starts the child and waits for its end, without blocking a thread.
    func run(on server: Server) async throws -> Outcome {
        // Caught before the child exists, so that its end can't be missed.
        let signals = try await server.signals([SIGCHLD])
        let outcome = await waitForEnd(signals)
        await signals.close()
        return outcome
    }

    private func waitForEnd(_ signals: Server.Signals) async -> Outcome {
        let pid: pid_t
        switch spawn() {
        case .success(let child): pid = child
        case .failure(let failure): return .notStarted(failure)
        }
        while true {
            var status: Int32 = 0
            let result = unsafe waitpid(pid, &status, WNOHANG)
            if result == pid { return Self.outcome(of: status) }
            if result < 0, errno != EINTR { return .notStarted(.system("waitpid")) }
            _ = await signals.next()
        }
    }

    private func spawn() -> Result<pid_t, CallFailure> {
        var pid = pid_t()
        var actions = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&actions)
        defer { unsafe posix_spawnattr_destroy(&actions) }
        // A child must not inherit that we ignore SIGPIPE, nor a mask.
        var defaults = sigset_t()
        unsafe sigemptyset(&defaults)
        unsafe sigaddset(&defaults, SIGPIPE)
        unsafe posix_spawnattr_setsigdefault(&actions, &defaults)
        var mask = sigset_t()
        unsafe sigemptyset(&mask)
        unsafe posix_spawnattr_setsigmask(&actions, &mask)
        unsafe posix_spawnattr_setflags(&actions, Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK))

        let pairs = environment.map { "\($0.key)=\($0.value)" }
        let code = unsafe CStringVector.lend(command) { arguments in
            unsafe CStringVector.lend(pairs) { variables in
                unsafe posix_spawnp(&pid, command[0], nil, &actions, arguments, variables)
            }
        }
        return code == 0 ? .success(pid) : .failure(.system("run \(command[0])", code: code))
    }

    /// What `wait` says, taken apart as WIFEXITED and its kin do; those are macros that Swift does not see.
    private static func outcome(of status: Int32) -> Outcome {
        let signal = status & 0x7F
        return signal == 0 ? .exited(status >> 8 & 0xFF) : .signalled(signal)
    }
}
