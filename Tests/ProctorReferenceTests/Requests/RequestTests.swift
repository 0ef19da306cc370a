import Foundation
import ProctorBase
import ProctorHTTP
import ProctorLoop
import ProctorTestSupport
import Testing

@testable import ProctorReference

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.limit(minutes: 5))
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
            await network.stop()
            queue.stop()
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
        let request = ClientRequest(url: try ClientURL("http://a.test/"), fields: [HTTPField("accept-encoding", "br")])
        let completed = request.completed(with: [
            HTTPField("Accept", "*/*"), HTTPField("Accept-Encoding", "gzip"), HTTPField("Accept-Language", "de"),
        ])
        #expect(completed.fields.map(\.name) == ["accept-encoding", "Accept", "Accept-Language"])
        #expect(completed.fields.value(of: "Accept-Language") == "de")
    }

    @Test func `who asks for a part accepts no coding, unless it says so`() throws {
        let url = try ClientURL("http://a.test/")
        let part = ClientRequest(url: url, fields: [HTTPField("Range", "bytes=1-")])
        #expect(part.completed(with: DefaultFields.list).fields.value(of: "Accept-Encoding") == "identity")
        let coded = ClientRequest(url: url, fields: part.fields + [HTTPField("Accept-Encoding", "gzip")])
        #expect(coded.completed(with: DefaultFields.list).fields.all(named: "Accept-Encoding").map(\.value) == ["gzip"])
    }
}

/// Requests for texts that are no URL: they can be made, and their loads fail.
@Suite(.limit(minutes: 5))
struct UnreadableURLTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let text: String
        let kind: LoadError.Kind
        var testDescription: String { text.debugDescription }

        static let all: [Row] = [
            Row(text: "http://127.0.0.1:65536/a", kind: .badURL),
            Row(text: "http://127.0.0.1:http/a", kind: .badURL), Row(text: "http://127.0.0.1:-80/", kind: .badURL),
            Row(text: "http://[::1/", kind: .badURL), Row(text: "", kind: .unsupportedURL),
            Row(text: "/a", kind: .unsupportedURL), Row(text: "ftp://127.0.0.1/", kind: .unsupportedURL),
        ]
    }

    @Test(arguments: Row.all)
    func `a text that is no URL makes a request that says why`(row: Row) throws {
        var request = ClientRequest(method: "PUT", typed: row.text, fields: [HTTPField("A", "b")], body: .bytes([1]))
        #expect(request.url == .nowhere && request.url.text == "http://url.invalid/")
        #expect(request.method == "PUT" && request.fields == [HTTPField("A", "b")] && request.body == .bytes([1]))
        let fault = try #require(request.urlFault)
        #expect(LoadError(fault).kind == row.kind)
        request.url = try ClientURL("http://127.0.0.1/")
        #expect(request.urlFault == nil)
    }

    @Test func `one that is a URL is read as typed, and by a scheme of its own`() throws {
        let request = ClientRequest(typed: "app:127.0.0.1/a b", ownSchemes: ["app"])
        #expect(request.urlFault == nil && request.url.text == "app://127.0.0.1/a%20b")
        #expect(request.method == "GET" && request.fields.isEmpty && request.body == .none)
    }

    @Test(arguments: [false, true], [RequestBody.none, .streamOnDemand])
    func `its load begins with its end`(announces: Bool, body: RequestBody) {
        var loader = Loader(
            ClientRequest(typed: "http://127.0.0.1:65536/", body: body),
            policy: LoaderPolicy(announcesCanonicalForm: announces))
        #expect(loader.handle(.start).map(LoaderScript.text) == ["metrics 0", "complete(badURL)"])
        #expect(loader.isEnded)
    }

    @Test func `a redirect that is answered with no URL fails the load`() throws {
        var loader = Loader(ClientRequest(url: try ClientURL("http://127.0.0.1:8088/a")))
        let head = try #require(LoaderScript.head("HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n"))
        _ = loader.handle(.start)
        _ = loader.handle(.head(head))
        let answer = loader.handle(.redirectAnswered(ClientRequest(typed: "http://127.0.0.1:65536/")))
        #expect(answer.map(LoaderScript.text) == ["abort", "metrics 1", "complete(badURL)"])
    }

    @Test(arguments: Row.all)
    func `a task is made of it, and its delegate is told how it failed`(row: Row) async throws {
        let delegate = LogDelegate()
        let session = try ReferenceSession(delegate: delegate)
        let task = session.dataTask(with: ClientRequest(typed: row.text))
        #expect(task.state == .suspended)
        task.resume()
        await delegate.log.wait(for: "complete")
        session.finishTasksAndInvalidate()
        await session.ended()
        #expect(delegate.log.lines == ["created", "metrics 0", "complete \(row.kind)", "sessionInvalid"])
    }

    @Test(arguments: Row.all)
    func `an async call throws the same error`(row: Row) async throws {
        let session = try ReferenceSession()
        let error = await #expect(throws: LoadError.self) {
            try await session.data(for: ClientRequest(typed: row.text))
        }
        #expect(error?.kind == row.kind)
        session.finishTasksAndInvalidate()
        await session.ended()
    }
}
