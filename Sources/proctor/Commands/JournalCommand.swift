internal import ProctorBase
internal import ProctorDocument
internal import ProctorEvents
internal import ProctorGrading
internal import ProctorJournal
import ProctorProgram

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Shows the journal of a run of a server that is running, or a journal file.
let journalCommand = Command(
    name: "journal", operands: "[RUN|ID|FILE] [--server URL] [--token TEXT] [--follow] [--text] [--scenario ID]",
    summary: "Prints the journal of a run of a running server, or a journal file",
    discussion: """
        Without an operand the runs are listed. The id of a scenario stands for its run at the shared port. Lines are JSON
        objects, as Docs/control-api.md and the server's own --journal have them; with --text they are sentences with
        milliseconds, and below a guard's line stands what was wrong with a credential. With --follow new lines are printed
        as they come, until the run ends.
        A FILE that --journal wrote, or - for standard input, is told in sentences, one journal after the other: those of
        runs and scenarios, and of each start of a server. --scenario takes those of one scenario.
        """,
    flags: [
        Flag("--server", "URL", help: "where the server stands (default http://127.0.0.1:8088)"),
        Flag("--token", "TEXT", help: "the server's token, if it was started with one"),
        Flag("--follow", help: "go on with what comes"),
        Flag("--text", help: "sentences for a person instead of JSON"),
        Flag("--scenario", "ID", help: "of a FILE, the journals of this scenario alone"),
    ]
) { arguments, context in
    guard arguments.operands.count <= 1 else { throw UsageError("'journal' takes one RUN, ID or FILE at most") }
    if let path = arguments.operands.first, JournalFilePrinter.isFile(path) {
        guard !arguments.has("--follow") else {
            throw UsageError("--follow is for a run of a server; of a file everything is printed at once")
        }
        return try JournalFilePrinter(path: path, scenario: arguments["--scenario"]).tell(to: context.output)
    }
    guard arguments["--scenario"] == nil else {
        throw UsageError("--scenario is for a FILE; name a scenario of a running server as the operand")
    }
    let client = try ControlClient(
        server: arguments["--server"] ?? "http://127.0.0.1:\(ServeOptions.defaultPort)", token: arguments["--token"])
    let reader = JournalReader(client: client, output: context.output)
    guard let name = arguments.operands.first else { return try await reader.listRuns() }
    guard let run = try await reader.run(named: name) else { return .failure }
    return try await reader.print(run, follows: arguments.has("--follow"), asText: arguments.has("--text"))
}

/// Turns the lines of a journal, as they come, into sentences with one clock.
struct JournalPrinter {
    let run: String
    private var start: UInt64?
    private var last: JournalEntry?

    init(run: String) {
        self.run = run
    }

    mutating func text(of lines: String) throws(TraceReadingError) -> String {
        let read = try JournalLines(Array(lines.utf8), file: "journal of \(run)")
        let entries = read.entries
        // What was dropped between two answers shows as a gap behind the last entry.
        let timeline = WireTimeline(
            entries, droppedCount: last == nil ? read.droppedCount : 0, start: start, after: last)
        start = start ?? entries.first?.nanoseconds
        last = entries.last ?? last
        return timeline.lines.map { $0 + "\n" }.joined()
    }
}

/// Asks a server for a journal, and for more of it.
struct JournalReader {
    let client: ControlClient
    let output: Output

    /// Milliseconds that one call waits for news; the server's bound is higher.
    private static let wait = 10_000

    func listRuns() async throws -> ExitCode {
        let reply = try await client.send(.runs)
        guard reply.status == 200 else {
            output.note(Self.message(in: reply))
            return .failure
        }
        output.out(reply.text)
        return .success
    }

    /// The run that is meant: itself, or the one that stands for a scenario; nil where there is none, which has been said.
    func run(named name: String) async throws -> String? {
        if StandingRun.isRun(name) { return name }
        let reply: ControlClient.Reply
        do {
            reply = try await client.send(.standingRun(ofPath: StandingRun.path(of: name)))
        } catch {
            output.note("there is no file '\(name)', and \(error)")
            return nil
        }
        let root = Document.parse(Array(reply.text.utf8), file: "reply").root
        if reply.status == 200, let run = root?.entries?.first(where: { $0.key == "run" })?.value.text { return run }
        output.note("there is no file '\(name)', and the server says: \(Self.message(in: reply))")
        return nil
    }

    func print(_ run: String, follows: Bool, asText: Bool = false) async throws -> ExitCode {
        var last: UInt64 = 0
        var printer = JournalPrinter(run: run)
        var isKnown = false
        while true {
            let reply = try await client.send(
                .journal(of: run, after: last, wait: follows ? Self.wait : 0))
            guard reply.status == 200 else {
                // A run that ends while it is followed is no error.
                if isKnown { return .success }
                output.note(Self.message(in: reply))
                return .failure
            }
            isKnown = true
            output.out(asText ? try printer.text(of: reply.text) : reply.text)
            last = Self.lastSequence(in: reply.text) ?? last
            guard follows else { return .success }
        }
    }

    /// What a refusal says for people.
    static func message(in reply: ControlClient.Reply) -> String {
        let root = Document.parse(Array(reply.text.utf8), file: "reply").root
        let error = root?.entries?.first { $0.key == "error" }?.value
        return error?.entries?.first { $0.key == "message" }?.value.text
            ?? "the server answered with status \(reply.status)"
    }

    /// Every line begins with `{"seq":N,`.
    static func lastSequence(in text: String) -> UInt64? {
        guard let line = text.split(separator: "\n").last, line.hasPrefix("{\"seq\":") else { return nil }
        return UInt64(line.dropFirst("{\"seq\":".count).prefix { $0.isNumber })
    }
}

/// Tells a journal file in sentences, one journal after the other.
struct JournalFilePrinter {
    let path: String
    /// nil: of all scenarios.
    let scenario: String?

    /// Whether an operand names a file and no run.
    static func isFile(_ operand: String) -> Bool {
        if operand == "-" { return true }
        guard !StandingRun.isRun(operand) else { return false }
        var status = stat()
        return unsafe stat(operand, &status) == 0 && status.st_mode & S_IFMT != S_IFDIR
    }

    func tell(to output: Output) throws -> ExitCode {
        let name = InputFile.name(of: path)
        let file = try JournalParts(try InputFile.bytes(of: path), file: name)
        let parts = file.parts.filter { scenario == nil || $0.scenario == scenario }
        if let scenario, parts.isEmpty {
            let ids = Set(file.parts.compactMap(\.scenario)).sorted()
            let hint = NearestName.find(scenario, in: ids).map { "did you mean '\($0)'?" }
            let known = ids.isEmpty ? "it names none" : "it has \(ids.prefix(10).joined(separator: ", "))"
            throw UsageError("\(name) holds no line of scenario '\(scenario)'; \(hint ?? known)")
        }
        for (index, part) in parts.enumerated() {
            if index > 0 { output.line("") }
            output.line(heading(of: part, file.startCount))
            for line in WireTimeline(part.entries, droppedCount: part.droppedCount).lines { output.line(line) }
        }
        if file.lostLineCount > 0 {
            output.note(
                "\(Plural.count(file.lostLineCount, "line")) could not be written when they came, and are lost")
        }
        if file.cutCount > 0 { output.note("\(Plural.count(file.cutCount, "line")) broken off, left out") }
        if file.unknownCount > 0 {
            output.note("\(Plural.count(file.unknownCount, "line")) of a later version, left out")
        }
        return .success
    }

    private func heading(of part: JournalParts.Part, _ startCount: Int) -> String {
        let owner = part.scenario.map { $0 + (part.run.map { ", run \($0)" } ?? "") } ?? "the shared port itself"
        return startCount > 1 ? "\(owner) (start \(part.start) of \(startCount))" : owner
    }
}
