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
    /// Called with a command line that can't be understood, for whoever reads the output of it.
    var whenMisused: @Sendable (_ arguments: [String], _ output: Output) -> Void = { _, _ in }
    let run: @Sendable (ParsedArguments, Surroundings) async throws -> ExitCode
}

/// What a command may look at and write to.
struct Surroundings: Sendable {
    let environment: [String: String]
    let output: Output
}
