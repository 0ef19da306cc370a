internal import ProctorBase
internal import ProctorExam
internal import ProctorLoop
internal import ProctorScenario
internal import ProctorServer

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The parent of `serve --respawn`: it starts the server, and starts it again at the same ports when a signal has ended it.
///
/// The server has the streams of this process, so that each start prints its own ready line.
struct Respawning: Sendable {
    let arguments: [String]
    let environment: [String: String]
    let output: Output

    /// More ends by a signal within ``period`` end this process too.
    static let most = 5
    static let period = Duration.seconds(60)

    func run() async throws -> ExitCode {
        guard let program = RunningProgram.path else {
            throw InputFailure("--respawn: this program does not know its path")
        }
        let note: RespawnNote
        do throws(CallFailure) {
            note = RespawnNote(folder: try TemporaryFolder.make("\(TemporaryFolder.path)/proctor-respawn-"))
        } catch {
            throw InputFailure("--respawn: \(error.call): \(error.text)")
        }
        defer { note.remove() }
        do throws(CallFailure) {
            // Open until this process ends, however that is.
            try note.openLife()
        } catch {
            throw InputFailure("--respawn: \(error.call): \(error.text)")
        }
        // Caught before the first server starts, so that neither its end nor a stop is missed.
        let signals = try await SignalThread([SIGCHLD, SIGHUP] + SignalThread.endsOfServing)
        let code = await serve([program] + arguments, note, signals)
        await signals.stop()
        return code
    }

    private func serve(_ command: [String], _ note: RespawnNote, _ signals: SignalThread) async -> ExitCode {
        var events = signals.events.makeAsyncIterator()
        var ends: [ContinuousClock.Instant] = []
        var isStopping = false
        while true {
            let server: pid_t
            do throws(CallFailure) {
                server = try start(command, note)
            } catch {
                output.message("the server could not be started: \(error.text)")
                return .failure
            }
            var end: ProcessEnd?
            while end == nil {
                end = Self.reapEnd(of: server)
                guard end == nil, let signal = await events.next() else { continue }
                guard signal != SIGCHLD else { continue }
                isStopping = isStopping || signal != SIGHUP
                // The server's group is its own, so that a terminal's ^C comes once.
                kill(server, signal)
            }
            guard case .signalled(let signal) = end else {
                if case .exited(let code) = end { return ExitCode(rawValue: code) ?? .failure }
                return .failure
            }
            let sentence = "the server was ended by \(SignalName.name(of: signal))"
            guard !isStopping else {
                output.message("\(sentence) while it stopped")
                return .failure
            }
            let now = ContinuousClock.now
            ends = ends.filter { now - $0 < Self.period } + [now]
            guard ends.count <= Self.most else {
                output.message(
                    "\(sentence), the \(ends.count)th end within \(Self.period.components.seconds) s; it is not started again "
                        + "(--respawn permits \(Self.most))")
                return .failure
            }
            output.message(
                "\(sentence), and is started again (\(ends.count) of \(Self.most) within \(Self.period.components.seconds) s); lost "
                    + "are its connections, its runs, and journals that are in no file of --journal")
        }
    }

    private func start(_ command: [String], _ note: RespawnNote) throws(CallFailure) -> pid_t {
        var variables = environment
        variables[RespawnNote.variable] = note.folder
        // A child must not inherit the ignored SIGPIPE.
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGPIPE)
        return try ProgramSpawn.start(command, environment: variables, defaulting: signals, ownGroup: true)
    }

    /// nil while the process goes on.
    private static func reapEnd(of process: pid_t) -> ProcessEnd? {
        var status: Int32 = 0
        guard unsafe waitpid(process, &status, WNOHANG) == process else { return nil }
        ProgramSpawn.forget(process)
        return ProcessEnd(waitStatus: status)
    }
}

/// What servers and their parent share in a folder: the ports of the last server, and a pipe that ends with the parent.
struct RespawnNote: Sendable {
    /// The variable of the server's environment that has the folder; a server without it is a parent.
    static let variable = "PROCTOR_RESPAWN_FOLDER"

    let folder: String
    private var path: String { "\(folder)/ports" }
    private var lifePath: String { "\(folder)/life" }

    init(folder: String) { self.folder = folder }

    /// nil for a server without a parent.
    init?(environment: [String: String]) {
        guard let folder = environment[Self.variable], !folder.isEmpty else { return nil }
        self.folder = folder
    }

    /// The ports of the server before; nil where none has listened.
    var ports: (plain: UInt16, secured: UInt16)? {
        guard let bytes = try? FileBytes.read(path, limit: 64) else { return nil }
        let numbers = String(decoding: bytes, as: UTF8.self).split(separator: " ").compactMap { UInt16($0) }
        return numbers.count == 2 ? (numbers[0], numbers[1]) : nil
    }

    func write(_ server: Server) throws(CallFailure) {
        try AtomicFile.replace(
            path, with: "\(server.address.port ?? 0) \(server.tlsAddress?.port ?? 0)", mode: 0o600)
    }

    /// Makes the pipe of the parent's life, and opens its writing end, which the system closes however the parent ends.
    ///
    /// It is opened for reading too, since no server reads yet.
    func openLife() throws(CallFailure) {
        guard unsafe mkfifo(lifePath, 0o600) == 0 else { throw .system("mkfifo \(lifePath)") }
        guard FileCalls.open(lifePath, O_RDWR | O_CLOEXEC) >= 0 else { throw .system("open \(lifePath)") }
    }

    /// Sends this server SIGTERM as soon as its parent has ended, which hands no signal on then.
    func watchParent(_ output: Output) throws(CallFailure) {
        // Where no parent writes any more, opening would wait for another one.
        let descriptor = FileCalls.open(lifePath, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0, fcntl(descriptor, F_SETFL, 0) == 0 else { throw .system("open \(lifePath)") }
        let watcher = WorkerThread {
            var byte: UInt8 = 0
            while unsafe FileCalls.read(descriptor, &byte, 1) > 0 {}
            remove()
            output.message("the parent of --respawn has ended, and this server ends with it")
            kill(getpid(), SIGTERM)
        }
        guard let watcher else { throw .system("start a thread", code: EAGAIN) }
        watcher.detach()
    }

    func remove() {
        unsafe _ = unlink(path)
        unsafe _ = unlink(lifePath)
        unsafe _ = rmdir(folder)
    }
}
