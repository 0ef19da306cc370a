import Testing

@testable import proctor

/// How a command's words are sorted.
struct ArgumentTests {
    private let flags = [
        Flag("--port", "N", "a number"), Flag("--name", "TEXT", "a text"), Flag("--json", nil, "a switch"),
    ]

    private func parse(_ words: String...) throws -> ParsedArguments {
        try ParsedArguments(words, flags: flags, command: "serve")
    }

    @Test func `flags, switches and operands come in any order`() throws {
        let parsed = try parse("a", "--port", "8", "--json", "b", "--name=x=y")
        #expect(parsed["--port"] == "8" && parsed["--name"] == "x=y" && parsed.has("--json"))
        #expect(parsed.operands == ["a", "b"])
        #expect(try parsed.number("--port", in: 0...10) == 8)
    }

    @Test func `a lone dash is an operand, and everything after two dashes`() throws {
        #expect(try parse("-", "--", "--port", "--").operands == ["-", "--port", "--"])
    }

    @Test func `an empty value and a value like a flag are values`() throws {
        let parsed = try parse("--name=", "--port", "--json")
        #expect(parsed["--name"] == "" && parsed["--port"] == "--json" && !parsed.has("--json"))
    }

    @Test func `what is not there is nil`() throws {
        let parsed = try parse()
        #expect(parsed["--port"] == nil && !parsed.has("--json"))
        #expect(try parsed.number("--port", in: 0...10) == nil)
    }

    @Test func `a number outside its range names the range`() throws {
        for text in ["11", "-1", "1.5", "", "0x1", "99999999999999999999"] {
            let parsed = try parse("--port=\(text)")
            let error = #expect(throws: UsageError.self) { try parsed.number("--port", in: 0...10) }
            #expect(error?.text == "--port takes a whole number from 0 to 10, not '\(text)'")
        }
    }

    @Test func `a whole command line runs without a process`() async {
        let log = Log()
        let code = await CommandLine.run(
            arguments: ["version"], environment: [:],
            output: Output(out: { log.append("out: \($0)") }, err: { log.append("err: \($0)") }))
        #expect(code == .success)
        #expect(log.text == "out: proctor \(CommandLine.version)\n")
    }
}
