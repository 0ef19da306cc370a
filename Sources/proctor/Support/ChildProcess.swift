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
        case ended(ProcessEnd)

        /// As the end of a sentence.
        var phrase: String {
            switch self {
            case .notStarted(let failure): "could not be run: \(failure.text)"
            case .ended(.exited(let code)): "exited with \(code)"
            case .ended(.signalled(let signal)): "was ended by signal \(signal)"
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
        do throws(CallFailure) {
            pid = try spawn()
        } catch {
            return .notStarted(error)
        }
        while true {
            var status: Int32 = 0
            let result = unsafe waitpid(pid, &status, WNOHANG)
            if result == pid { return .ended(ProcessEnd(waitStatus: status)) }
            if result < 0, errno != EINTR { return .notStarted(.system("waitpid")) }
            _ = await signals.next()
        }
    }

    private func spawn() throws(CallFailure) -> pid_t {
        // A child must not inherit that we ignore SIGPIPE.
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGPIPE)
        return try ProgramSpawn.start(command, environment: environment, defaulting: signals)
    }
}
