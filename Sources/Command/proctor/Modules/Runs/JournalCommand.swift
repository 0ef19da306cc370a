internal import ProctorBase
internal import ProctorDocument
internal import ProctorEvents
internal import ProctorGrading
internal import ProctorJournal
import ProctorProgram

let journalCommand = Command(name: "journal") { arguments, context in
    guard arguments.operands.count <= 1 else { throw UsageError("'journal' takes one RUN, ID or FILE at most") }
    if let path = arguments.operands.first, JournalFilePrinter.isFile(path) {
        guard !arguments.has("--follow") else {
            throw UsageError("--follow is for a run of a server; of a file everything is printed at once")
        }
        return try JournalFilePrinter(path: path, scenario: arguments["--scenario"]).print(to: context.output)
    }
    guard arguments["--scenario"] == nil else {
        throw UsageError("--scenario is for a FILE; name a scenario of a running server as the operand")
    }
    let client = try ControlConnection(arguments, environment: context.environment)
    let reader = JournalReader(client: client, output: context.output)
    guard let name = arguments.operands.first else { return try await reader.listRuns() }
    let run = try await reader.run(named: name)
    return try await reader.print(run, follows: arguments.has("--follow"), asText: arguments.has("--text"))
}

/// Turns journal lines into sentences with one clock.
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
        // Entries dropped between two responses appear as a gap after the last entry.
        let timeline = WireTimeline(
            entries, droppedCount: last == nil ? read.droppedCount : 0, start: start, after: last)
        start = start ?? entries.first?.nanoseconds
        last = entries.last ?? last
        // Bytes of peers may be UTF-8 that moves the cursor or changes the writing direction.
        return timeline.lines.map { PrintableText.sanitize($0) + "\n" }.joined()
    }
}

struct JournalReader {
    let client: ControlConnection
    let output: Output

    /// The milliseconds for which one call waits for new entries; the server's limit is higher.
    private static let wait = 10_000

    func listRuns() async throws -> ExitCode {
        output.out(try await client.send(.runs).accepted().text)
        return .success
    }

    /// The id of the run, or of a scenario's standing run.
    func run(named name: String) async throws -> String {
        if StandingRun.isRun(name) { return name }
        let reply: ControlConnection.Reply
        do {
            reply = try await client.send(.standingRun(ofPath: StandingRun.path(of: name)))
        } catch {
            throw InputFailure("there is no file '\(name)', and \(error)")
        }
        if reply.status == 200, let run = reply.member("run")?.text { return run }
        throw InputFailure("there is no file '\(name)', and the server says: \(reply.refusal)")
    }

    func print(_ run: String, follows: Bool, asText: Bool) async throws -> ExitCode {
        var last: UInt64 = 0
        var printer = JournalPrinter(run: run)
        var isKnown = false
        while true {
            let reply = try await client.send(.journal(of: run, after: last, wait: follows ? Self.wait : 0))
            // That a followed run has ended is no error.
            if isKnown, reply.status != 200 { return .success }
            _ = try reply.accepted()
            isKnown = true
            output.out(asText ? try printer.text(of: reply.text) : reply.text)
            last = Self.lastSequence(in: reply.text) ?? last
            guard follows, !StandardOutput.isClosed else { return .success }
        }
    }

    /// The last sequence, since every line begins with `{"seq":N,`.
    private static func lastSequence(in text: String) -> UInt64? {
        guard let line = text.split(separator: "\n").last, line.hasPrefix("{\"seq\":") else { return nil }
        return UInt64(line.dropFirst("{\"seq\":".count).prefix { $0.isNumber })
    }
}

/// Prints a journal file as sentences, one journal after the other.
struct JournalFilePrinter {
    let path: String
    /// The id of a scenario; nil: all scenarios.
    let scenario: String?

    static func isFile(_ operand: String) -> Bool {
        if operand == "-" { return true }
        guard !StandingRun.isRun(operand), let kind = FileKind(of: operand) else { return false }
        return kind != .folder
    }

    func print(to output: Output) throws -> ExitCode {
        let name = InputFile.name(of: path)
        let file = try JournalParts(try InputFile.bytes(of: path), file: name)
        let parts = file.parts.filter { scenario == nil || $0.scenario == scenario }
        if let scenario, parts.isEmpty {
            let ids = Set(file.parts.compactMap(\.scenario)).sorted()
            let known = ids.isEmpty ? "it names none" : "it has \(ids.prefix(10).joined(separator: ", "))"
            throw UsageError(
                "\(name) holds no line of scenario '\(scenario)'; "
                    + NearestName.hint(for: scenario, in: ids, else: known))
        }
        for (index, part) in parts.enumerated() {
            if index > 0 { output.line("") }
            output.line(heading(of: part, file.startCount))
            for line in WireTimeline(part.entries, droppedCount: part.droppedCount).lines {
                output.line(PrintableText.sanitize(line))
            }
        }
        let missing = [
            (file.lostLineCount, "could not be written when they came, and are lost"),
            (file.cutCount, "broken off, left out"), (file.unknownCount, "of a later version, left out"),
        ]
        for (count, fate) in missing where count > 0 { output.message("\(Plural.count(count, "line")) \(fate)") }
        return .success
    }

    private func heading(of part: JournalParts.Part, _ startCount: Int) -> String {
        let owner = part.scenario.map { $0 + (part.run.map { ", run \($0)" } ?? "") } ?? "the shared port itself"
        return startCount > 1 ? "\(owner) (start \(part.start) of \(startCount))" : owner
    }
}
