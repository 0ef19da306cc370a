internal import ProctorBase
internal import ProctorEvents
internal import ProctorExam
internal import ProctorExamClients
internal import ProctorScenario

/// The client that a command line brings itself, with what `--name` and `--platform` say of it.
extension ExamClient {
    /// The client of `--adapter`.
    static func ofAdapter(
        _ command: [String], ledger: String?, _ arguments: ParsedArguments, _ context: CommandContext
    ) throws -> ExamClient {
        guard let program = command.first else { throw UsageError("--adapter needs the COMMAND of an adapter") }
        if let reason = ProgramSearch.reasonNotToRun(program, environment: context.environment) {
            throw UsageError("the adapter can't be run: \(reason)")
        }
        return ExamClient(
            name: arguments["--name"] ?? AdapterName.name(of: command), command: command, ledger: ledger,
            platform: arguments["--platform"])
    }

    /// The client of `--command`, with what `--ability` and `--errors` say of it too.
    static func ofCommandLine(
        _ line: String, ledger: String?, fixturePaths: [String], _ arguments: ParsedArguments, _ context: CommandContext
    ) throws -> ExamClient {
        if try arguments.wantedProtocol.spoken == .h2 {
            throw UsageError("--command is asked over HTTP/1.1 and h3 alone; over h2 a client needs an adapter")
        }
        let template: CommandTemplate
        do throws(CommandTemplate.Mistake) {
            template = try CommandTemplate(line)
        } catch {
            throw UsageError("--command: \(error) ('proctor help exam' lists the placeholders)")
        }
        let words = template.fixedWords
        if let reason = ProgramSearch.reasonNotToRun(words[0], environment: context.environment) {
            throw UsageError("the command can't be run: \(reason)")
        }
        let name = arguments["--name"] ?? AdapterName.name(of: words)
        let abilities = try arguments.all("--ability").flatMap { $0.split(separator: ",").map(String.init) }.map {
            word throws(UsageError) in
            guard let ability = Ability(rawValue: word) else {
                let hint = NearestName.hint(
                    for: word, in: Ability.allCases.map(\.rawValue), else: "Docs/clients/abilities.md lists them")
                throw UsageError("--ability: there is no ability '\(word)'; \(hint)")
            }
            return ability
        }
        let errors = try ClientFiles(fixturePaths: fixturePaths, output: context.output)
            .errors(arguments["--errors"], ofProgram: AdapterName.name(of: words))
        var client = ExamClient(name: name, command: words, ledger: ledger, platform: arguments["--platform"])
        let protocolAbilities: Set<Ability> = try arguments.wantedProtocol == .h3 ? [.h3, .trust] : []
        client.commandLine = CommandClient(
            template, name: name, errors: errors, abilities: Set(abilities).union(protocolAbilities))
        for folder in try ClientFiles.folders(for: fixturePaths) where client.widerCommand == nil {
            client.widerCommand = try CommandTable(in: folder, file: CommandTable.knownFile).line(widerThan: client)
        }
        return client
    }
}
