internal import ProctorBase
internal import ProctorEvents
internal import ProctorGrading
internal import ProctorJournal

let recordCommand = Command(name: "record") { arguments, context in
    if let recording = try UpstreamRecording(arguments, context) { return try await recording.run() }
    if let file = arguments["--replay"] { return try await UpstreamRecording.replay(file, arguments, context) }
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
