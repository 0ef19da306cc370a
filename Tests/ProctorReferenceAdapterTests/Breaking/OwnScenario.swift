import ProctorScenario
import Testing

/// Scenarios for variants that no fixture of the library shows.
enum OwnScenario {
    /// Where they are served; opened by whoever asks first, it stays open until the process ends.
    static let room = Task { try await ExamRoom(of: load()) }

    private static func load() throws -> [Scenario] {
        let texts =
            [("own/challenges", challenges), ("own/delegates", delegates), ("own/edited", edited)] + guarded
            + remembered
        return try texts.map { id, text in
            let (scenario, diagnostics) = ScenarioLoader.parse(Array(text.utf8), id: id, file: "\(id).yaml")
            return try #require(scenario, "\(diagnostics)")
        }
    }

    private static let challenges = #"""
        summary: A challenge that nobody answers, and one of two that is rejected
        spec: callback rule R11
        exchanges:
          - request: { method: GET, path: "/*", headers: { Authorization: "Basic dXNlcjpwYXNz" } }
            reply: { status: 200, body: "welcome\n" }
          - request: GET /secret
            reply: { status: 401, headers: { WWW-Authenticate: 'Basic realm="a"' }, body: "denied\n" }
          - request: GET /two
            reply: { status: 401, headers: { WWW-Authenticate: ['Basic realm="a"', 'Basic realm="b"'] }, body: "denied\n" }
        cases:
          nobody-answers:
            client: { url: /secret, onChallenge: never, session: { resourceTimeout: 1s } }
            task: challenge(basic) complete(timedOut)
          rejected:
            applies: foundation
            client: { url: /two, onChallenge: [reject, { use: "user:pass" }] }
            wire: request(GET /two){2}
            task: challenge(basic){2} response(200) data+ complete(ok)
        """#

    private static let delegates = #"""
        summary: A redirect told to the task's own delegate
        spec: callback rule R55
        exchanges:
          - request: GET /start
            reply: { status: 302, headers: { Location: "{{base}}/done" } }
          - request: GET /done
            reply: { status: 200, body: "ok\n" }
        cases:
          both:
            applies: foundation
            client: { url: /start, session: { delegates: both } }
            wire: request(GET /start) request(GET /done)
            task: redirect(302) response(200) data+ complete(ok)
        """#
}
