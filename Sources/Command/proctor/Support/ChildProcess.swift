internal import ProctorBase
internal import ProctorExam

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A command that runs as a child, with the streams of this process.
///
/// Without a time limit, the child is in this process's group and gets the terminal's signals; with one, it has its own
/// group, and signals are forwarded to that.
struct ChildProcess {
    let command: [String]
    let environment: [String: String]
    /// The time after which its group gets SIGTERM, and ``farewell`` later SIGKILL; nil: never.
    var timeout: Duration?
    /// What copies the command's output; nil: it has ours.
    var copy: OutputCopy?

    static let farewell = Duration.seconds(2)

    enum Outcome {
        case notStarted(CallFailure)
        case ended(ProcessEnd)
        case timedOut(Duration)

        var isSuccess: Bool { if case .ended(.exited(0)) = self { true } else { false } }

        var phrase: String {
            switch self {
            case .notStarted(let failure): "could not be run: \(failure.text)"
            case .ended(.exited(let code)): "exited with \(code)"
            case .ended(.signalled(let signal)): "was ended by signal \(signal)"
            case .timedOut(let limit): "had not ended after \(limit.components.seconds) s, and was ended"
            }
        }
    }

    /// Starts the child and waits for its end without blocking a thread.
    func run() async throws -> Outcome {
        // Signals are caught before the child starts, so that its end is not missed.
        let forwarded = timeout == nil ? [] : [SIGINT, SIGTERM, SIGHUP]
        let signals = try await SignalThread([SIGCHLD] + forwarded)
        let outcome = await waitForEnd(signals)
        await signals.stop()
        return outcome
    }

    private func waitForEnd(_ signals: SignalThread) async -> Outcome {
        let group: ChildGroup
        do throws(CallFailure) {
            group = ChildGroup(leader: try spawn(), isOwn: timeout != nil)
        } catch {
            return .notStarted(error)
        }
        let watchdog = timeout.map { limit in
            Task {
                guard (try? await Task.sleep(for: limit)) != nil else { return }
                group.expire()
                guard (try? await Task.sleep(for: Self.farewell)) != nil else { return }
                group.send(SIGKILL)
            }
        }
        defer { watchdog?.cancel() }
        var events = signals.events.makeAsyncIterator()
        while true {
            switch group.checkState() {
            case .running: break
            case .failed(let failure): return .notStarted(failure)
            case .over(let end, isExpired: false): return .ended(end)
            case .over(_, isExpired: true):
                LeftProcesses.endAll()
                return .timedOut(timeout ?? .zero)
            }
            if let signal = await events.next(), signal != SIGCHLD { group.send(signal) }
            LeftProcesses.reapEnded()
        }
    }

    private func spawn() throws(CallFailure) -> pid_t {
        // A child must not inherit the ignored SIGPIPE.
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGPIPE)
        defer { copy?.start() }
        return try ProgramSpawn.start(
            command, environment: environment, streams: copy.map { [STDIN_FILENO, $0.writeEnd] } ?? [],
            defaulting: signals, ownGroup: timeout != nil)
    }
}

/// A child and, with a time limit, its process group; safe from any thread.
///
/// Signals and wait use one lock, so that no signal is sent to a process id that is used again.
private final class ChildGroup: Sendable {
    private let leader: pid_t
    private let isOwn: Bool
    private let state = Locked((isExpired: false, isOver: false))

    enum Look {
        case running
        case over(ProcessEnd, isExpired: Bool)
        case failed(CallFailure)
    }

    init(leader: pid_t, isOwn: Bool) {
        (self.leader, self.isOwn) = (leader, isOwn)
    }

    /// Ends the child after its time limit.
    func expire() {
        state.withLock { state in
            guard !state.isOver else { return }
            state.isExpired = true
            kill(isOwn ? -leader : leader, SIGTERM)
        }
    }

    func send(_ signal: Int32) {
        state.withLock { state in
            if !state.isOver { kill(isOwn ? -leader : leader, signal) }
        }
    }

    /// Returns whether the child has ended; kills the other processes of a group whose time is over.
    func checkState() -> Look {
        state.withLock { state in
            if state.isExpired {
                // The leader stays a zombie meanwhile, so that the id of its group can't be used again.
                var information = unsafe siginfo_t()
                let result = unsafe waitid(P_PID, id_t(leader), &information, WEXITED | WNOWAIT | WNOHANG)
                guard result == 0, unsafe information.si_signo == SIGCHLD else { return .running }
                kill(-leader, SIGKILL)
            }
            var status: Int32 = 0
            let result = unsafe waitpid(leader, &status, WNOHANG)
            if result == leader {
                state.isOver = true
                ProgramSpawn.forget(leader)
                return .over(ProcessEnd(waitStatus: status), isExpired: state.isExpired)
            }
            let code = errno
            return result < 0 && code != EINTR ? .failed(.system("waitpid", code: code)) : .running
        }
    }
}

/// Checks that a program exists, before many processes are started.
enum ProgramSearch {
    /// Why the program can't be found; nil when it can: by its path, or in `PATH` when it has no slash.
    static func reasonNotToRun(_ program: String, environment: [String: String]) -> String? {
        if program.contains("/") { return reasonNotToRun(program) }
        // An empty part of PATH is the working directory.
        let folders = environment["PATH", default: "/usr/bin:/bin"].split(
            separator: ":", omittingEmptySubsequences: false)
        if folders.contains(where: { reasonNotToRun("\($0.isEmpty ? "." : $0)/\(program)") == nil }) { return nil }
        return "there is no program '\(program)' in PATH; write ./\(program) for one of this folder"
    }

    private static func reasonNotToRun(_ path: String) -> String? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else {
            let failure = CallFailure.system("stat")
            return failure.code == ENOENT ? "there is no file \(path)" : "\(path): \(failure.text)"
        }
        guard status.st_mode & S_IFMT == S_IFREG else { return "\(path) is no file" }
        guard unsafe access(path, X_OK) == 0 else {
            let failure = CallFailure.system("access")
            return failure.code == EACCES ? "\(path) is not executable: chmod +x \(path)" : "\(path): \(failure.text)"
        }
        return nil
    }
}
