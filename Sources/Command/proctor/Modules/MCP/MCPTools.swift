internal import ProctorBase
internal import ProctorBook
internal import ProctorMCP
internal import ProctorProgram

/// The tools of `proctor mcp`: their declarations, which a table has, and what they do; safe from any thread.
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

    /// What each tool does.
    private static let calls: [String: @Sendable (MCPTools, MCPArguments) async throws -> String] = [
        "list_scenarios": { try await $0.list($1.text("family")) },
        "search_scenarios": { try await $0.search($1.text("words") ?? "") },
        "read_scenario": { try await $0.read($1.text("id") ?? "") },
        "check_scenario": { try await $0.check($1.text("text") ?? "") },
        "put_scenario": { try await $0.putScenario($1.text("text") ?? "", as: $1.text("id") ?? "") },
        "make_run": { try await $0.makeRun($1) },
        "run_command": { try await MCPCommandRun($0, $1).text() },
        "judge_run": { try await $0.judge($1) },
        "read_journal": { try await $0.journal($1) },
        "explain": { try await $0.explain($1.text("subject") ?? "") },
    ]

    /// The rows of `CFiles/Tables/mcp-tools.tsv`: those of tools, which have a title, and those of their parameters.
    private static let tools: [MCPTool] = {
        let rows = TableCells.rows(of: "mcp-tools")
        return rows.filter { $0.text("title") != nil }.map { row in
            let name = row["tools"]
            let parameters = rows.filter {
                $0.text("parameter") != nil && $0["tools"].split(separator: " ").contains(name[...])
            }
            return MCPTool(
                name, title: row["title"], summary: row["meaning"],
                parameters: parameters.map { row in
                    MCPParameter(
                        row["parameter"], row.value("form", form), isRequired: row.text("required") != nil,
                        row["meaning"])
                }, isReadOnly: row.text("changes") == nil)
        }
    }()

    /// `text BYTES`, `number LEAST MOST` or `words COUNT`; nil for any other text.
    private static func form(_ text: String) -> MCPParameter.Form? {
        let words = text.split(separator: " ")
        let numbers = words.dropFirst().compactMap { Int($0) }
        switch (words[0], numbers.count) {
        case ("text", 1): return .text(byteLimit: numbers[0])
        case ("number", 2): return .number(numbers[0]...numbers[1])
        case ("words", 1): return .words(countLimit: numbers[0])
        default: return nil
        }
    }

    private var offered: [MCPTool] { Self.tools.filter { runsCommands || $0.name != "run_command" } }

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
                """, tools: offered,
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
                guard offered.contains(where: { $0.name == name }), let call = Self.calls[name] else {
                    return .nothingThere("there is no tool '\(name)'")
                }
                return .text(try await call(self, arguments), isError: false)
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
