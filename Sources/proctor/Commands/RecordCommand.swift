internal import ProctorBase
internal import ProctorEvents
internal import ProctorGrading
internal import ProctorJournal

/// Proposes a case's expressions from a trace.
let recordCommand = Command(
    name: "record", operands: "FILE [--journal FILE]",
    summary: "Proposes the expressions of a case from a recorded trace",
    discussion: """
        FILE is a trace as 'grade' reads it; - is standard input. Prints lines of YAML that can stand under a case: one for
        each lane, runs folded to +. A recording shows what a
        client does, not what is right: read them, and take the rules (see 'proctor explain') for what must be.
        """,
    flags: [
        Flag("--trace", "FILE", help: "the client's trace, where it is not the operand"),
        Flag("--journal", "FILE", help: "what the server saw, as JSON lines"),
    ]
) { arguments, context in
    let path = try InputFile.trace(of: arguments, command: "record")
    guard path != "-" || arguments["--journal"] != "-" else {
        throw UsageError("standard input can't be both the trace and the journal")
    }
    let trace = try Trace(try InputFile.bytes(of: path), file: InputFile.name(of: path))
    let journal = try arguments["--journal"].map { path in
        try JournalLines(try InputFile.bytes(of: path), file: InputFile.name(of: path)).entries
    }
    let proposals = ExpressionRecorder.proposals(for: trace.events, journal: journal ?? [])
    guard !proposals.isEmpty else {
        context.output.note("\(InputFile.name(of: path)) holds no callback to propose anything from")
        return .failure
    }
    context.output.out(ExpressionRecorder.yaml(proposals))
    return .success
}
