internal import ProctorBase
internal import ProctorBook
internal import ProctorMCP
internal import ProctorProgram

/// The tools of `proctor mcp`: each a row with its declaration and what it does; safe from any thread.
final class MCPTools: Sendable {
    let client: ControlConnection
    let library: FixtureLibrary
    /// nil: no book comes with the program.
    let book: Book?
    let context: CommandContext
    /// Where added scenarios are written too; nil: nowhere.
    let folder: String?
    private let runsCommands: Bool
    /// The texts of the scenarios that were added, by id; those that were written have a file.
    let added = Locked<[String: (text: String, isWritten: Bool)]>([:])

    init(
        client: ControlConnection, library: FixtureLibrary, book: Book?, context: CommandContext, folder: String?,
        runsCommands: Bool
    ) {
        (self.client, self.library, self.book) = (client, library, book)
        var context = context
        // Standard output is for messages alone.
        context = CommandContext(
            environment: context.environment, output: Output(out: context.output.err, err: context.output.err))
        (self.context, self.folder, self.runsCommands) = (context, folder, runsCommands)
    }

    private struct Row: Sendable {
        let tool: MCPTool
        let run: @Sendable (MCPTools, MCPArguments) async throws -> String
    }

    private static let idLimit = 200
    /// The most bytes of a scenario's text.
    private static let textLimit = 1 << 20

    private static let id = MCPParameter(
        "id", .text(byteLimit: idLimit), isRequired: true, "the id of a scenario, as redirect/302-post-becomes-get")
    private static let run = MCPParameter(
        "run", .text(byteLimit: idLimit), isRequired: true, "the name of a run, as r12")
    private static let caseName = MCPParameter(
        "case", .text(byteLimit: idLimit), "the case to ask or to judge by; may be left out where there is one or none")
    /// What a run is made of.
    private static let ofRun = [
        MCPParameter("id", .text(byteLimit: idLimit), "the id of the scenario; give this or text"),
        MCPParameter("text", .text(byteLimit: textLimit), "the text of the scenario, YAML or JSON; give this or id"),
        caseName,
    ]

    private static let rows = [
        Row(
            tool: MCPTool(
                "list_scenarios", title: "List scenarios",
                summary: "Lists the families of scenarios with their counts, or the scenarios of one family.",
                parameters: [MCPParameter("family", .text(byteLimit: idLimit), "the first part of ids, as redirect")]),
            run: { try await $0.list($1.text("family")) }),
        Row(
            tool: MCPTool(
                "search_scenarios", title: "Search scenarios",
                summary: "Finds scenarios by words of their ids, summaries, sections of RFCs, cases and replies. All "
                    + "words must occur; words that people use for the same (timeout, login, retry) are known.",
                parameters: [
                    MCPParameter("words", .text(byteLimit: 300), isRequired: true, "words with blanks between")
                ]
            ), run: { try await $0.search($1.text("words") ?? "") }),
        Row(
            tool: MCPTool(
                "read_scenario", title: "Read a scenario",
                summary: "Returns the summary, the cases and the YAML of a scenario.", parameters: [id]),
            run: { try await $0.read($1.text("id") ?? "") }),
        Row(
            tool: MCPTool(
                "check_scenario", title: "Check the text of a scenario",
                summary: "Checks YAML or JSON as a scenario, and returns its mistakes with line and column.",
                parameters: [MCPParameter("text", .text(byteLimit: textLimit), isRequired: true, "the text")]),
            run: { try await $0.check($1.text("text") ?? "") }),
        Row(
            tool: MCPTool(
                "put_scenario", title: "Add or replace a scenario",
                summary: "Serves the text as a scenario of this session, and replaces an earlier one with the id. The "
                    + "id has two names at least, as mine/cart, and is none of the files'.",
                parameters: [id, MCPParameter("text", .text(byteLimit: textLimit), isRequired: true, "YAML or JSON")],
                isReadOnly: false), run: { try await $0.putScenario($1.text("text") ?? "", as: $1.text("id") ?? "") }),
        Row(
            tool: MCPTool(
                "make_run", title: "Make a run",
                summary: "Opens an isolated run of a scenario with ports of its own, and returns its base URL and what "
                    + "each case asks a client for. Let the client ask, then call judge_run.",
                parameters: ofRun, isReadOnly: false), run: { try await $0.makeRun($1) }),
        Row(
            tool: MCPTool(
                "run_command", title: "Run a command against a scenario",
                summary: "Makes a run, runs a command in the folder of this server, and returns the verdict with the "
                    + "timeline of what came over the wire. In the words {{base}} is the base URL, {{origin.NAME}} that "
                    + "of an origin, {{ca}} the certificate to trust; PROCTOR_BASE and PROCTOR_CA are in the "
                    + "environment too. {{url}} is the URL of a case of one step: then the output is judged as its "
                    + "content, and the exit code as its end.",
                parameters: [
                    MCPParameter("command", .words(countLimit: 256), isRequired: true, "the program and its arguments")
                ] + ofRun + [
                    MCPParameter("seconds", .number(1...600), "end the command after so long (default 60)")
                ], isReadOnly: false), run: { try await MCPCommandRun($0, $1).text() }),
        Row(
            tool: MCPTool(
                "judge_run", title: "Judge a run",
                summary: "Waits until nothing of a run is under way, and returns the verdict by a case with the "
                    + "timeline. What the client made of the reply can be told: its status, body, or error.",
                parameters: [
                    run, caseName, MCPParameter("status", .number(100...999), "the status that the client returned"),
                    MCPParameter("body", .text(byteLimit: 512 << 10), "the content that the client returned"),
                    MCPParameter("error", .text(byteLimit: 200), "the name of the error with which the client ended"),
                ]), run: { try await $0.judge($1) }),
        Row(
            tool: MCPTool(
                "read_journal", title: "Read a run's journal",
                summary: "Returns what the server saw and did in a run, a line of JSON for each event.",
                parameters: [
                    run, MCPParameter("after", .number(0...Int.max), "only lines with a greater seq (default 0)"),
                    MCPParameter("limit", .number(1...1_000), "the most lines (default 100)"),
                ]), run: { try await $0.journal($1) }),
        Row(
            tool: MCPTool(
                "explain", title: "Explain a rule, a case or a message",
                summary:
                    "Explains a rule of callback order (R12), a tolerance, a case (ID#CASE, by which section it is "
                    + "judged), or finds what the book says of a message or of words.",
                parameters: [
                    MCPParameter("subject", .text(byteLimit: 1_000), isRequired: true, "rule, case, message or words")
                ]), run: { try await $0.explain($1.text("subject") ?? "") }),
    ]

    private var offered: [Row] { Self.rows.filter { runsCommands || $0.tool.name != "run_command" } }

    /// What the server tells of itself.
    var description: MCPServerDescription {
        let pages = book?.pages ?? []
        return MCPServerDescription(
            name: "proctor", title: "Proctor", version: CommandLine.version,
            instructions: """
                Proctor tests HTTP clients: it serves scripted scenarios on loopback and judges what a client does. To test \
                a client, find a scenario (search_scenarios), read it (read_scenario), and run the client against it \
                (run_command, or make_run and judge_run). Write scenarios of your own with check_scenario and \
                put_scenario; the resource \(Self.bookPrefix)format/file has the language.
                """, tools: offered.map(\.tool),
            documents: pages.map { page in
                MCPDocument(
                    uri: Self.bookPrefix + (page.path.isEmpty ? Self.contentsName : page.path), name: page.path,
                    title: page.title, summary: page.lead, type: "text/markdown")
            },
            templates: [
                MCPDocument(
                    uri: Self.scenarioPrefix + "{+id}", name: "scenario", title: "A scenario",
                    summary: "The text of a scenario by its id", type: "application/yaml")
            ])
    }

    private static let bookPrefix = "proctor://book/"
    private static let scenarioPrefix = "proctor://scenario/"
    private static let contentsName = "contents"

    /// Does the work of a call; what goes wrong is a result too.
    func result(of work: MCPCall.Work) async -> MCPResult {
        do {
            switch work {
            case .tool(let name, let arguments):
                guard let row = offered.first(where: { $0.tool.name == name }) else {
                    return .nothingThere("there is no tool '\(name)'")
                }
                return .text(try await row.run(self, arguments), isError: false)
            case .resource(let uri): return try await document(uri)
            }
        } catch let error as UsageError {
            return .text(error.text, isError: true)
        } catch {
            return .text("\(error)", isError: true)
        }
    }

    private func document(_ uri: String) async throws -> MCPResult {
        if uri.hasPrefix(Self.bookPrefix), let book {
            let path = String(uri.dropFirst(Self.bookPrefix.count))
            if let page = book.page(at: path == Self.contentsName ? "" : path) {
                return .document(page.source, type: "text/markdown")
            }
        }
        if uri.hasPrefix(Self.scenarioPrefix) {
            let id = String(uri.dropFirst(Self.scenarioPrefix.count))
            if let text = try await text(of: id, try await ask(.scenario(id))) {
                return .document(text, type: "application/yaml")
            }
        }
        let known = "\(Self.bookPrefix)PAGE (see resources/list) and \(Self.scenarioPrefix)ID"
        return .nothingThere("there is no resource '\(PrintableText.sanitize(uri, limit: 200))'; there are \(known)")
    }

    /// The answer of the server as JSON; throws its refusal.
    func ask(_ message: ControlMessage) async throws -> JSONTree {
        let reply = try await client.send(message)
        guard 200..<300 ~= reply.status else { throw MCPRefusal(reply.refusal) }
        // An answer is one line.
        let text = Array(reply.text.utf8.prefix { $0 != 0x0A })
        do throws(LineFault) {
            return try JSONTree.read(text.span)
        } catch {
            throw MCPRefusal("the server's answer can't be read at byte \(error.offset + 1): \(error.sentence)")
        }
    }
}

extension JSONTree {
    /// A member of an object; null where there is none.
    subscript(_ name: String) -> JSONTree {
        if case .object(let members) = self { members[name] ?? .null } else { .null }
    }

    /// nil for any value that is no text.
    var string: String? { if case .text(let bytes) = self { String(decoding: bytes, as: UTF8.self) } else { nil } }

    /// Empty for any value that is no list.
    var items: [JSONTree] { if case .list(let items) = self { items } else { [] } }

    /// The members that are texts; empty for any value that is no object.
    var texts: [String: String] {
        if case .object(let members) = self { members.compactMapValues(\.string) } else { [:] }
    }
}
