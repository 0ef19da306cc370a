import ProctorReferenceAdapter
import ProctorTestSupport
import Testing

/// What can be said to the program, and what it says to mistakes.
@Suite(.timeLimit(.minutes(5)))
struct CommandLineTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let arguments: [String]
        let complaint: String
        var testDescription: String { arguments.joined(separator: " ") }
    }

    @Test(arguments: [
        Row(arguments: ["--as", "sesion"], complaint: "unknown shape 'sesion'; did you mean 'session'?"),
        Row(arguments: ["--as", "socket"], complaint: "expected session, connection, connection-download, download"),
        Row(arguments: ["--as"], complaint: "--as has no value; expected session"),
        Row(arguments: ["--as", "session", "--as", "download"], complaint: "--as is given twice"),
        Row(arguments: ["--break", "R99"], complaint: "there is no rule R99"),
        Row(arguments: ["--break", "53"], complaint: "this client can't break R53"),
        Row(arguments: ["--break", "twelve"], complaint: "'twelve' is no rule; expected one like R12, or a word"),
        Row(arguments: ["--break", "no-cnoce"], complaint: "'no-cnoce' is no rule; did you mean 'no-cnonce'?"),
        Row(arguments: ["--break"], complaint: "--break has no value; expected a rule like R12"),
        Row(arguments: ["--names-proxy", "--names-proxy"], complaint: "--names-proxy is given twice"),
        Row(arguments: ["--names-proxy", "session"], complaint: "session"),
        Row(arguments: ["--names-prox"], complaint: "did you mean '--names-proxy'?"),
        Row(arguments: ["--list-break"], complaint: "did you mean '--list-breaks'?"),
        Row(arguments: ["--name-proxy"], complaint: "did you mean '--names-proxy'?"),
        Row(arguments: ["--as", "session", "--help"], complaint: "--help stands alone or not at all"),
    ])
    func `a mistake is refused in a sentence`(row: Row) async throws {
        let outcome = try await run(row.arguments)
        #expect(outcome.status == 64)
        #expect(outcome.output.isEmpty)
        #expect(outcome.err.hasPrefix("proctor-client-reference: "))
        #expect(outcome.err.contains(row.complaint), "\(outcome.err)")
    }

    @Test func `it says what it is, how it is used and what it can break`() async throws {
        let version = try await run(["--version"])
        #expect(version.status == 0)
        #expect(version.out == "proctor-reference 1\n")
        let help = try await run(["--help"])
        #expect(help.status == 0)
        for shape in ReferenceShape.allCases { #expect(help.out.contains(" \(shape.rawValue) "), "\(shape)") }
        let breaks = try await run(["--list-breaks"])
        #expect(breaks.status == 0)
        #expect(breaks.out.split(separator: "\n").count == Breakage.all.count)
    }

    @Test(arguments: ["", "{}", #"{"version": 2}"#])
    func `input that is no assignment is refused`(input: String) async throws {
        let outcome = try await run([], input: input)
        #expect(outcome.status == 64)
        #expect(outcome.output.isEmpty)
    }

    private func run(_ arguments: [String], input: String = "") async throws -> ChildProcess.Outcome {
        try await ChildProcess.run([BuiltProduct.referenceClient] + arguments, input: Array(input.utf8))
    }
}
