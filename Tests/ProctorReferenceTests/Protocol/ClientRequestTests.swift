import Foundation
import ProctorBase
import ProctorHTTP
import Testing

@testable import ProctorReference

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Requests and challenges on their way between Foundation and the loader.
struct ClientRequestTests {
    private func request(_ fields: [String: String] = [:]) throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: "http://example.com:8080/a?b")))
        request.allHTTPHeaderFields = fields
        return request
    }

    @Test func `a request keeps its method, url, fields and body`() throws {
        var original = try request(["X-A": "1", "Accept": "text/plain"])
        original.httpMethod = "pAtCh"
        original.httpBody = Data("abc".utf8)
        let made = try ClientRequest(original)
        #expect(made.method == "pAtCh")
        #expect(made.url.text == "http://example.com:8080/a?b")
        #expect(made.fields.map(\.name) == ["Accept", "X-A"])
        #expect(made.body == .bytes(Array("abc".utf8)))
    }

    @Test(arguments: [("5", 5), ("-1", nil), ("many", nil), (nil, nil)])
    func `a stream has the length that Content-Length says, if it is one`(field: String?, length: Int?) throws {
        var original = try request(field.map { ["Content-Length": $0] } ?? [:])
        original.httpMethod = "PUT"
        original.httpBodyStream = InputStream(data: Data("hello".utf8))
        #expect(try BodyCopy.copy(of: original, keepsContent: true)?.byteCount == length)
    }

    @Test func `a redirected request loses the fields that may not go, and the body that does not`() throws {
        var original = try request(["Authorization": "Basic x", "Accept": "text/plain"])
        original.httpMethod = "POST"
        original.httpBody = Data("abc".utf8)
        original.timeoutInterval = 7
        let next = ClientRequest(
            method: "GET", url: try ClientURL("http://other.example/c"), fields: [HTTPField("Accept", "text/plain")])
        let redirected = original.redirected(to: next, body: nil)
        #expect(redirected.url?.absoluteString == "http://other.example/c")
        #expect(redirected.httpMethod == "GET")
        #expect(redirected.allHTTPHeaderFields == ["Accept": "text/plain"])
        #expect(redirected.httpBody == nil)
        #expect(redirected.timeoutInterval == 7)
    }

    @Test(arguments: [(0.3, 300_000_000), (0, 60_000_000_000), (1e300, UInt64.max)])
    func `seconds become nanoseconds, and none or too many do no harm`(seconds: Double, limit: UInt64) throws {
        var original = try request()
        original.timeoutInterval = seconds
        #expect(original.idleLimit == limit)
    }

    @Test func `the answers to a challenge are told apart`() throws {
        let challenge = try LoadChallenge(
            space: .init(kind: "basic", origin: Origin(scheme: .http, host: "a", port: 81), realm: "lab"),
            previousFailureCount: 2, proposedCredential: LoadCredential(user: "u", password: "x"),
            response: LoadResponse(url: ClientURL("http://a:81/"), head: head("HTTP/1.1 401 No\r\n\r\n")))
        nonisolated(unsafe) var answers: [ChallengeAnswer] = []
        let asked = challenge.urlChallenge { unsafe answers.append($0) }
        #expect(asked.protectionSpace.authenticationMethod == NSURLAuthenticationMethodHTTPBasic)
        #expect(asked.protectionSpace.host == "a" && asked.protectionSpace.port == 81)
        #expect(asked.protectionSpace.realm == "lab")
        #expect(asked.previousFailureCount == 2)
        #expect(asked.proposedCredential?.user == "u")
        #expect((asked.failureResponse as? HTTPURLResponse)?.statusCode == 401)
        let sender = try #require(asked.sender as? ProtocolChallengeSender)
        sender.use(URLCredential(user: "u", password: "p", persistence: .none), for: asked)
        sender.continueWithoutCredential(for: asked)
        sender.performDefaultHandling(for: asked)
        sender.rejectProtectionSpaceAndContinue(with: asked)
        sender.cancel(asked)
        #expect(
            unsafe answers == [
                .use(LoadCredential(user: "u", password: "p")), .goOnWithout, .goOnWithout, .reject, .cancel,
            ])
    }

    @Test(arguments: [
        ("basic", false, NSURLAuthenticationMethodHTTPBasic), ("digest", false, NSURLAuthenticationMethodHTTPDigest),
        ("proxyBasic", true, NSURLAuthenticationMethodHTTPBasic),
        ("proxyDigest", true, NSURLAuthenticationMethodHTTPDigest),
    ])
    func `a challenge names its method and whether a proxy asks`(kind: String, isProxy: Bool, method: String) throws {
        let challenge = try LoadChallenge(
            space: .init(
                kind: kind, origin: Origin(scheme: .http, host: "p", port: 3128), realm: "lab", isProxy: isProxy),
            previousFailureCount: 0,
            response: LoadResponse(url: ClientURL("http://a:81/"), head: head("HTTP/1.1 401 No\r\n\r\n")))
        let space = challenge.urlChallenge { _ in }.protectionSpace
        #expect(space.authenticationMethod == method)
        #expect(space.host == "p" && space.port == 3128)
        #expect(space.realm == "lab")
        #expect(space.isProxy() == isProxy)
        #expect(space.proxyType == (isProxy ? NSURLProtectionSpaceHTTPProxy : nil))
    }

    @Test func `fields that come more than once are joined under the first spelling`() throws {
        let response = LoadResponse(
            url: try ClientURL("http://a/"),
            head: try head("HTTP/1.1 299 Odd\r\nVary: A\r\nX-B: 1\r\nVARY: B\r\nContent-Type: text/html\r\n\r\n"))
        let made = try #require(response.urlResponse as? HTTPURLResponse)
        #expect(made.statusCode == 299)
        #expect(made.value(forHTTPHeaderField: "vary") == "A, B")
        #expect(made.allHeaderFields.count == 3)
        #expect(made.mimeType == "text/html")
        #expect(made.url?.absoluteString == "http://a/")
    }

    private func head(_ text: String) throws -> ReplyHead {
        var reader = ReplyReader()
        reader.expectReply(to: Array("GET".utf8))
        let bytes = Array(text.utf8)
        var offset = 0
        while let event = reader.next(bytes.span, at: &offset) {
            if case .head(let head) = event { return head }
        }
        throw LoadError(.cannotParseResponse, "no head in \(text)")
    }
}
