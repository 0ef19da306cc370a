public import ProctorBase

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A program run as a child in a process group of its own, under a watchdog that ends the whole group.
///
/// Nothing that the program does reaches this process: neither a trap nor a hang nor endless output.
public struct WatchedChild: Sendable {
    /// The program, looked up in PATH where it has no slash, and its arguments; never empty.
    public var command: [String]
    /// All of it; nothing is inherited.
    public var environment: [String: String]
    /// From the start to where the child should have ended by itself.
    public var deadline: Duration
    /// How long behind the deadline the watchdog waits before its SIGKILL; asked when that time comes, and again until it
    /// asks for no more.
    public var patience: @Sendable () -> Duration = { .zero }
    /// Bytes of standard output that are kept; more ends the child.
    public var outputLimit = 256 << 20
    /// Bytes of standard error that are kept, the last ones.
    public var errorLimit = 64 << 10

    /// A child that is not started yet.
    public init(command: [String], environment: [String: String], deadline: Duration) {
        self.command = command
        self.environment = environment
        self.deadline = deadline
    }

    /// What became of a child.
    public struct Outcome: Sendable {
        /// How it ended.
        public var ending: Ending
        /// Everything it wrote, up to the limit.
        public var output: [UInt8]
        /// The last that it wrote to standard error.
        public var errorOutput: [UInt8]

        /// The last line of standard error that says something; nil when there is none.
        public var lastErrorLine: String? {
            let lines = errorOutput.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D })
            return lines.last { line in line.contains { $0 > 0x20 } }.map { EscapedText.of($0, limit: 300) }
        }
    }

    /// How a child ended.
    public enum Ending: Sendable, Equatable {
        case notStarted(CallFailure)
        case exited(Int32)
        case signalled(Int32)
        /// The watchdog ended it after so many milliseconds.
        case hung(milliseconds: Int)
        /// The child wrote more than the limit.
        case outputTooLong(limit: Int)
    }

    /// Starts the child, hands it `input`, and waits for its end on a thread of its own.
    ///
    /// `onOutput` gets what the child writes to standard output as it comes, on that thread, cut anywhere.
    public func run(
        input: [UInt8] = [], onOutput: (@Sendable (ArraySlice<UInt8>) -> Void)? = nil
    ) async -> Outcome {
        await withCheckedContinuation { continuation in
            let thread = WorkerThread {
                continuation.resume(returning: ChildWatch(self, input: input, onOutput: onOutput).run())
            }
            if let thread {
                thread.detach()
            } else {
                let failure = CallFailure.system("pthread_create", code: EAGAIN)
                continuation.resume(returning: Outcome(ending: .notStarted(failure), output: [], errorOutput: []))
            }
        }
    }
}
