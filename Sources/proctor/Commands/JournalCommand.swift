internal import ProctorBase
internal import ProctorDocument
internal import ProctorGrading
internal import ProctorTrace

/// Shows the journal of a run of a server that is running.
let journalCommand = Command(
    name: "journal", operands: "[RUN] [--server URL] [--token TEXT] [--follow] [--text]",
    summary: "Prints the journal of a run of a running server",
    discussion: """
        Without a RUN the runs are listed. Lines are JSON objects, as Docs/control-api.md and the server's own --journal
        have them; with --text they are sentences with milliseconds, and below a guard's line stands what was wrong with
        a credential. With --follow new lines are printed as they come, until the run ends.
        """,
    flags: [
        Flag("--server", "URL", "where the server stands (default http://127.0.0.1:8088)"),
        Flag("--token", "TEXT", "the server's token, if it was started with one"),
        Flag("--follow", nil, "go on with what comes"),
        Flag("--text", nil, "sentences for a person instead of JSON"),
    ]
) { arguments, surroundings in
    guard arguments.operands.count <= 1 else { throw UsageError("'journal' takes one RUN at most") }
    let client = try ControlClient(
        server: arguments["--server"] ?? "http://127.0.0.1:\(ServeOptions.defaultPort)", token: arguments["--token"])
    let reader = JournalReader(client: client, output: surroundings.output)
    guard let run = arguments.operands.first else { return try await reader.listRuns() }
    return try await reader.print(run, follows: arguments.has("--follow"), asText: arguments.has("--text"))
}

/// Turns the lines of a journal, as they come, into sentences with one clock.
struct JournalTelling {
    let run: String
    private var start: UInt64?
    private var last: JournalEntry?

    init(run: String) {
        self.run = run
    }

    mutating func text(of lines: String) throws(TraceReadingError) -> String {
        let entries = try JournalLines(Array(lines.utf8), file: "journal of \(run)").entries
        let timeline = WireTimeline(entries, start: start, after: last)
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
        let reply = try await client.get("/__proctor/runs")
        guard reply.status == 200 else {
            output.note(Self.message(in: reply))
            return .failure
        }
        output.out(reply.text)
        return .success
    }

    func print(_ run: String, follows: Bool, asText: Bool = false) async throws -> ExitCode {
        var last: UInt64 = 0
        var telling = JournalTelling(run: run)
        var isKnown = false
        while true {
            let reply = try await client.get(
                "/__proctor/runs/\(run)/journal?after=\(last)&wait=\(follows ? Self.wait : 0)")
            guard reply.status == 200 else {
                // A run that ends while it is followed is no error.
                if isKnown { return .success }
                output.note(Self.message(in: reply))
                return .failure
            }
            isKnown = true
            output.out(asText ? try telling.text(of: reply.text) : reply.text)
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
