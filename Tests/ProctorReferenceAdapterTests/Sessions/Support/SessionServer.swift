import ProctorProgram
import ProctorReferenceAdapter
import ProctorRules
import ProctorTestSupport
import Testing

@testable import ProctorEvents

/// Assignments for the shape of URLSession, on a server of this process.
enum SessionServer {
    static let lab = """
        exchanges:
          - request: GET|POST|PUT /page
            reply: { status: 200, headers: { Content-Type: text/plain, Cache-Control: max-age=60 }, body: "page" }
          - request: GET|POST /moved
            reply: { status: 302, headers: { Location: "{{base}}/page" }, body: "elsewhere" }
          - request: POST /kept
            reply: { status: 307, headers: { Location: "{{base}}/page" } }
          - request: GET /interim
            reply: { status: 200, interim: [103], body: "page" }
          - request: { method: GET|POST, path: /secret, headers: { Authorization: "Basic dXNlcjpwYXNz" } }
            reply: { status: 200, body: "welcome" }
          - request: GET|POST /secret
            reply: { status: 401, headers: { WWW-Authenticate: 'Basic realm="lab"' }, body: "denied" }
          - request: { method: GET, path: /file, headers: { Range: "bytes=10-" } }
            reply: { status: 206, headers: { ETag: '"v1"', Content-Range: "bytes 10-19/20" }, body: "abcdefghij" }
          - request: GET /file
            reply:
              status: 200
              headers: { ETag: '"v1"', Content-Length: "20" }
              body: "0123456789"
              effects: [{ at: end, do: stall }]
          - request: GET /broken
            reply: { status: 200, headers: { Content-Length: "100" }, body: "short", effects: [{ at: end, do: close }] }
        """

    static func trace(
        session: (inout SessionSetup) -> Void = { _ in }, _ steps: [(inout Assignment.Step) -> Void]
    ) async throws -> LegacyTrace {
        try await LegacyServer.serve(lab) { base in
            var assignment = Assignment(
                scenario: "test/session", caseName: "test", base: base, deadline: 120_000,
                steps: steps.map { change in
                    var step = Assignment.Step(url: "/page")
                    change(&step)
                    step.url = base + step.url
                    return step
                })
            assignment.session.requestTimeout = Patience.seconds * 1000
            session(&assignment.session)
            return await LegacyServer.trace(of: assignment, as: .session)
        }
    }
}

extension LegacyTrace {
    /// Callbacks of a step without the amount of progress and without what every task has.
    func plainCalls(of step: Int = 0) -> String {
        var symbols: [String] = []
        for event in events where event.lane == .task && event.task == step && event.phase == .enter {
            guard event.name != .created, event.name != .metrics, event.name != .bodySent else { continue }
            let symbol = "\(event.symbol)"
            if symbols.last != symbol { symbols.append(symbol) }
        }
        return symbols.joined(separator: " ")
    }

    /// What completion handlers and `await` gave back.
    var handled: String {
        events.filter { $0.lane == .handler && $0.phase == .enter }.map { "\($0.symbol)" }.joined(separator: " ")
    }

    /// No rule may be broken on a platform that promises all that this client does.
    func expectRulesKept(_ label: String = "", sourceLocation: SourceLocation = #_sourceLocation) {
        var platform = Platform(name: "reference")
        platform.metrics = .required
        platform.reportsInformational = true
        platform.redirectLimit = 20
        platform.redirectBody = .resent
        platform.uploadTotals = .restart
        var checker = TraceChecker(platform: platform)
        checker.expect(header)
        for event in events { checker.observe(event) }
        let report = checker.finish()
        #expect(report.hits.isEmpty && report.grammars.isEmpty, "\(label)\n\(report)", sourceLocation: sourceLocation)
    }
}
