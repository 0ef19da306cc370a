internal import ProctorBase
internal import ProctorEvents
internal import ProctorExam
internal import ProctorScenario

/// Makes the client of `--command`, with what `--name`, `--ability`, `--errors` and `--platform` say of it.
struct CommandLineClient {
    private let arguments: ParsedArguments
    private let fixturePaths: [String]
    private let context: CommandContext

    init(_ arguments: ParsedArguments, fixturePaths: [String], _ context: CommandContext) {
        (self.arguments, self.fixturePaths, self.context) = (arguments, fixturePaths, context)
    }

    /// nil after an error, which was printed.
    func client(_ line: String, ledger: String?) throws -> ExamClient? {
        if arguments.wantedProtocol == .h2 {
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
            context.output.message("the command can't be run: \(reason)")
            return nil
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
        let files = ClientFiles(fixturePaths: fixturePaths, output: context.output)
        guard let errors = try files.errors(arguments["--errors"], ofProgram: AdapterName.name(of: words)) else {
            return nil
        }
        var client = ExamClient(name: name, command: words, ledger: ledger, platform: arguments["--platform"])
        let protocolAbilities: Set<Ability> = arguments.wantedProtocol == .h3 ? [.h3, .trust] : []
        client.commandLine = CommandClient(
            template, name: name, errors: errors, abilities: Set(abilities).union(protocolAbilities))
        return client
    }
}
