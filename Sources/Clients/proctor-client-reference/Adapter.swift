internal import ProctorAdapter
internal import ProctorAssignments
internal import ProctorBase
internal import ProctorPAC
internal import ProctorProgram
internal import ProctorRecorder
internal import ProctorReferenceAdapter

#if PROCTOR_QUIC
    internal import ProctorQUIC
    internal import ProctorReference
#endif

enum Adapter {
    private static let program = AdapterProgram(
        name: "proctor-client-reference", version: "\(ReferenceIdentity.name) \(ReferenceIdentity.version())",
        help: help)

    static func run(_ arguments: [String]) async -> Int32 {
        if let code = program.exitCode(ofQuestion: arguments) { return code }
        if arguments == [findProxies] { return PACProcess.answerQuestion() }
        if arguments == ["--list-breaks"] { return listBreaks() }
        if arguments == ["--under-urlsession"] { return await program.runAssignments(with: underURLSession) }
        do throws(Options.Problem) {
            let options = try Options.parse(arguments)
            #if PROCTOR_QUIC
                QUICLibrary.register(NGTCP2Transport())
            #endif
            return await program.runAssignments { assignment in await perform(assignment, options) }
        } catch {
            return program.fail(error.text)
        }
    }

    private static let findProxies = "--find-proxies"

    /// The path of this program, or a name that PATH leads to.
    private static var ownPath: String {
        #if canImport(Darwin)
            CommandLine.arguments[0]
        #else
            "/proc/self/exe"
        #endif
    }

    private static func perform(_ assignment: Assignment, _ options: Options) async -> AdapterProgram.Performance {
        var assignment = assignment
        if options.comesByNamesProxy { assignment.session.preferNamesProxy() }
        if options.keepsCache { assignment.session.cache = assignment.session.cache ?? Options.cacheByteLimit }
        var runner = ReferenceRunner(
            assignment, as: options.shape, breaking: options.breaking, recordingTo: TraceRecorder(writingTo: 1))
        runner.deliversRefusedDownload = options.refusedDownload == .deliver
        runner.pacCommand = [ownPath, findProxies]
        runner.recorder.write(runner.header)
        let ending = await runner.run()
        // The process may run no other assignment: URLProtocol objects of one process share connections and URL
        // schemes.
        return AdapterProgram.Performance(
            failure: runner.recorder.stopWriting(),
            isClean: runner.recorder.isClean(after: ending) && options.shape != .urlProtocol)
    }

    /// Runs only the reference URLProtocol, under the platform's URLSession.
    private static func underURLSession(_ assignment: Assignment) async -> AdapterProgram.Performance {
        #if !canImport(Darwin)
            program.useProxy(of: assignment)
        #endif
        let recorder = TraceRecorder(writingTo: 1)
        let client = UnderURLSession(assignment, recordingTo: recorder)
        recorder.write(client.header)
        _ = await client.run()
        return AdapterProgram.Performance(failure: recorder.stopWriting())
    }

    private static func listBreaks() -> Int32 {
        let width = Breakage.all.map(\.label.utf8.count).max() ?? 0
        let lines = Breakage.all.map { broken in
            "\(padded(broken.label, width))  \(padded(broken.shape.rawValue, 17))  \(broken.name)\n"
        }
        program.write(lines.joined())
        return AdapterProgram.Exit.done
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private static let help = """
        proctor-client-reference: does one assignment of Proctor with a client that keeps every rule

          proctor-client-reference [--as SHAPE] [--break RULE] [--cache] [--names-proxy]
              [--refused-download EFFECT] < assignment.json > trace.jsonl

        Reads one JSON object on standard input, makes the requests it asks for, and writes a trace as JSON lines to
        standard output, each line as soon as it is known. `proctor exam` does this for every case of a scenario.

          --as SHAPE      as which API of Foundation, session if nothing else is said:
                          session              URLSession
                          connection           NSURLConnection
                          connection-download  NSURLConnectionDownloadDelegate
                          download             NSURLDownload
                          connection-sync      synchronous requests of NSURLConnection
                          connection-queued    queued requests of NSURLConnection
                          url-protocol         a URLProtocol under a loading system of its own
                          sequence             a response that is a sequence, read by one Swift task; of no API of Foundation
          --break RULE    break this one rule, as R12, to see that the exam notices; as the API in which that shows,
                          unless --as is given too; or a word, as nonce-count-stays: send credentials wrongly
          --cache         with a cache of 8 MiB in each session whose program says nothing of one
          --names-proxy   come to servers that have names by the proxy that leads to all of them, not by address
          --refused-download EFFECT
                          what a refused redirect does to an NSURLDownload: cancel, as NSURLDownload.h says, or deliver
                          the redirect itself, as the programming guide says (platform reference-guide)
          --under-urlsession
                          put the URLProtocol under the URLSession of this system, and report what that does to it
          --find-proxies  run an auto-configuration file of a proxy, for a process of this program alone
          --list-breaks   the rules and words for --break, as which API each shows, and how it is done
          --help          this text
          --version       which client it is

        Exit codes: 0 when it is done, 64 when the assignment can't be read, 74 when the trace can't be written.
        It uses no proxy but that of its assignment, and keeps nothing from one assignment to the next.

        """
}
