import Foundation
import ProctorBase
import ProctorFixtures
import ProctorHTTP
import ProctorLoop
import ProctorModules
import ProctorScenario
import ProctorServer
import Testing

@testable import ProctorReplies
@testable import ProctorServer

/// A scenario from YAML in the test; what the loader finds wrong is thrown as text.
func scenario(_ yaml: String, id: String = "test/one", folder: String? = nil) throws -> Scenario {
    ServerModules.register()
    let (scenario, diagnostics) = ScenarioLoader.parse(
        Array(yaml.utf8), id: id, file: "\(id).yaml", folder: folder)
    guard let scenario else { throw FixtureFailure(description: diagnostics.map { "\($0)" }.joined(separator: "\n")) }
    return scenario
}

struct FixtureFailure: Error, CustomStringConvertible {
    let description: String
}

/// Servers at a time: each has a thread and a dozen descriptors, and all tests of a process are ready at once.
private enum Servers {
    static let gate = Gate(width: 64)
    /// A test with a server may start another one without waiting for its turn.
    @TaskLocal static var isAdmitted = false
}

/// A server for the time of `body`, when there is room for one; it is stopped however that ends.
///
/// It is more patient with its clients than a server is by itself: a busy pool may let many seconds pass between two
/// steps of a test. `configure` has the last word.
func withServer<Result>(
    _ scenarios: [Scenario], configure: (inout ServerConfiguration) -> Void = { _ in },
    _ body: (Server) async throws -> Result
) async throws -> Result {
    try await withServer(Catalogue(scenarios), configure: configure, body)
}

/// The same with a catalogue that need not be read yet.
func withServer<Result>(
    _ catalogue: Catalogue, configure: (inout ServerConfiguration) -> Void = { _ in },
    _ body: (Server) async throws -> Result
) async throws -> Result {
    if Servers.isAdmitted { return try await serve(catalogue, configure: configure, body) }
    return try await Servers.gate.admit {
        try await Servers.$isAdmitted.withValue(true) { try await serve(catalogue, configure: configure, body) }
    }
}

private func serve<Result>(
    _ catalogue: Catalogue, configure: (inout ServerConfiguration) -> Void,
    _ body: (Server) async throws -> Result
) async throws -> Result {
    var configuration = ServerConfiguration()
    configuration.limits.headDuration = .seconds(300)
    configuration.limits.idleDuration = .seconds(300)
    configuration.limits.progressDuration = .seconds(300)
    configuration.limits.stallDuration = .seconds(300)
    configure(&configuration)
    let server = try await Server.start(catalogue, configuration: configuration)
    do {
        let result = try await body(server)
        await server.stop(grace: .zero)
        return result
    } catch {
        await server.stop(grace: .zero)
        throw error
    }
}

/// A run of one scenario for the time of `body`.
func withRun<Result>(
    _ yaml: String, folder: String? = nil, configure: (inout ServerConfiguration) -> Void = { _ in },
    _ body: (Run) async throws -> Result
) async throws -> Result {
    let scenario = try scenario(yaml, folder: folder)
    return try await withServer([scenario], configure: configure) { server in
        try await body(try await server.run(scenario.id))
    }
}

/// A scenario with one exchange that answers everything.
func always(_ reply: String, more: String = "") -> String {
    """
    summary: answers everything alike
    exchanges:
      - request: "* /*"
        reply: \(reply)
    \(more)
    """
}

extension String {
    /// A request with the fields that every one needs: `GET /a` becomes a whole head.
    static func request(_ line: String, _ fields: String...) -> String {
        ([line + " HTTP/1.1", "Host: a"] + fields).joined(separator: "\r\n") + "\r\n\r\n"
    }
}

extension RequestView {
    /// A request from its bytes; a body is what follows the head.
    init(parsing text: String) throws {
        var reader = RequestReader()
        var offset = 0
        let bytes = Array(text.utf8)
        guard case .head(let head)? = reader.next(bytes.span, at: &offset) else {
            throw FixtureFailure(description: "no request head: \(text)")
        }
        self.init(head: head, target: head.target, body: Array(bytes[offset...]))
    }
}

extension SocketAddress {
    /// Where a base URL such as `http://127.0.0.1:4000` is served.
    init(base: String) throws {
        let url = try #require(URL(string: base))
        let port = try #require(url.port.flatMap(UInt16.init(exactly:)))
        self = try #require(SocketAddress(host: url.host ?? "", port: port))
    }
}
