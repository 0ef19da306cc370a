internal import ProctorAdapter
internal import ProctorAssignments
internal import ProctorBase
internal import ProctorProgram
internal import ProctorRecorder

enum Adapter {
    private static let program = AdapterProgram(
        name: "proctor-client-urlsession", version: "\(AdapterIdentity.name) \(AdapterIdentity.version)", help: help)

    static func run(_ arguments: [String]) async -> Int32 {
        if let code = program.exitCode(ofQuestion: arguments) { return code }
        switch arguments {
        case []: return await program.runAssignments(isOwn: changesProcess, with: perform)
        case ["--drive-protocols"]: return await program.runAssignments(with: driveProtocols)
        default:
            let unknown = arguments.first { $0 != "--drive-protocols" } ?? arguments[0]
            return program.fail("unknown argument '\(unknown)'; expected none, --drive-protocols, --help or --version")
        }
    }

    /// Whether an assignment changes the whole process.
    ///
    /// The shared session knows only the classes that were registered before its first use; a proxy or an authority is
    /// a setting of the process for URLSession on Linux.
    private static func changesProcess(_ assignment: Assignment) -> Bool {
        let session = assignment.session
        #if canImport(Darwin)
            return session.isShared
        #else
            return session.isShared || session.proxy != nil || session.names != nil || session.trust != nil
        #endif
    }

    private static func perform(_ assignment: Assignment) async -> AdapterProgram.Performance {
        #if !canImport(Darwin)
            program.useProxy(of: assignment)
            // Where this fails, the trace says what is missing.
            _ = program.useAuthority(of: assignment)
        #endif
        let runner = AssignmentRunner(assignment, recordingTo: TraceRecorder(writingTo: 1))
        runner.recorder.write(runner.header)
        let ending = await runner.run()
        return AdapterProgram.Performance(
            failure: runner.recorder.stopWriting(), isClean: runner.recorder.isClean(after: ending))
    }

    /// Runs the URLProtocol scripts of the assignment with Proctor's own loading system.
    private static func driveProtocols(_ assignment: Assignment) async -> AdapterProgram.Performance {
        AdapterProgram.Performance(failure: await ProtocolAssignment(assignment).run(writingTo: 1).writeFailure)
    }

    private static let help = """
        proctor-client-urlsession: does one assignment of Proctor with URLSession and reports what it saw

          proctor-client-urlsession [--drive-protocols] < assignment.json > trace.jsonl

        Reads one JSON object on standard input, makes the requests it asks for, and writes a trace as JSON lines to
        standard output, each line as soon as it is known. `proctor exam` does this for every case of a scenario.

          --drive-protocols   play the URLProtocol script of each step without URLSession: on a thread whose run loop
                              runs, as a loading system should; lanes proto, protocolClient and harness
          --help              this text
          --version           which URLSession it is

        Exit codes: 0 when it is done, 64 when the assignment can't be read, 74 when the trace can't be written.
        It uses no proxy but that of its assignment, and keeps nothing from one assignment to the next.

        """
}
