internal import ProctorBase
internal import ProctorModules

enum CommandLine {
    static let version = "0.1.0"

    static let commands: [Command] =
        [
            serveCommand, checkCommand, newCommand, runCommand, examCommand, gradeCommand, caCommand, fixturesCommand,
            versionCommand,
        ] + Modules.present.flatMap(\.commands)

    /// Runs a command line; never exits the process itself.
    static func run(arguments: [String], environment: [String: String], output: Output) async -> ExitCode {
        ServerModules.register()
        guard var word = arguments.first else {
            output.err(Help.overview)
            return .usage
        }
        let rest = Array(arguments.dropFirst())
        switch word {
        case "help", "--help", "-h": return help(about: rest.first, output)
        case "--version", "-V": word = versionCommand.name
        default: break
        }
        guard let command = commands.first(where: { $0.name == word }) else {
            output.message(unknownCommand(word))
            return .usage
        }
        // Arguments after `--` belong to another program.
        if rest.prefix(while: { $0 != "--" }).contains(where: { $0 == "--help" || $0 == "-h" }) {
            return help(about: command.name, output)
        }
        return await run(command, rest, context: CommandContext(environment: environment, output: output))
    }

    private static func run(_ command: Command, _ arguments: [String], context: CommandContext) async -> ExitCode {
        do {
            let parsed = try ParsedArguments(arguments, flags: command.flags, command: command.name)
            return try await command.run(parsed, context)
        } catch let error as UsageError {
            command.whenMisused(arguments, context.output)
            context.output.message(error.text)
            return .usage
        } catch is PrintedFailure {
            return .failure
        } catch {
            context.output.message("\(error)")
            return .failure
        }
    }

    private static func help(about name: String?, _ output: Output) -> ExitCode {
        guard let name, name != "help" else {
            output.out(Help.overview)
            return .success
        }
        guard let command = commands.first(where: { $0.name == name }) else {
            output.message(unknownCommand(name))
            return .usage
        }
        output.out(Help.text(of: command))
        return .success
    }

    private static func unknownCommand(_ name: String) -> String {
        if let module = Modules.missing(name) { return "\(module.noun) is not in this program" }
        let names = commands.map(\.name) + ["help"]
        return "there is no command '\(name)'; \(NearestName.hint(for: name, in: names, else: "see 'proctor help'"))"
    }
}
