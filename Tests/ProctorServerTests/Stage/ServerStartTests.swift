import ProctorLoop
import ProctorServer
import ProctorServing
import Testing

/// What a server can't be started with, and what it announces.
struct ServerStartTests {
    @Test func `a scenario that can't stand at the root is told at the start`() async throws {
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

    @Test(arguments: [1, 2])
    func `two servers can't stand on one port, with one loop or two`(threadCount: Int) async throws {
        try await withServer([]) { server in
            var configuration = ServerConfiguration()
            configuration.address = server.address
            configuration.threadCount = threadCount
            await #expect(throws: ServerStartFailure.self) {
                try await Server.start(Catalogue([]), configuration: configuration)
            }
        }
    }

    @Test(arguments: [("127.0.0.1", true), ("127.0.0.2", false), ("0.0.0.0", true)])
    func `the pages are announced where browsers lead their name`(host: String, isLed: Bool) async throws {
        try await withServer([], configure: { $0.address = .ipv4(host: host, port: 0) }) { server in
            #expect((server.pagesBase != nil) == isLed)
        }
        try await withServer([], configure: { $0.pagesHost = "Pages.Test" }) { server in
            #expect(server.pagesBase == "http://pages.test:\(server.address.port ?? 0)")
        }
    }
}
