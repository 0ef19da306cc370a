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
}
