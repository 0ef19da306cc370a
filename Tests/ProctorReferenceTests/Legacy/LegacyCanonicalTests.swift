import ProctorHTTP
import Testing

@testable import ProctorReference

/// When a load of the old kind announces the canonical form of its request (R7).
@Suite(.timeLimit(.minutes(5)))
struct LegacyCanonicalTests {
    struct Row: Sendable, CustomTestStringConvertible {
        /// Before and behind the address.
        let scheme: String
        let path: String
        let isComplete: Bool
        let lines: [String]

        init(_ scheme: String, _ path: String, isComplete: Bool = true, _ lines: String...) {
            self.scheme = scheme
            self.path = path
            self.isComplete = isComplete
            self.lines = lines
        }

        var testDescription: String { "\(scheme)://…\(path)\(isComplete ? "" : " without fields")" }
    }

    @Test(arguments: [
        Row("http", "/page", "200"), Row("http", "/page", isComplete: false, "canonical /page", "200"),
        Row("HTTP", "/page", "canonical /page", "200"), Row("http", "", "canonical /", "200"),
        Row("http", "/a/../page", "canonical /page", "200"), Row("http", "/moved", "redirect /page", "200"),
        Row("Http", "/moved", "canonical /moved", "redirect /page", "200"),
    ])
    func `what is rewritten is announced once, and what is not is not`(row: Row) async throws {
        try await SessionBench.run { request, _ in
            request.target == "/moved"
                ? reply(302, "", "Location: HTTP://\(request.head.host)/b/../page") : reply(200, "page")
        } _: { bench in
            let network = try LegacyNetwork()
            let queue = try CallbackQueue()
            let delegate = AnnouncedDelegate()
            let request = ClientRequest(
                url: try ClientURL(typed: "\(row.scheme)://\(bench.address)\(row.path)"),
                fields: row.isComplete ? DefaultFields.list() : [])
            let connection = ReferenceConnection(request, delegate: delegate, on: network, scheduledOn: queue)
            connection.start()
            await connection.ended()
            await network.end()
            queue.end()
            #expect(delegate.log.lines == row.lines)
        }
    }
}

private final class AnnouncedDelegate: ReferenceConnectionDelegate {
    let log = CallLog()

    func load(
        _ load: any LegacyLoading, willSend request: ClientRequest, redirectResponse: LoadResponse?
    ) -> ClientRequest? {
        log.add("\(redirectResponse == nil ? "canonical" : "redirect") \(request.url.path)")
        return request
    }

    func connection(_ connection: ReferenceConnection, didReceive response: LoadResponse) {
        log.add("\(response.status)")
    }
}

extension String {
    /// What Host names.
    fileprivate var host: Substring {
        firstRange(of: "Host: ").map { self[$0.upperBound...].prefix { $0 != "\r\n" } } ?? ""
    }
}
