import ProctorExam
import ProctorFixtures
import ProctorGrading
import ProctorJournal
import ProctorReferenceAdapter
import ProctorReport
import ProctorScenario
import ProctorServer
import ProctorTestSupport
import Testing

@testable import ProctorRules

/// The program itself sits the exam, like any other adapter.
@Suite(.serialized, .limit(minutes: 5))
struct ProgramExamTests {
    /// Cases of each shape that are asked; there may be fewer for downloads.
    private static let mostCases = 12

    @Test(arguments: ReferenceShape.allCases)
    func `a dozen cases are passed in every shape`(shape: ReferenceShape) async throws {
        let exam = try await ExamServer.shared.value
        let entries = ["plain", "redirect", "shape"].flatMap { folder in
            exam.cases(of: folder).filter { $0.item.kind == .must && $0.applies(to: shape) }.prefix(Self.mostCases / 2)
        }
        var adapter = Adapter(
            command: [BuiltProduct.referenceClient, "--as", shape.rawValue],
            environment: ["PATH": "/usr/bin:/bin", "HOME": "/tmp"])
        adapter.takesManyAssignments = true
        let examiner = Examiner(server: exam.server, adapter: adapter, platform: .neutral)
        let selection = try CaseSelection(entries.map { "\($0.id)" }, among: exam.scenarios)
        let report = await ExamWalk(examiner, width: 4).run(selection)
        #expect(report.client == "proctor-reference")
        #expect(report.clientVersion == "1")
        #expect(report.verdicts.count == entries.count && !entries.isEmpty)
        for verdict in report.verdicts where verdict.outcome != .pass && !verdict.outcome.isDeclined {
            Issue.record("as \(shape.rawValue): \(verdict)")
        }
    }
}

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

/// The program with `--names-proxy`: it comes to names by the proxy that leads to all of them.
@Suite(.limit(minutes: 5))
struct NamesProxyTests {
    private static func yaml(_ origins: String) -> String {
        """
        summary: A page
        \(origins)
        exchanges:
          - { request: GET /a, reply: { status: 200, body: "at home" } }
        cases:
          get: { client: { url: /a }, wire: request(GET /a), facts: { status: 200, body: at home } }
        """
    }

    /// Where its connections came in: the names of origins, or `names` for the proxy that leads to all of them.
    private static func doors(_ origins: String, _ arguments: [String]) async throws -> [String] {
        let text = yaml(origins)
        let (scenario, diagnostics) = ScenarioLoader.parse(Array(text.utf8), id: "via/one", file: "via/one.yaml")
        let sound = try #require(scenario, "\(diagnostics)")
        let server = try await Server.start(Catalogue([sound]))
        let examiner = Examiner(
            server: server,
            adapter: Adapter(
                command: [BuiltProduct.referenceClient] + arguments, environment: ["PATH": "/usr/bin:/bin"]),
            platform: .neutral)
        let sitting = await examiner.sit(try #require(sound.cases.first), of: sound)
        await server.stop(grace: .zero)
        #expect(sitting.verdict.outcome == .pass, "\(sitting.timeline)\n\(sitting.verdict)")
        return (sitting.evidence.journal ?? []).compactMap { entry in
            if case .connectionOpened(let origin, _, _) = entry.event { origin } else { nil }
        }
    }

    private static let named = "origins: { main: { host: home.example.org } }"

    /// Those that have data tasks.
    @Test(arguments: [ReferenceShape.session, .connection, .urlProtocol])
    func `names are come to by address, or by the proxy where that is wanted`(shape: ReferenceShape) async throws {
        let arguments = ["--as", shape.rawValue]
        #expect(try await Self.doors(Self.named, arguments) == ["main"])
        #expect(try await Self.doors(Self.named, arguments + ["--names-proxy"]) == ["names"])
        #expect(try await Self.doors(Self.named, ["--names-proxy"] + arguments) == ["names"])
    }

    @Test func `a server without a name is asked itself all the same`() async throws {
        #expect(try await Self.doors("origins: { other: {} }", ["--names-proxy"]) == ["main"])
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

    @Test(arguments: ["session", "connection", "url-protocol"])
    func `its lines are read while it runs, whichever API it is`(shape: String) async throws {
        let yaml = """
            summary: The rest comes when the beginning was seen
            exchanges:
              - request: GET /a
                reply:
                  status: 200
                  body: hello
                  effects:
                    - { at: body 2, do: { await: response, within: 60s } }
                    - { at: body 4, do: { await: data, task: 0, within: 60s } }
            cases:
              get: { client: { url: /a }, wire: request(GET /a), facts: { status: 200, body: hello } }
            """
        let sitting = try #require(
            try await Self.examine(yaml, adapter: [BuiltProduct.referenceClient, "--as", shape]).first)
        #expect(sitting.verdict.outcome == .pass, "\(sitting.timeline)\n\(sitting.verdict)")
        let passings = (sitting.evidence.journal ?? []).compactMap { entry -> String? in
            if case .syncPassed(let event, let how) = entry.event { "\(event) \(how.rawValue)" } else { nil }
        }
        #expect(passings == ["response reached", "data reached"], "\(sitting.timeline)")
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
