import Foundation
import ProctorBase
import ProctorHTTP
import Testing

@testable import ProctorReference

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What every shape of the client says of itself.
@Suite(.timeLimit(.minutes(5)))
struct DefaultFieldsTests {
    private static let wanted = [
        "Accept": "*/*", "Accept-Encoding": "gzip, deflate, br, zstd", "Accept-Language": "en",
        "User-Agent": "ProctorReference/1",
    ]

    private static func defaults(_ value: (String) -> String?) -> [String: String] {
        wanted.keys.reduce(into: [:]) { $0[$1] = value($1) }
    }

    @Test func `sessions and loads of the old kind send the same, and the protocol what Apple's sample sends`()
        async throws
    {
        try await SessionBench.run { _, _ in
            reply(200, "page")
        } _: { bench in
            let session = try ReferenceSession()
            _ = try await session.data(for: try bench.request("/plain"))
            _ = try await session.data(for: try bench.request("/task"), delegate: LogDelegate())
            session.invalidateAndCancel()
            await session.ended()
            let network = try LegacyNetwork()
            let queue = try CallbackQueue()
            let connection = ReferenceConnection(
                try bench.request("/connection"), delegate: EndingDelegate(queue, at: "nothing"), on: network,
                scheduledOn: queue)
            connection.start()
            await connection.ended()
            await network.end()
            queue.end()
            let asked = bench.asked.withLock { $0 }
            #expect(asked.map(\.target) == ["/plain", "/task", "/connection"])
            for request in asked { #expect(Self.defaults { request.field($0) } == Self.wanted, "\(request.target)") }
            let url = try #require(URL(string: "http://\(bench.address)/protocol"))
            let canonical = ReferenceProtocol.canonicalRequest(for: URLRequest(url: url))
            var sample = Self.wanted
            sample["Accept-Encoding"] = "gzip, deflate"
            #expect(Self.defaults { canonical.value(forHTTPHeaderField: $0) } == sample)
        }
    }

    @Test func `what a request says itself stays, and a User-Agent need not be`() throws {
        let request = ClientRequest(
            url: try ClientURL("http://a.test/"), fields: [HTTPField("accept-encoding", "br")])
        let completed = request.completed(with: DefaultFields.list(language: "de", userAgent: nil))
        #expect(completed.fields.map(\.name) == ["accept-encoding", "Accept", "Accept-Language"])
        #expect(completed.fields.value(of: "Accept-Language") == "de")
    }

    @Test func `who asks for a part accepts no coding, unless it says so`() throws {
        let url = try ClientURL("http://a.test/")
        let part = ClientRequest(url: url, fields: [HTTPField("Range", "bytes=1-")])
        #expect(part.completed(with: DefaultFields.list()).fields.value(of: "Accept-Encoding") == "identity")
        let coded = ClientRequest(url: url, fields: part.fields + [HTTPField("Accept-Encoding", "gzip")])
        #expect(
            coded.completed(with: DefaultFields.list()).fields.all(named: "Accept-Encoding").map(\.value) == ["gzip"])
    }
}
