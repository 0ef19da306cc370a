internal import ProctorBase
internal import ProctorExam
internal import ProctorGrading
internal import ProctorIntermediaries

extension Modules {
    static var via: ModuleRows? {
        ModuleRows(examClients: [
            ExamClientForm(flag: "--intermediary") { arguments, fixturePaths, context in
                try await arguments.all("--intermediary").flatMap { $0.split(separator: ",").map(String.init) }
                    .asyncMap { try await Intermediaries(fixturePaths, context).client(named: $0, arguments) }
            },
            ExamClientForm(flag: "--intermediary-command") { arguments, _, context in
                let words = try AdapterWords.split(
                    arguments["--intermediary-command"] ?? "", option: "--intermediary-command")
                guard !words.isEmpty else {
                    throw UsageError("--intermediary-command needs the COMMAND of an intermediary")
                }
                guard words.contains(where: { $0.contains(text: "{listen}") || $0.contains(text: "{port}") }) else {
                    throw UsageError(
                        "--intermediary-command needs {listen}, the HOST:PORT at which the program is to listen")
                }
                let isReverse = words.contains {
                    $0.contains(text: "{upstream}") || $0.contains(text: "{upstream-port}")
                }
                let hasTLS = words.contains { $0.contains(text: "{tls-listen}") || $0.contains(text: "{tls-port}") }
                var recipe = Recipe(name: arguments["--name"] ?? AdapterName.name(of: words), command: words)
                recipe.kind = isReverse ? .reverse : .forward
                recipe.hasTLS = hasTLS
                return [try await Intermediaries.client(recipe, arguments, context)]
            },
        ])
    }
}

/// The shipped recipes, and those beside the user's own fixtures.
private struct Intermediaries {
    private let folders: [String]
    private let context: CommandContext

    private static let byteLimit = 1 << 20
    private static let versionTime = Duration.seconds(20)

    init(_ fixturePaths: [String], _ context: CommandContext) throws {
        folders = try ClientFiles.folders(for: fixturePaths).map { "\($0)/intermediaries" }
        self.context = context
    }

    func client(named name: String, _ arguments: ParsedArguments) async throws -> ExamClient {
        if name.utf8.contains(UInt8(ascii: "/")) { return try await fileClient(at: name, arguments) }
        let known = try ClientFiles.names(in: folders)
        guard let folder = try folders.first(where: { try ClientFiles.names(in: [$0]).contains(name) }) else {
            let all = known.isEmpty ? "there are none" : "there are \(known.joined(separator: ", "))"
            throw UsageError(
                "there is no recipe '\(name)'; \(NearestName.hint(for: name, in: known, else: all)) "
                    + "(looked in \(folders.joined(separator: ", and in ")))")
        }
        var client = try await fileClient(at: "\(folder)/\(name).yaml", arguments)
        let ledgers = "\(folder)/ledgers"
        if client.ledger == nil, try FolderList.namesIfAny(in: ledgers).contains("\(name).yaml") {
            client.ledger = "\(ledgers)/\(name).yaml"
        }
        return client
    }

    /// The client of a recipe in a file of any name.
    private func fileClient(at path: String, _ arguments: ParsedArguments) async throws -> ExamClient {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let folder = parts.dropLast().joined(separator: "/")
        let file = parts.last.map(String.init) ?? path
        let name = file.hasSuffix(".yaml") ? String(file.dropLast(".yaml".count)) : file
        let (recipe, diagnostics) = Recipe.parse(
            try InputFile.bytes(of: path, limit: Self.byteLimit), name: name,
            folder: AbsolutePath.withoutLinks(folder.isEmpty ? "/" : folder) ?? folder, file: path)
        for diagnostic in diagnostics { context.output.err("\(diagnostic)\n") }
        guard let recipe else { throw PrintedFailure() }
        return try await Self.client(recipe, arguments, context)
    }

    static func client(
        _ recipe: Recipe, _ arguments: ParsedArguments, _ context: CommandContext
    ) async throws -> ExamClient {
        var environment = Adapter(command: recipe.command, environment: context.environment).environment
        environment["PATH"] = IntermediaryClient.path(of: environment)
        var client = ExamClient(name: arguments["--name"] ?? recipe.name, command: recipe.command)
        client.ledger = arguments["--ledger"]
        client.platform = arguments["--platform"]
        let program = Recipe.fill(recipe.command[0], ["{recipe}": recipe.folder])
        if let reason = ProgramSearch.reasonNotToRun(program, environment: environment) {
            client.absence = reason + (recipe.install.map { "; to install it: \($0)" } ?? "")
            return client
        }
        let isKept = arguments.has("--keep-intermediary")
        if isKept, recipe.isCache {
            throw UsageError(
                "\(recipe.name) is a cache, which would answer a case by what it stored in another one; "
                    + "leave --keep-intermediary out")
        }
        client.version = await version(recipe, environment)
        client.runner = try IntermediaryClient(
            recipe, version: client.version, quic: Modules.present.lazy.compactMap(\.quic).first, isKept: isKept)
        return client
    }

    /// The first line with a digit of what the program prints; programs print it to either stream.
    private static func version(_ recipe: Recipe, _ environment: [String: String]) async -> String? {
        guard !recipe.version.isEmpty else { return nil }
        let words = recipe.version.map { Recipe.fill($0, ["{recipe}": recipe.folder]) }
        let outcome = await WatchedChild(command: words, environment: environment, deadline: versionTime).run()
        let lines = (outcome.output + [0x0A] + outcome.errorOutput).split(separator: 0x0A)
        return lines.first { $0.contains { $0.isASCIIDigit } }.map {
            PrintableText.sanitize(String(decoding: $0, as: UTF8.self), limit: RecordBounds.line)
        }
    }
}

extension Array {
    fileprivate func asyncMap<Result>(_ transform: (Element) async throws -> Result) async rethrows -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await transform(element)) }
        return results
    }
}
