import Foundation
import ProctorBase
import ProctorHTTP
import ProctorTestSupport
import Testing

@testable import ProctorReference

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// HTTP by another name: the scheme is the caller's, the connection is the one of `http`.
@Suite(.limit(minutes: 5))
struct OwnSchemeTests {
    private final class LabProtocol: ReferenceProtocol {
        override class var options: Options {
            var options = super.options
            options.ownSchemes = ["proctor-lab"]
            return options
        }
    }

    @Test func `a class takes the scheme that it is told of, and no other`() throws {
        for (url, isTaken) in [
            ("proctor-lab://127.0.0.1:81/", true), ("PROCTOR-LAB://localhost/", true), ("http://127.0.0.1/", true),
            ("proctor-lab://example.com/", false), ("proctor://127.0.0.1/", false), ("lab://127.0.0.1/", false),
        ] {
            let request = URLRequest(url: try #require(URL(string: url)))
            #expect(LabProtocol.canInit(with: request) == isTaken, "\(url)")
            #expect(ReferenceProtocol.canInit(with: request) == url.hasPrefix("http:"))
        }
    }

    @Test(arguments: [
        ("/next", "proctor-lab://127.0.0.1:81/next"), ("next?a", "proctor-lab://127.0.0.1:81/dir/next?a"),
        ("//localhost:82/x", "proctor-lab://localhost:82/x"),
        ("Proctor-Lab://localhost/x", "proctor-lab://localhost/x"),
        ("http://127.0.0.1:81/next", "http://127.0.0.1:81/next"), ("https://localhost/x", "https://localhost/x"),
    ])
    func `a redirect stays in the scheme where Location names no other`(location: String, next: String) throws {
        let url = try ClientURL(typed: "proctor-lab://127.0.0.1:81/dir/page", ownSchemes: ["proctor-lab"])
        #expect(try url.resolving(location: Array(location.utf8)).text == next)
    }

    @Test func `a URL of the own scheme has an origin and a target of http`() throws {
        let url = try ClientURL(typed: " Proctor-Lab:///a b", ownSchemes: ["other", "proctor-lab"])
        #expect(url.text == "proctor-lab://localhost/a%20b" && url.description == url.text)
        #expect(url.origin == Origin(scheme: .http, host: "localhost", port: 80))
        #expect(url.absoluteTarget == Array("http://localhost/a%20b".utf8))
        #expect(try url.called(nil) == ClientURL("http://localhost/a%20b"))
        #expect(url != url.called(nil))
        #expect(throws: ClientURLError.unsupportedScheme("proctor-lab")) {
            try ClientURL(typed: "proctor-lab://localhost/")
        }
    }

    @Test func `a load of the scheme goes over the wire, and the client sees the scheme`() async throws {
        try await SessionBench.run { request, _ in
            request.target == "/start"
                ? reply(302, "", "Location: /end", "Set-Cookie: a=1", "Connection: close")
                : reply(200, "page", "Cache-Control: max-age=60", "Connection: close")
        } _: { bench in
            let store = ReferenceCookieStore()
            let client = SchemeClient()
            let url = try #require(URL(string: "PROCTOR-LAB://\(bench.address)/start"))
            let first = try #require(await client.load(URLRequest(url: url), store))
            #expect(first == "redirect proctor-lab://\(bench.address)/end by proctor-lab://\(bench.address)/start")
            let next = try #require(client.redirected)
            #expect(next.value(forHTTPHeaderField: "Cookie") == nil, "a cookie belongs to one request")
            #expect(await client.load(next, store) == "proctor-lab://\(bench.address)/end 200 page, may be stored")
            #expect(bench.asked.withLock { $0.map { $0.field("Cookie") } } == [nil, "a=1"])
            #expect(bench.asked.withLock { $0.first?.head.contains("Host: \(bench.address)\r\n") } == true)
        }
    }

    @Test func `a cookie of the loading system's goes alone`() async throws {
        try await SessionBench.run { _, _ in
            reply(200, "page", "Set-Cookie: a=1", "Connection: close")
        } _: { bench in
            let store = ReferenceCookieStore()
            var request = URLRequest(url: try #require(URL(string: "http://\(bench.address)/")))
            for value in [nil, "system=1"] {
                request.setValue(value, forHTTPHeaderField: "Cookie")
                _ = await SchemeClient().load(request, store)
            }
            request.setValue(nil, forHTTPHeaderField: "Cookie")
            _ = await SchemeClient().load(request, nil)
            request.httpShouldHandleCookies = false
            _ = await SchemeClient().load(request, store)
            #expect(bench.asked.withLock { $0.map { $0.field("Cookie") } } == [nil, "system=1", nil, nil])
            #expect(store.cookies.count == 1)
        }
    }
}

/// A client that tells what it has in the end, or of a redirect.
private final class SchemeClient: NSObject, URLProtocolClient, Sendable {
    private let state = Locked(State())

    private struct State {
        var redirected: URLRequest?
        var line = ""
        var waiter: CheckedContinuation<String?, Never>?
    }

    var redirected: URLRequest? { state.withLock { $0.redirected } }

    func load(_ request: URLRequest, _ store: ReferenceCookieStore?) async -> String? {
        var options = ReferenceProtocol.options
        options.ownSchemes = ["proctor-lab"]
        options.cookieStore = store
        let object = Confined(ReferenceProtocol(request: request, cachedResponse: nil, client: self, options: options))
        defer { object.value.stopLoading() }
        return await withCheckedContinuation { continuation in
            state.withLock { state in
                state.line = ""
                state.waiter = continuation
            }
            object.value.startLoading()
        }
    }

    private func end(_ line: String) {
        let waiter = state.withLock { state in
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: line)
    }

    func urlProtocol(_ protocol: URLProtocol, wasRedirectedTo request: URLRequest, redirectResponse: URLResponse) {
        state.withLock { $0.redirected = request }
        end("redirect \(request.url?.absoluteString ?? "") by \(redirectResponse.url?.absoluteString ?? "")")
    }

    func urlProtocol(
        _ protocol: URLProtocol, didReceive response: URLResponse, cacheStoragePolicy policy: URLCache.StoragePolicy
    ) {
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        state.withLock { $0.line = "\(response.url?.absoluteString ?? "") \(status)" }
        if policy == .allowed { state.withLock { $0.line += " may be stored" } }
    }

    func urlProtocol(_ protocol: URLProtocol, didLoad data: Data) {
        state.withLock { state in
            let words = state.line.split(separator: " ", maxSplits: 2)
            state.line =
                words.prefix(2).joined(separator: " ") + " \(String(decoding: data, as: UTF8.self))"
                + (words.count > 2 ? ", \(words[2])" : "")
        }
    }

    func urlProtocolDidFinishLoading(_ protocol: URLProtocol) { end(state.withLock { $0.line }) }

    func urlProtocol(_ protocol: URLProtocol, didFailWithError error: any Error) { end("\(error)") }
    func urlProtocol(_ protocol: URLProtocol, cachedResponseIsValid cachedResponse: CachedURLResponse) {}
    func urlProtocol(_ protocol: URLProtocol, didReceive challenge: URLAuthenticationChallenge) {}
    func urlProtocol(_ protocol: URLProtocol, didCancel challenge: URLAuthenticationChallenge) {}
}
