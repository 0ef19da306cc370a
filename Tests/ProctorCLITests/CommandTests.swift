import Foundation
import ProctorTestSupport
import Testing

@testable import proctor

/// How a command's words are sorted.
struct ArgumentTests {
    @Test func `a whole command line runs without a process`() async {
        let log = Log()
        let code = await CommandLine.run(
            arguments: ["version"], environment: [:],
            output: Output(out: { log.append("out: \($0)") }, err: { log.append("err: \($0)") }))
        #expect(code == .success)
        #expect(log.text == "out: proctor \(CommandLine.version)\n")
    }
}

/// A slip of the finger is understood, in every command and flag there is.
struct SuggestionTests {
    private func run(_ arguments: [String]) async -> (code: ExitCode, text: String) {
        let log = Log()
        let code = await CommandLine.run(
            arguments: arguments, environment: [:],
            output: Output(out: { log.append("out: \($0)") }, err: { log.append($0) }))
        return (code, log.text)
    }

    /// A letter less, two letters swapped, a letter more.
    private func slips(of name: String) -> [String] {
        let letters = Array(name)
        let middle = letters.count / 2
        return [
            String(letters[..<middle] + letters[(middle + 1)...]),
            String(letters[..<(middle - 1)] + [letters[middle], letters[middle - 1]] + letters[(middle + 1)...]),
            name + "x",
        ].filter { $0 != name }
    }

    @Test func `every misspelt command is understood`() async {
        for name in CommandLine.commands.map(\.name) + ["help", "version"] {
            for slip in slips(of: name) {
                let (code, text) = await run([slip])
                #expect(code == .usage && text == "proctor: there is no command '\(slip)'; did you mean '\(name)'?\n")
                let help = await run(["help", slip])
                #expect(help.code == .usage && help.text == text)
            }
        }
    }

    @Test func `every misspelt flag is understood`() async {
        for command in CommandLine.commands {
            for flag in command.flags {
                for slip in slips(of: flag.name) {
                    let (code, text) = await run([command.name, slip])
                    #expect(code == .usage)
                    #expect(
                        text == "proctor: '\(command.name)' has no flag '\(slip)'; did you mean '\(flag.name)'?\n")
                }
            }
        }
    }

    @Test func `every command explains itself, and a flag without its value is told`() async {
        for command in CommandLine.commands {
            let (code, text) = await run(["help", command.name])
            let summary = LineBreaking.wrapped(command.summary + ".", indentation: 0).joined(separator: "\n")
            #expect(code == .success && text.hasPrefix("out: \(summary)\n\nusage: proctor \(command.name) "))
            // What is longer is one word, or an example.
            for line in text.dropFirst(5).split(separator: "\n") where line.count > 80 {
                #expect(
                    line.hasPrefix(" ") && line.contains("proctor ") || !line.drop { $0 == " " }.contains(" "),
                    "\(line)")
            }
            for flag in command.flags {
                guard let value = flag.value else { continue }
                let missing = await run([command.name, flag.name])
                #expect(missing.code == .usage)
                #expect(missing.text == "proctor: \(flag.name) needs a value: \(flag.name) \(value)\n")
            }
        }
    }
}
