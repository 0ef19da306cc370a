internal import ProctorBase
internal import ProctorJournal
internal import ProctorServer

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Ends the process when a server has not stopped in time, even when its loops are blocked; uses a thread of its own.
struct StopLimit: Sendable {
    private let server: Server
    private let grace: Duration
    private let readyFile: String?
    private let output: Output
    private let isOver = Monitor(false)
    /// Joined at the end, since the thread's reference to the server would otherwise free it while the process ends.
    private let watching = Locked<WorkerThread?>(nil)

    /// The time after the grace period; together with ``lastWords`` less than a second.
    private static let patience = Duration.milliseconds(500)
    /// The time for the messages and the journal file, each of which may be a pipe without a reader.
    private static let lastWords = Duration.milliseconds(400)

    init(_ server: Server, grace: Duration, readyFile: String?, output: Output) {
        (self.server, self.grace, self.readyFile, self.output) = (server, grace, readyFile, output)
    }

    /// Starts the time limit when the stop begins; any thread may call it.
    func start() {
        let thread = WorkerThread { [self] in
            if !Self.wait(for: isOver, within: grace + Self.patience) { endProcess() }
        }
        watching.withLock { $0 = thread }
    }

    /// Ends the time limit when the server has stopped; called once.
    func stop() {
        Self.set(isOver)
        let thread = watching.withLock { watching in
            defer { watching = nil }
            return watching
        }
        thread?.join()
    }

    private func endProcess() -> Never {
        let isSaid = Monitor(false)
        let thread = WorkerThread { [self] in
            sayWhatGoesOn()
            server.configuration.journalFile?.flush()
            if let readyFile { unsafe _ = unlink(readyFile) }
            Self.set(isSaid)
        }
        thread?.detach()
        _ = Self.wait(for: isSaid, within: Self.lastWords)
        // Skips the atexit functions, which could wait for a lock.
        _exit(ExitCode.failure.rawValue)
    }

    private func sayWhatGoesOn() {
        let work = server.presentWork
        let reasons = work.isEmpty ? ["no loop is held; a file or a terminal may take no output"] : work
        let what = reasons.joined(separator: "; ")
        output.message("the server has not stopped within its grace of \(grace), and is ended: \(what)")
    }

    private static func set(_ flag: Monitor<Bool>) {
        flag.withLock { $0 = true }
        flag.wakeAll()
    }

    private static func wait(for flag: Monitor<Bool>, within limit: Duration) -> Bool {
        let end = MonotonicClock.nanoseconds &+ limit.wholeNanoseconds
        return flag.wait { isSet in
            if isSet { return .done(true) }
            return MonotonicClock.nanoseconds < end ? .wait(until: end) : .done(false)
        }
    }
}
