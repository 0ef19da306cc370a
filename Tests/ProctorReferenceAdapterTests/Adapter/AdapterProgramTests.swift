import ProctorExam
import ProctorFixtures
import ProctorGrading
import ProctorJournal
import ProctorReferenceAdapter
import ProctorScenario
import ProctorServer
import ProctorTestSupport
import Testing

@testable import ProctorRules

/// What can be said to the program, and what it says to mistakes.
@Suite(.limit(minutes: 5))
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

/// The reference client at replies that wait for it, and at replies that are cut elsewhere each time.
@Suite(.limit(minutes: 5))
struct SyncPointExamTests {
    private static func examine(_ yaml: String, adapter: [String], reslices: Int = 0) async throws -> [Sitting] {
        let (scenario, diagnostics) = ScenarioLoader.parse(Array(yaml.utf8), id: "sync/one", file: "sync/one.yaml")
        let sound = try #require(scenario, "\(diagnostics)")
        let server = try await Server.start(Catalogue([sound]))
        let examiner = Examiner(
            server: server, adapter: Adapter(command: adapter, environment: ["PATH": "/usr/bin:/bin"]),
            platform: .neutral, reslices: reslices)
        var sittings: [Sitting] = []
        for item in sound.cases { sittings.append(await examiner.sit(item, of: sound)) }
        await server.stop(grace: .zero)
        return sittings
    }

    /// A redirect to another port, a page of several chunks, and a case that acts by counting.
    private static let sliced = """
        summary: Several pieces
        origins: { other: {} }
        exchanges:
          - { request: GET /start, reply: { status: 302, headers: { Location: "{{origin.other}}/page" } } }
          - request: GET /page
            origin: other
            reply: { status: 200, framing: { chunked: [ 5, 7 ] }, body: "hello, whoever reads this in slices" }
        cases:
          follow:
            client: { url: /start }
            wire: request(GET /start) request(GET /page)
            facts: { status: 200, body: "hello, whoever reads this in slices" }
          watch: { kind: observes, client: { url: /start } }
          count: { client: { url: /start, cancelAt: { event: data, count: 2 } } }
        """

    @Test func `other slices change nothing that a client sees, and each sitting has a run of its own`() async throws {
        let sittings = try await Self.examine(Self.sliced, adapter: [BuiltProduct.referenceClient], reslices: 3)
        #expect(sittings.count == 3)
        #expect(sittings[0].verdict.outcome == .pass, "\(sittings[0].timeline)\n\(sittings[0].verdict)")
        #expect(sittings[1].verdict.outcome == .observed && sittings[1].verdict.findings.isEmpty)
        for sitting in sittings[..<2] { #expect(!sitting.verdict.notJudged.contains { $0.contains("slices") }) }
    }
}
