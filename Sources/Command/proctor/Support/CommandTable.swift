internal import ProctorBase
internal import ProctorDocument
internal import ProctorEvents
internal import ProctorExam
internal import ProctorExamClients
internal import ProctorGrading
internal import ProctorScenario

/// Clients by their command lines: the rows of `commands.tsv` in a folder `clients` (Docs/clients/commands.md).
struct CommandTable {
    /// A row: its columns, which tabs part.
    struct Row {
        let name: String
        /// What is installed for the client, as `debian:wget2` or `pypi:httplib2==0.32.1`; the first one is the client.
        let packages: [String]
        /// The abilities that no placeholder shows.
        let abilities: Set<Ability>
        /// The abilities that a placeholder shows, and the client lacks; their words begin with a hyphen.
        let lacking: Set<Ability>
        let template: CommandTemplate
    }

    static let file = "commands.tsv"
    /// What is known of programs that `--command` is told: rows that are no clients.
    static let knownFile = "known-commands.tsv"
    private static let columnCount = 4
    private static let limit = 1 << 20
    /// The longest time for the question of a version.
    private static let patience = Duration.seconds(60)

    /// The folder `clients` of the table.
    private let folder: String
    let rows: [Row]

    /// Reads the table of a folder `clients`, which may have none; throws with file and line where a row is wrong.
    init(in folder: String, file: String = CommandTable.file) throws {
        self.folder = folder
        guard try FolderList.namesIfAny(in: folder).contains(file) else {
            rows = []
            return
        }
        let path = "\(folder)/\(file)"
        let text = String(decoding: try InputFile.bytes(of: path, limit: Self.limit), as: UTF8.self)
        var rows: [Row] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
        where !line.isEmpty && line.first != "#" {
            do throws(CommandTemplate.Mistake) {
                rows.append(try Self.row(line, folder: folder))
            } catch {
                throw UsageError("\(path):\(index + 1): \(error)")
            }
        }
        if let twice = rows.first(where: { row in rows.count { $0.name == row.name } > 1 }) {
            throw UsageError("\(path): '\(twice.name)' has two rows; each client has one")
        }
        self.rows = rows
    }

    private static func row(_ line: Substring, folder: String) throws(CommandTemplate.Mistake) -> Row {
        let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        guard columns.count == columnCount, AdapterName.isPermitted(columns[0]), !columns[0].utf8.contains(0x2F) else {
            throw CommandTemplate.Mistake(
                "a row has \(columnCount) columns with tabs between them: name, packages, abilities and command")
        }
        let packages = columns[1].split(separator: " ").map(String.init)
        guard !packages.isEmpty, packages.allSatisfy({ Package($0) != nil }) else {
            throw CommandTemplate.Mistake(
                "the packages of \(columns[0]) are written debian:NAME or pypi:NAME==RELEASE, with blanks between them")
        }
        var abilities: Set<Ability> = []
        var lacking: Set<Ability> = []
        for word in columns[2].split(separator: ",").map(String.init) where word != "-" {
            let isLacking = word.hasPrefix("-")
            guard let ability = Ability(rawValue: isLacking ? String(word.dropFirst()) : word) else {
                throw CommandTemplate.Mistake("there is no ability '\(word)'; Docs/clients/abilities.md lists them")
            }
            if isLacking { lacking.insert(ability) } else { abilities.insert(ability) }
        }
        return Row(
            name: columns[0], packages: packages, abilities: abilities, lacking: lacking,
            template: try CommandTemplate(columns[3], folder: folder))
    }

    /// The words of `exam` for a line of the client's program that shows abilities which the client's does not.
    ///
    /// nil where the table has none.
    func line(widerThan client: ExamClient) -> String? {
        let program = AdapterName.name(of: client.command)
        guard let own = client.commandLine, let row = rows.first(where: { $0.name == program }) else { return nil }
        let errors = ErrorTable(client: row.name)
        let known = CommandClient(
            row.template, name: row.name, errors: errors, abilities: row.abilities, lacking: row.lacking)
        guard !known.abilities.isSubset(of: own.abilities) else { return nil }
        let words = row.abilities.map(\.rawValue).sorted().joined(separator: ",")
        return "--command \(ShellWords.quote(row.template.text))" + (words.isEmpty ? "" : " --ability \(words)")
    }

    /// The client of that name with its version, or with what is missing; nil where the table has no such row.
    func client(named name: String, environment: [String: String]) async throws -> ExamClient? {
        guard let row = rows.first(where: { $0.name == name }) else { return nil }
        let hasLedger = try FolderList.namesIfAny(in: folder).contains("\(name).yaml")
        var client = ExamClient(
            name: name, command: row.template.fixedWords, ledger: hasLedger ? "\(folder)/\(name).yaml" : nil)
        client.commandLine = CommandClient(
            row.template, name: name, errors: try errors(of: name), abilities: row.abilities, lacking: row.lacking)
        for (index, package) in row.packages.compactMap(Package.init).enumerated() {
            let child = WatchedChild(command: package.question, environment: environment, deadline: Self.patience)
            let outcome = await child.run()
            let said = String(decoding: outcome.output, as: UTF8.self).split(whereSeparator: \.isWhitespace)
            guard outcome.ending == .exited(0), said.first == "installed", said.count == 2 else {
                client.absence = "the package \(package.name) is not installed: \(package.installation)"
                return client
            }
            if index == 0 { client.version = PrintableText.sanitize(String(said[1]), limit: RecordBounds.line) }
        }
        if let reason = ProgramSearch.reasonNotToRun(client.command[0], environment: environment) {
            client.absence = "\(reason); `make matrix-far` makes what is missing, and sets PATH"
        }
        return client
    }

    /// What the exit codes of the client mean: `errors/NAME.yaml`, or that every code but 0 is an error.
    private func errors(of name: String) throws -> ErrorTable {
        guard try FolderList.namesIfAny(in: "\(folder)/errors").contains("\(name).yaml") else {
            return ErrorTable(client: name)
        }
        let path = "\(folder)/errors/\(name).yaml"
        let (table, diagnostics) = ErrorTable.parse(try InputFile.bytes(of: path, limit: Self.limit), file: path)
        guard let table else { throw UsageError(diagnostics.map(\.description).joined(separator: "\n")) }
        return table
    }
}

extension CommandTable {
    /// A package, and how its version is asked and it is installed.
    private struct Package {
        let name: String
        /// A command that writes `installed VERSION`.
        let question: [String]
        /// The command that installs it.
        let installation: String

        /// nil where the text is no package.
        init?(_ text: String) {
            let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
            guard parts.count == 2, parts[1].first?.isASCII == true,
                parts[1].utf8.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || "+-._=[]".utf8.contains($0) })
            else { return nil }
            switch parts[0] {
            case "debian":
                name = parts[1]
                question = ["dpkg-query", "-W", "-f", "${db:Status-Status} ${source:Upstream-Version}", name]
                installation = "apt-get install \(name)"
            case "pypi":
                name = String(parts[1].prefix { $0 != "=" && $0 != "[" })
                let code = "import importlib.metadata as m, sys; print('installed', m.version(sys.argv[1]))"
                question = ["python3", "-c", code, name]
                installation = "python3 -m pip install '\(parts[1])'"
            default: return nil
            }
        }
    }
}
