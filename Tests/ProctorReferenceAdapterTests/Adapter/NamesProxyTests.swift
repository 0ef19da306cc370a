import ProctorExam
import ProctorGrading
import ProctorReferenceAdapter
import ProctorScenario
import ProctorServer
import ProctorTestSupport
import ProctorTrace
import Testing

/// The program with `--names-proxy`: it comes to names by the proxy that leads to all of them.
@Suite(.timeLimit(.minutes(5)))
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
