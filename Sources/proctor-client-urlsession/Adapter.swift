internal import ProctorBase
internal import ProctorRecorder
internal import ProctorTrace

/// What the program does, with the exit codes of the adapter protocol.
enum Adapter {
    /// Done; also when the assignment could not be done here, which the trace says.
    private static let done: Int32 = 0
    /// The command line, or what came on standard input, can't be understood (EX_USAGE of sysexits.h).
    private static let misused: Int32 = 64
    /// Nobody reads the trace any more (EX_IOERR).
    private static let unread: Int32 = 74

    static func run(_ arguments: [String]) async -> Int32 {
        switch arguments {
        case []: return await runAssignment(with: perform)
        case ["--drive-protocols"]: return await runAssignment(with: driveProtocols)
        case ["--help"], ["-h"]:
            Streams.write(help)
            return done
        case ["--version"]:
            Streams.write("\(ClientIdentity.name) \(ClientIdentity.version)\n")
            return done
        default:
            let unknown = arguments.first { $0 != "--drive-protocols" } ?? arguments[0]
            return fail("unknown argument '\(unknown)'; expected none, --drive-protocols, --help or --version")
        }
    }

    /// `perform` returns why the trace could not be written, or nil.
    private static func runAssignment(with perform: (Assignment) async -> CallFailure?) async -> Int32 {
        let assignment: Assignment
        switch AssignmentReader.read(from: 0) {
        case .success(let read): assignment = read
        case .failure(let problem): return fail(problem.text)
        }
        if let failure = await perform(assignment) {
            Streams.complain("the trace could not be written: \(failure)")
            return unread
        }
        return done
    }

    /// With URLSession.
    private static func perform(_ assignment: Assignment) async -> CallFailure? {
        let runner = AssignmentRunner(assignment, recordingTo: TraceRecorder(writingTo: 1))
        runner.recorder.write(runner.header)
        _ = await runner.run()
        return runner.recorder.writeFailure
    }

    /// The URLProtocol scripts of the assignment, with a client of ours.
    private static func driveProtocols(_ assignment: Assignment) async -> CallFailure? {
        await ProtocolAssignment(assignment).run(writingTo: 1).writeFailure
    }

    private static func fail(_ text: String) -> Int32 {
        Streams.complain(text)
        return misused
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
        Proxies of the environment are ignored, and nothing is kept from one assignment to the next.

        """
}
