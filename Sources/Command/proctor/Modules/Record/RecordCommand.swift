internal import ProctorBase
internal import ProctorEvents
internal import ProctorGrading
internal import ProctorJournal

let recordCommand = Command(
    name: "record", operands: "--upstream URL | --replay FILE | TRACE [--journal FILE]",
    summary: "Records a server of this machine as a scenario, or proposes a case from a trace",
    flags: [
        Flag("--upstream", "URL", help: "the server whose replies are recorded, such as http://127.0.0.1:3000"),
        Flag(
            "--upstream-ca", "FILE",
            help: "for https: certificates in PEM of which one must have signed the server's, or be it"),
        Flag("--insecure", help: "for https: take any certificate"),
        Flag(
            "--patience", "TIME", help: "how long the server may send nothing before it is said to stall (default: 60s)"
        ),
        Flag("--waits", help: "write the times of the server as waits and paces"),
        Flag("--disk", "BYTES", help: "how much long contents may take in files (default: 4294967296)"),
        Flag("--replay", "FILE", help: "answer from a recorded scenario in place of the server"),
        Flag(
            "--host", "NAME",
            help: "answer to this name in Host too; may be repeated (default: localhost and addresses)",
            isRepeatable: true),
        Flag("--port", "N", help: "the port that clients use; 0 takes a free one (default: 8088)"),
        Flag("--output", "FILE", help: "the scenario that is written, which must not exist (default: recorded.yaml)"),
        Flag("--keep-secrets", help: "leave credentials, cookies and tokens as they are"),
        Flag("--slow", "body TIME", help: "wait before each KiB of a reply's content", wordCount: 2),
        Flag("--fail", "N/M STATUS", help: "answer the last N of every M requests by this status", wordCount: 2),
        Flag("--cut", "BYTES", help: "reset the connection behind so many bytes of a reply's content"),
        .trace, .journal,
    ]
) { arguments, context in
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
