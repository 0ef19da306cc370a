public import ProctorBase
public import ProctorTrace

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
        /// Nobody reads the trace any more (EX_IOERR).
        public static let unread: Int32 = 74
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

    /// Reads the assignment and has it done; `perform` returns why the trace could not be written, or nil.
    public func runAssignment(with perform: (Assignment) async -> CallFailure?) async -> Int32 {
        let assignment: Assignment
        switch AssignmentReader.read(from: 0) {
        case .success(let read): assignment = read
        case .failure(let problem): return fail(problem.text)
        }
        if let failure = await perform(assignment) {
            Streams.complain("the trace could not be written: \(failure)", as: name)
            return Exit.unread
        }
        return Exit.done
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
    /// is made, while there is one thread. Needs the right to mount, or namespaces of users for everybody.
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
