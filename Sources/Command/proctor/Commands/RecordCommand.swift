internal import ProctorBase
internal import ProctorEvents
internal import ProctorGrading
internal import ProctorJournal

let recordCommand = Command(
    name: "record", operands: "FILE [--journal FILE]",
    summary: "Proposes the expressions of a case from a recorded trace",
    discussion: """
        FILE is a trace as 'grade' reads it; - is standard input. Prints lines of YAML that can stand under a case: one for
        each lane, runs folded to +. A recording shows what a
        client does, not what is right: read them, and take the rules (see 'proctor explain') for what must be.
        """,
    flags: [.trace, .journal]
) { arguments, context in
    let path = try InputFile.tracePath(of: arguments, command: "record")
    let trace = try InputFile.trace(
        at: path, besideJournal: arguments["--journal"], within: WorkBudget(stepLimit: CaseGrader.stepLimit))
    let journal = try arguments["--journal"].map { path in
        try JournalLines(try InputFile.bytes(of: path), file: InputFile.name(of: path)).entries
    }
    let proposals = ExpressionRecorder.proposals(for: trace.events, journal: journal ?? [])
    guard !proposals.isEmpty else {
        context.output.message("\(InputFile.name(of: path)) holds no callback to propose anything from")
        return .failure
    }
    context.output.out(ExpressionRecorder.yaml(proposals))
    return .success
}
