extension ChildProcess {
    /// How a program came to its end, and all that it wrote.
    public struct Outcome: Sendable {
        /// The exit status, or the number of the signal that ended it, negated.
        public let status: Int32
        /// Whole standard output, at most 16 MiB.
        public let output: [UInt8]
        /// Whole standard error, at most 16 MiB.
        public let errors: [UInt8]

        /// Standard output as text.
        public var out: String { String(decoding: output, as: UTF8.self) }
        /// Standard error as text.
        public var err: String { String(decoding: errors, as: UTF8.self) }
    }

    /// Runs a program to its end on a thread of its own; a late one is killed with its group.
    public static func run(
        _ words: [String], environment: [String: String] = [:], in folder: String? = nil, input: [UInt8]? = nil,
        within limit: Duration = Patience.whole
    ) async throws -> Outcome {
        try await onThread {
            try runNow(words, environment: environment, in: folder, input: input, within: limit)
        }
    }

    /// The same for a thread that may block.
    public static func runNow(
        _ words: [String], environment: [String: String] = [:], in folder: String? = nil, input: [UInt8]? = nil,
        within limit: Duration = Patience.whole
    ) throws(Failure) -> Outcome {
        let process = try ChildProcess(words, environment: environment, in: folder, takesInput: input != nil)
        if let input {
            try process.write(input, within: limit)
            process.finishInput()
        }
        let status = try process.waitUntilExit(within: limit)
        return Outcome(status: status, output: process.output, errors: process.errors)
    }
}
