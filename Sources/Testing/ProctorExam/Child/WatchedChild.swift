package import ProctorBase
internal import ProctorGrading

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A program that runs as a child in its own process group, with a watchdog that kills the whole group.
///
/// Traps, hangs and endless output of the program do not affect this process.
package struct WatchedChild: Sendable {
    /// The program, looked up in PATH where it has no slash, and its arguments; never empty.
    package var command: [String]
    package var environment: [String: String]
    /// The time within which the child should end by itself.
    package var deadline: Duration
    /// How long the watchdog waits after the deadline before it sends SIGKILL.
    ///
    /// Called at the deadline, and again at the end of each wait; the child is killed when the result has not grown.
    package var patience: @Sendable () -> Duration = { .zero }
    /// How long output gathers before it is read again, so that many lines take one read; zero: it is read as it comes.
    var gathering = Duration.zero
    /// From when on memory and processor time are measured; nil: they are not.
    var measuring: ChildUsage.Beginning?
    /// The means by which the caller ends a child that does not end by itself; nil: it does.
    package var stop: ChildStop?
    /// The most bytes of standard output that are kept when no reader gets them; a child that writes more is killed.
    package var outputLimit = 16 << 20
    /// The first and the last bytes of standard error are kept, so many at most together.
    package var errorLimit = 64 << 10
    /// The most bytes of standard error for one input; a child that writes more is killed.
    package var errorOutputLimit = 64 << 20

    /// Gets a part of standard output; returns false when it wants no more.
    package typealias OutputReader = @Sendable (ArraySlice<UInt8>) -> Bool

    package init(command: [String], environment: [String: String], deadline: Duration) {
        (self.command, self.environment, self.deadline) = (command, environment, deadline)
    }

    package struct Outcome: Sendable {
        package var ending: Ending
        /// Standard output up to the limit; empty when a reader got it.
        package var output: [UInt8] = []
        package var errorOutput: [UInt8] = []
        /// Whether the child wrote anything to standard output.
        package var hasOutput = false
        /// Whether the output ended with the empty line after an answer.
        package var hasEmptyLine = false
        /// Milliseconds in which the child ran and this process did not, since it was stopped or the machine stood still.
        var pausedMilliseconds = 0
        /// The child, which has answered and lives; nil: it has ended.
        var process: Int32?
        /// What the child took of the machine; nil where that was not to be measured, or can't be.
        var spending: ClientSpending?

        /// The last line of standard error that is not blank; nil when there is none.
        package var lastErrorLine: String? {
            errorLines.last { line in line.contains { $0 > 0x20 } }.map { EscapedText.escape($0, limit: 300) }
        }

        /// The first line of standard error in which a runtime says why it ends the process, else the last line.
        ///
        /// A stack trace may follow it.
        var trapLine: String? {
            errorLines.lazy.map { EscapedText.escape($0, limit: 300) }.first { TrapLine($0) != nil } ?? lastErrorLine
        }

        private var errorLines: [ArraySlice<UInt8>] {
            errorOutput.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D })
        }
    }

    package enum Ending: Sendable, Equatable {
        case notStarted(CallFailure)
        case exited(Int32)
        case signalled(Int32)
        /// The watchdog killed the child after so many milliseconds.
        case hung(milliseconds: Int)
        /// The child wrote more than the limit to standard output, and was killed.
        case outputTooLong(limit: Int)
        /// The child wrote more than the limit to standard error, and was killed.
        case errorOutputTooLong(limit: Int)
        /// The reader of the output wanted no more, and the child was killed.
        case refused
        /// The connection of an adapter over the network was lost, or none came, or an intermediary was not reached; one
        /// sentence.
        case disconnected(String)
    }

    /// Starts the child with `input`, and waits for its end on another thread.
    ///
    /// `onOutput` gets standard output as it arrives, on that thread, in parts of any length; the outcome then has no
    /// output. When it returns false, the child is killed.
    package func run(
        input: [UInt8] = [], onOutput: OutputReader? = nil
    ) async -> Outcome {
        await Self.onThread { [self] in
            var exchange = ChildExchange(settings: self, onOutput: onOutput)
            defer { stop?.noteEnd() }
            do throws(CallFailure) {
                var child = try RunningChild(self, input: input)
                let ending = exchange.run(with: &child)
                return exchange.outcome(ending ?? .exited(0))
            } catch {
                return exchange.outcome(.notStarted(error))
            }
        }
    }

    /// Runs blocking work on a thread of its own.
    static func onThread(_ work: @escaping @Sendable () -> Outcome) async -> Outcome {
        await withCheckedContinuation { continuation in
            if let thread = WorkerThread({ continuation.resume(returning: work()) }) {
                thread.detach()
            } else {
                let failure = CallFailure.system("pthread_create", code: EAGAIN)
                continuation.resume(returning: Outcome(ending: .notStarted(failure)))
            }
        }
    }
}

/// Ends a child that serves until it is told to stop: SIGTERM for its group, and SIGKILL when it does not end within the patience.
///
/// Safe from any thread.
package final class ChildStop: Sendable {
    private let state = Locked(State())
    /// How long the child has after SIGTERM.
    let patience = Duration.seconds(3)

    private struct State {
        var isRequested = false
        var hasEnded = false
    }

    package init() {}

    package func request() { state.withLock { $0.isRequested = true } }

    var isRequested: Bool { state.withLock { $0.isRequested } }

    /// Whether the child has ended; it is asked while its caller waits for something else of it.
    package var hasEnded: Bool { state.withLock { $0.hasEnded } }

    func noteEnd() { state.withLock { $0.hasEnded = true } }
}

extension WatchedChild.Outcome {
    package init(ending: WatchedChild.Ending) { self.ending = ending }
}

package enum SignalName {
    private static let names: [(number: Int32, name: String)] = [
        (SIGILL, "SIGILL"), (SIGTRAP, "SIGTRAP"), (SIGABRT, "SIGABRT"), (SIGBUS, "SIGBUS"), (SIGFPE, "SIGFPE"),
        (SIGSEGV, "SIGSEGV"), (SIGKILL, "SIGKILL"), (SIGTERM, "SIGTERM"), (SIGPIPE, "SIGPIPE"), (SIGHUP, "SIGHUP"),
        (SIGINT, "SIGINT"), (SIGQUIT, "SIGQUIT"), (SIGSYS, "SIGSYS"), (SIGXCPU, "SIGXCPU"), (SIGALRM, "SIGALRM"),
    ]

    /// `SIGTRAP`, or `signal 63` for an unnamed one.
    package static func name(of signal: Int32) -> String {
        names.first { $0.number == signal }?.name ?? "signal \(signal)"
    }
}
