/// One verb of the command line.
struct Command: Sendable {
    let name: String
    /// What follows the name in a synopsis.
    let operands: String
    /// One line for the overview.
    let summary: String
    /// What `proctor help NAME` says beyond summary and flags.
    let discussion: String
    let flags: [Flag]
    let run: @Sendable (ParsedArguments, Surroundings) async throws -> ExitCode
}

/// What a command may look at and write to.
struct Surroundings: Sendable {
    let environment: [String: String]
    let output: Output
}
