import ProctorScenario
import ProctorServer
import ProctorTestWire
import Testing

/// Scenarios at the root of the shared port.
struct RootScenarioTests {
    private static let first = """
        summary: Absolute paths
        exchanges:
          - { request: GET /, reply: { status: 200, body: home } }
          - { request: GET /go, reply: { status: 302, headers: { Location: /there } } }
          - { request: GET /there, reply: [ { status: 200, body: one }, { status: 200, body: "{{base}}" } ] }
          - { request: "GET /pack/two/here", reply: { status: 200, body: before the catalogue } }
        """
    private static let second = """
        summary: Another one
        exchanges:
          - { request: POST /there, reply: { status: 201 } }
          - { request: GET /go, reply: { status: 500 } }
        """

    private func withRoots<Result>(
        _ ids: [String] = ["pack/one", "pack/two"], _ body: (Server) async throws -> Result
    ) async throws -> Result {
        try await withServer(
            [try scenario(Self.first, id: "pack/one"), try scenario(Self.second, id: "pack/two")],
            configure: { $0.rootScenarios = ids }, body)
    }

    private func ask(_ line: String, _ server: Server) async throws -> String {
        try await exchange(
            "\(line) HTTP/1.1\r\nHost: \(server.address)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
            with: server.base
        ).text
    }

    @Test func `the first scenario with such an exchange answers, before all that stands below an id`() async throws {
        try await withRoots { server async throws in
            #expect(try await ask("GET /", server).hasSuffix("\r\n\r\nhome"))
            #expect(try await ask("GET /go", server).contains("\r\nLocation: /there\r\n"))
            #expect(try await ask("GET /there", server).hasSuffix("\r\n\r\none"))
            #expect(try await ask("GET /there", server).hasSuffix("\r\n\r\n\(server.base)"))
            #expect(try await ask("POST /there", server).hasPrefix("HTTP/1.1 201 "))
            #expect(try await ask("GET \(server.base)/there", server).hasSuffix("\r\n\r\none"))
            #expect(try await ask("GET /pack/two/here", server).hasSuffix("\r\n\r\nbefore the catalogue"))
            // A scenario that leaves its base still has its own ports; the other one stands below its id, with turns of its own.
            #expect(try await ask("GET /pack/one/there", server).hasPrefix("HTTP/1.1 421 "))
            #expect(try await ask("POST /pack/two/there", server).hasPrefix("HTTP/1.1 201 "))
            #expect(try await ask("GET /__proctor/health", server).hasPrefix("HTTP/1.1 200 "))
        }
    }

    @Test func `a request that none expects gets the miss of the first, with its nearest exchange`() async throws {
        let page = try await withRoots { server in try await ask("GET /ther", server) }
        #expect(page.hasPrefix("HTTP/1.1 404 "))
        #expect(page.contains("scenario pack/one does not expect GET /ther"), "\(page)")
        #expect(page.contains("nearest: GET /there"), "\(page)")
        #expect(page.contains("what this scenario is: /pack/one "), "\(page)")
    }

    @Test func `a scenario of the root is a standing run, which can be reset and listed`() async throws {
        try await withRoots { server async throws in
            #expect(try await ask("GET /there", server).hasSuffix("one"))
            #expect(try await ask("POST /__proctor/standing/pack/one/reset", server).hasPrefix("HTTP/1.1 200 "))
            #expect(try await ask("GET /there", server).hasSuffix("one"))
            let runs = try await ask("GET /__proctor/runs", server)
            #expect(runs.contains(#""scenario":"pack/one","base":"\#(server.base)""#), "\(runs)")
        }
    }

    @Test func `other fixtures replace those of the root, and unchanged ones keep their turns`() async throws {
        try await withRoots { server async throws in
            #expect(try await ask("GET /there", server).hasSuffix("one"))
            await server.replaceCatalogue(
                Catalogue([
                    try scenario(Self.first, id: "pack/one"),
                    try scenario(Self.second.replacing("201", with: "202"), id: "pack/two"),
                ]))
            #expect(try await ask("GET /there", server).hasSuffix(server.base))
            #expect(try await ask("POST /there", server).hasPrefix("HTTP/1.1 202 "))
            await server.replaceCatalogue(Catalogue([try scenario(Self.first, id: "pack/one")]))
            #expect(try await ask("POST /there", server).hasPrefix("HTTP/1.1 404 "))
        }
    }

    @Test func `what can't stand there is told at the start`() async throws {
        let secured = try scenario(
            """
            summary: TLS
            origins: { main: { scheme: https } }
            exchanges: [ { request: GET /, reply: { status: 200 } } ]
            """, id: "tls/one")
        for (id, message) in [
            ("tls/on", "there is no scenario 'tls/on'; did you mean 'tls/one'?"),
            (
                "tls/one",
                "scenario tls/one can't answer at the root of the shared port: its origin speaks TLS (tls/one.yaml:2:12), "
                    + "so it needs ports of its own"
            ),
        ] {
            await #expect {
                try await withServer([secured], configure: { $0.rootScenarios = [id] }) { _ in }
            } throws: { "\($0)" == message }
        }
    }
}
