package import ProctorBase
package import ProctorProgram

/// The main program of an adapter: options, standard input, standard output and the exit code.
///
/// It uses the descriptors 0, 1 and 2 only.
package struct AdapterProgram: Sendable {
    /// The prefix of error messages.
    package let name: String
    /// The text of `--help`, with its last line feed.
    package let help: String
    /// The text of `--version`: the name and version of the client.
    package let version: String

    package init(name: String, version: String, help: String) {
        (self.name, self.version, self.help) = (name, version, help)
    }

    /// Exit codes of the adapter protocol.
    package enum Exit {
        /// The program has handled the assignment, or has written in the trace why the client could not run it.
        package static let done: Int32 = 0
        /// The command line or the standard input is unreadable (EX_USAGE of sysexits.h).
        package static let misused: Int32 = 64
        /// The trace could not be written (EX_IOERR).
        package static let unread: Int32 = 74
    }

    package struct Performance: Sendable {
        /// nil when the trace was written.
        package let failure: CallFailure?
        /// Whether no connection, session or thread of the client is left, so that this process can run another
        /// assignment.
        package let isClean: Bool

        package init(failure: CallFailure?, isClean: Bool = false) {
            (self.failure, self.isClean) = (failure, isClean)
        }
    }

    /// Answers `--help`, `-h` and `--version` without other arguments; nil for anything else.
    package func exitCode(ofQuestion arguments: [String]) -> Int32? {
        switch arguments {
        case ["--help"], ["-h"]: Streams.write(help)
        case ["--version"]: Streams.write("\(version)\n")
        default: return nil
        }
        return Exit.done
    }

    /// Reads and runs one assignment, or one on each line of standard input when the examiner keeps its adapters.
    ///
    /// `perform` writes a trace to standard output and returns after the last byte. `isOwn` says whether an assignment
    /// changes the process and so needs a process of its own.
    package func runAssignments(
        isOwn: (Assignment) -> Bool = { _ in false }, with perform: (Assignment) async -> Performance
    ) async -> Int32 {
        do throws(AssignmentReader.Problem) {
            guard Surroundings.takesManyAssignments else {
                let input = try Streams.readAll(from: 0, limit: AssignmentReader.limit)
                return exitCode(after: await perform(try AssignmentReader.assignment(input)))
            }
            var lines = LineReader()
            var isUsed = false
            var goesOn = true
            while goesOn, let line = try lines.next(limit: AssignmentReader.limit) {
                let assignment = try AssignmentReader.assignment(line)
                goesOn = !isOwn(assignment)
                // Writes nothing: the examiner gives the assignment to a new process.
                if isUsed, !goesOn { break }
                let performance = await perform(assignment)
                guard performance.failure == nil else { return exitCode(after: performance) }
                if !performance.isClean { goesOn = false }
                Streams.write("\n")
                isUsed = true
            }
            return Exit.done
        } catch {
            return fail(error.text)
        }
    }

    private func exitCode(after performance: Performance) -> Int32 {
        guard let failure = performance.failure else { return Exit.done }
        Streams.complain("the trace could not be written: \(failure)", as: name)
        return Exit.unread
    }

    /// Sets the environment variables for the assignment's proxy, which applies to http and https and to every host.
    ///
    /// Without a proxy in the assignment, the variables name the proxy for the assignment's host names, and exclude
    /// loopback addresses; without that proxy, nothing is set. URLSession on Linux reads these variables; call this
    /// function before the client is made.
    package func useProxy(of assignment: Assignment) {
        if let proxy = assignment.session.proxy {
            Surroundings.enter(proxy: proxy, exceptLoopback: false)
        } else if assignment.session.names != nil, let proxy = assignment.session.namesProxy {
            Surroundings.enter(proxy: proxy, exceptLoopback: true)
        }
    }

    /// Makes the assignment's authority the only one that this process trusts; false where the system forbids it.
    ///
    /// Returns true when the assignment names no authority. For clients that use the system's list of authorities, such
    /// as URLSession on Linux. Call it before the client is made, while the process has one thread; it needs the right
    /// to mount, or unprivileged user namespaces.
    package func useAuthority(of assignment: Assignment) -> Bool {
        #if os(Linux)
            assignment.session.trust.map { PrivateAuthorities.replace(by: $0) } ?? true
        #else
            assignment.session.trust == nil
        #endif
    }

    package func write(_ text: String) { Streams.write(text) }

    /// Writes an error message to standard error and returns the exit code.
    package func fail(_ text: String) -> Int32 {
        Streams.complain(text, as: name)
        return Exit.misused
    }

    /// The main function of an adapter: cleans the environment, runs, and ends the process.
    package static func main(_ run: ([String]) async -> Int32) async -> Never {
        Surroundings.clear()
        // `exit` would run atexit handlers, which would wait for the threads of a client that hangs.
        Surroundings.endProcess(await run(Array(CommandLine.arguments.dropFirst())))
    }
}
