import ProctorScenario
import ProctorServer

/// Scenarios that the control API is asked about.
enum ControlFixtures {
    private static let turns = """
        summary: Two turns
        spec: [RFC 9110 §9.3.1, "another"]
        exchanges:
          - { request: GET /, reply: [ { status: 200, body: one }, { status: 200, body: two } ] }
        cases:
          both: { summary: Both of them, client: { url: / }, wire: request(GET /) request(GET /) }
        """
    private static let origins = """
        summary: Three origins
        origins: { other: {}, dead: { role: closed } }
        exchanges:
          - { request: GET /, reply: { status: 200, body: main } }
          - { request: GET /, origin: other, reply: { status: 200, body: other } }
        cases:
          must: { client: { url: / }, wire: request(GET /), facts: { "wire[0].headers.x-a": [ "1" ], status: 200 } }
          sees: { kind: observes, client: { url: / } }
        """

    static func scenarios() throws -> [Scenario] {
        [
            try scenario(turns, id: "plain/turns"), try scenario(origins, id: "plain/deep/origins"),
            try scenario(turns, id: "other"),
        ]
    }
}

/// A server with the scenarios above, for the time of `body`.
func withControl<Result>(
    configure: (inout ServerConfiguration) -> Void = { _ in }, _ body: (Server) async throws -> Result
) async throws -> Result {
    try await withServer(try ControlFixtures.scenarios(), configure: configure, body)
}
