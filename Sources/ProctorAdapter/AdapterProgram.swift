public import ProctorBase
public import ProctorProgram

/// The frame of an adapter executable: what it says of itself, what it reads, and how it ends.
///
/// Its parts read and write the descriptors 0, 1 and 2.
public struct AdapterProgram: Sendable {
    /// As it stands before complaints.
    public let name: String
    /// What `--help` shows, with its line end.
    public let help: String
    /// What `--version` shows: which client it is.
    public let version: String

    /// Does nothing before it is asked to.
    public init(name: String, version: String, help: String) {
        self.name = name
        self.version = version
        self.help = help
    }

    /// Exit codes of the adapter protocol.
    public enum Exit {
        /// Done; also when the assignment could not be done here, which the trace says.
        public static let done: Int32 = 0
        /// The command line, or what came on standard input, can't be understood (EX_USAGE of sysexits.h).
        public static let misused: Int32 = 64
        /// The trace can't be written (EX_IOERR).
        public static let unread: Int32 = 74
    }

    /// What became of an assignment.
    public struct Performance: Sendable {
        /// Why the trace could not be written; nil when it was.
        public let failure: CallFailure?
        /// Whether the client left nothing behind, so that this process can do another assignment.
        public let isClean: Bool

        /// Where nothing is said, the process does no other assignment.
        public init(failure: CallFailure?, isClean: Bool = false) {
            self.failure = failure
            self.isClean = isClean
        }
    }

    /// Answers `--help`, `-h` and `--version` where nothing else is said; nil for other arguments.
    public func exitCode(ofQuestion arguments: [String]) -> Int32? {
        switch arguments {
        case ["--help"], ["-h"]: Streams.write(help)
        case ["--version"]: Streams.write("\(version)\n")
        default: return nil
        }
        return Exit.done
    }

    /// Reads the assignment and has it done, or one line after the other where the examiner keeps its adapters.
    ///
    /// `perform` writes a trace to standard output, and nothing more when it has returned. `isOwn` says that an assignment
    /// wants a process of its own, as one that changes the process does.
    public func runAssignments(
        isOwn: (Assignment) -> Bool = { _ in false }, with perform: (Assignment) async -> Performance
    ) async -> Int32 {
        guard Surroundings.takesManyAssignments else {
            return await run(AssignmentReader.read(from: 0)) { await perform($0).failure }
        }
        var lines = LineReader()
        var isUsed = false
        var goesOn = true
        while goesOn, let line = lines.next(limit: AssignmentReader.limit) {
            let code = await run(line.flatMap(AssignmentReader.assignment)) { assignment in
                goesOn = !isOwn(assignment)
                // Without a word: the examiner gives it to a new process.
                if isUsed, !goesOn { return nil }
                let performance = await perform(assignment)
                if !performance.isClean { goesOn = false }
                if performance.failure == nil { Streams.write("\n") }
                isUsed = true
                return performance.failure
            }
            if code != Exit.done { return code }
        }
        return Exit.done
    }

    private func run(
        _ assignment: Result<Assignment, AssignmentReader.Problem>, _ perform: (Assignment) async -> CallFailure?
    ) async -> Int32 {
        switch assignment {
        case .failure(let problem): return fail(problem.text)
        case .success(let assignment):
            guard let failure = await perform(assignment) else { return Exit.done }
            Streams.complain("the trace could not be written: \(failure)", as: name)
            return Exit.unread
        }
    }

    /// Puts the proxy of an assignment into the environment of this process: for http and https, and for every host.
    ///
    /// Where the assignment names none, it is the one that leads to its names, and loopback addresses are reached without
    /// it. For a client that finds its proxy there, as URLSession on Linux does; to be called before the client is made.
    /// Without it the environment has no proxy at all.
    public func useProxy(of assignment: Assignment) {
        if let proxy = assignment.session.proxy {
            Surroundings.enter(proxy: proxy, exceptLoopback: false)
        } else if assignment.session.names != nil, let proxy = assignment.session.namesProxy {
            Surroundings.enter(proxy: proxy, exceptLoopback: true)
        }
    }

    /// Makes the authority of an assignment the only one of the system, for this process alone; true where none is named.
    ///
    /// For a client that takes its authorities from the system, as URLSession on Linux does; to be called before the client
    /// is made, while there is one thread. Needs the right to mount, or unprivileged namespaces of users.
    public func useAuthority(of assignment: Assignment) -> Bool {
        #if os(Linux)
            assignment.session.trust.map { PrivateAuthorities.replace(by: $0) } ?? true
        #else
            assignment.session.trust == nil
        #endif
    }

    /// Writes to standard output.
    public func write(_ text: String) { Streams.write(text) }

    /// Says what is wrong with how the program is used.
    public func fail(_ text: String) -> Int32 {
        Streams.complain(text, as: name)
        return Exit.misused
    }

    /// What the main function of an adapter does: leaves the surroundings, runs, and ends the process.
    public static func main(_ run: ([String]) async -> Int32) async -> Never {
        Surroundings.leave()
        // Not by returning: a client that hangs would keep its threads, and atexit handlers would wait for them.
        Surroundings.end(await run(Array(CommandLine.arguments.dropFirst())))
    }
}
