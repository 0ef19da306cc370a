import ProctorExam
import ProctorGrading
import ProctorScenario
import ProctorServer
import ProctorTestSupport
import ProctorTrace
import Testing

/// The reference client at replies that wait for it, and at replies that are cut elsewhere each time.
@Suite(.timeLimit(.minutes(5)))
struct SyncPointExamTests {
    private static func examine(
        _ yaml: String, adapter: [String], reslices: Int = 0
    ) async throws -> [Sitting] {
        let (scenario, diagnostics) = ScenarioLoader.parse(
            Array(yaml.utf8), id: "sync/one", file: "sync/one.yaml")
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
