import Foundation
import ProctorRecorder
import ProctorTestSupport
import Testing

@testable import ProctorEvents
@testable import ProctorReference

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.limit(minutes: 5))
struct PlainLoadTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var method = "GET"
        let reply: String
        let calls: String
        var body: String? = ""
        var testDescription: String { "\(method) \(reply)" }
    }

    @Test(arguments: [
        Row(reply: "{ status: 200, body: hello }", calls: "response(200) data+ complete(ok)", body: "hello"),
        Row(
            method: "HEAD", reply: "{ status: 200, headers: { Content-Length: '5' } }",
            calls: "response(200) complete(ok)"),
        Row(reply: "{ status: 204 }", calls: "response(204) complete(ok)"),
        Row(reply: "{ status: 304 }", calls: "response(304) complete(ok)"),
        Row(reply: "{ status: 200, headers: { Content-Length: '0' } }", calls: "response(200) complete(ok)"),
        Row(reply: "{ status: 404, body: nope }", calls: "response(404) data+ complete(ok)", body: "nope"),
        Row(reply: "{ status: 500, body: oops }", calls: "response(500) data+ complete(ok)", body: "oops"),
        Row(
            reply: "{ status: 200, framing: { chunked: [3] }, body: hello }", calls: "response(200) data+ complete(ok)",
            body: "hello"),
        Row(
            reply: "{ interim: [{ status: 103 }], status: 200, body: x }", calls: "response(200) data+ complete(ok)",
            body: "x"),
        Row(reply: "{ status: 401, body: who }", calls: "response(401) data+ complete(ok)", body: "who"),
        Row(reply: "{ status: 302, body: where }", calls: "response(302) data+ complete(ok)", body: "where"),
    ])
    func `a reply is told as it is, whatever its status`(_ row: Row) async throws {
        try await ProtocolBench.with("  - { request: \"* /a\", reply: \(row.reply) }") { bench in
            var request = try bench.request("/a")
            request.httpMethod = row.method
            let trace = await bench.load(request)
            trace.expectRightful()
            #expect(trace.calls() == row.calls, "\(trace.text)")
            #expect(trace.result.text(.body) == row.body)
            #expect(trace.wire == "\(row.method) /a")
        }
    }

    @Test func `the response has the url, the fields and the policy that it should have`() async throws {
        let reply = """
              - request: "* /*"
                reply:
                  status: 200
                  headers:
                    - Content-Type: text/html; charset=utf-8
                    - Vary: Accept
                    - vary: Accept-Language
                    - Cache-Control: no-store
                  body: hello
            """
        try await ProtocolBench.with(reply) { bench in
            let trace = await bench.load(try bench.request("/a?b#c"))
            let response = try #require(trace.events.first { $0.name == .response })
            #expect(response.facts.text(.url) == "\(bench.base)/a?b#c")
            #expect(response.facts.text(.mime) == "text/html")
            #expect(response.facts.integer(.expectedLength) == 5)
            #expect(response.facts.text(.storage) == "notAllowed")
        }
    }

    @Test func `a request is sent in canonical form with the default fields, whatever form the caller has given`()
        async throws
    {
        try await ProtocolBench.with("  - { request: \"* /*\", reply: { status: 204 } }") { bench in
            var request = try bench.request("")
            request.httpMethod = "POST"
            request.httpBody = Data("a=1".utf8)
            let trace = await bench.load(request)
            #expect(trace.wire == "POST /")
            #expect(trace.field("Content-Type", ofRequest: 0) == "application/x-www-form-urlencoded")
            #expect(trace.field("Accept", ofRequest: 0) == "*/*")
            #expect(trace.field("Accept-Encoding", ofRequest: 0) == "gzip, deflate")
            #expect(trace.field("User-Agent", ofRequest: 0)?.hasPrefix("ProctorReference/") == true)
            #expect(trace.bodies == "3")
        }
    }

    @Test(arguments: [nil, "5"])
    func `a body stream is sent in chunks, or with the length that the request says`(length: String?) async throws {
        try await ProtocolBench.with("  - { request: \"PUT /a\", reply: { status: 204 } }") { bench in
            var request = try bench.request("/a")
            request.httpMethod = "PUT"
            request.httpBodyStream = InputStream(data: Data("hello".utf8))
            if let length { request.setValue(length, forHTTPHeaderField: "Content-Length") }
            let trace = await bench.load(request)
            trace.expectRightful()
            #expect(trace.calls() == "response(204) complete(ok)", "\(trace.text)")
            #expect(trace.bodies == "5")
            #expect(trace.field("Content-Length", ofRequest: 0) == length)
            #expect(trace.field("Transfer-Encoding", ofRequest: 0) == (length == nil ? "chunked" : nil))
        }
    }

    @Test func `much content comes whole, however slowly the client takes it`() async throws {
        let reply = "  - { request: GET /a, reply: { status: 200, body: { repeat: abc, bytes: 5000000 } } }"
        try await ProtocolBench.with(reply) { bench in
            let trace = await bench.load(try bench.request("/a"))
            trace.expectRightful()
            #expect(trace.result.integer(.bytes) == 5_000_000)
        }
    }

    struct Broken: Sendable, CustomTestStringConvertible {
        let reply: String
        let ends: [String]
        var testDescription: String { reply }
    }

    @Test(arguments: [
        Broken(
            reply: "{ status: 200, body: { repeat: x, bytes: 100000 }, effects: [{ at: body 5000, do: reset }] }",
            ends: ["response(200) data+ complete(connectionLost)", "response(200) complete(connectionLost)"]),
        Broken(reply: "{ effects: [{ at: head, do: close }], status: 200 }", ends: ["complete(connectionLost)"]),
        Broken(
            reply: "{ raw: \"garbage\\r\\n\\r\\n\" }",
            ends: ["complete(cannotParseResponse)", "complete(badServerResponse)"]),
        Broken(
            reply: "{ status: 200, headers: { Content-Length: '10' }, body: [short, { do: close }] }",
            ends: ["response(200) data+ complete(connectionLost)"]),
    ])
    func `a broken reply fails the load once`(_ row: Broken) async throws {
        try await ProtocolBench.with("  - { request: GET /a, reply: \(row.reply) }") { bench in
            let trace = await bench.load(try bench.request("/a"))
            trace.expectRightful()
            #expect(row.ends.contains(trace.calls()), "\(trace.text)")
        }
    }

    @Test func `a port without a listener fails the load`() async throws {
        try await ProtocolBench.with("  - { request: GET /a, reply: { status: 204 } }") { bench in
            // No process listens on the discard port, and the system refuses at once.
            let trace = await bench.load(URLRequest(url: try #require(URL(string: "http://127.0.0.1:9/"))))
            trace.expectRightful()
            #expect(trace.calls() == "complete(cannotConnect)", "\(trace.text)")
        }
    }

    @Test func `the request's time is the longest silence`() async throws {
        let reply =
            "  - { request: GET /a, reply: { status: 200, headers: { Content-Length: '9' }, body: [abc, { do: stall }] } }"
        try await ProtocolBench.with(reply) { bench in
            var request = try bench.request("/a")
            request.timeoutInterval = 0.3
            let trace = await bench.load(request)
            trace.expectRightful()
            #expect(trace.calls() == "response(200) data+ complete(timedOut)", "\(trace.text)")
        }
    }
}

/// What becomes of a cached response (R33).
@Suite(.limit(minutes: 5))
struct CachedLoadTests {
    private static let page = """
          - request: { method: GET, path: /page, headers: { If-None-Match: '"1"' } }
            reply: { status: 304, headers: { ETag: '"1"' } }
          - { request: GET /page, reply: { status: 200, headers: { ETag: '"2"' }, body: new } }
        """

    private var heeding: ReferenceProtocol.Options {
        var options = ReferenceProtocol.Options()
        options.heedsCachedResponses = true
        return options
    }

    private func cached(_ request: URLRequest, _ fields: [String: String]) throws -> CachedURLResponse {
        let url = try #require(request.url)
        let response = try #require(
            HTTPURLResponse(url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: fields))
        return CachedURLResponse(response: response, data: Data("old".utf8))
    }

    @Test func `a cached response that still holds is told in place of the 304, and nothing twice`() async throws {
        try await ProtocolBench.with(Self.page) { bench in
            let request = try bench.request("/page")
            let cached = try cached(request, ["ETag": "\"1\"", "Last-Modified": "Fri, 20 Nov 2026 10:00:00 GMT"])
            let trace = await bench.load(request, options: heeding, cached: cached)
            trace.expectRightful()
            #expect(trace.calls() == "cacheValidated complete(ok)", "\(trace.text)")
            #expect(trace.result.text(.body) == "old")
            #expect(trace.field("If-None-Match", ofRequest: 0) == "\"1\"")
            #expect(trace.field("If-Modified-Since", ofRequest: 0) == "Fri, 20 Nov 2026 10:00:00 GMT")
        }
    }

    @Test func `a cached response that no longer holds gives way`() async throws {
        try await ProtocolBench.with(Self.page) { bench in
            let request = try bench.request("/page")
            let trace = await bench.load(request, options: heeding, cached: try cached(request, ["ETag": "\"0\""]))
            trace.expectRightful()
            #expect(trace.calls() == "response(200) data+ complete(ok)", "\(trace.text)")
            #expect(trace.result.text(.body) == "new")
        }
    }

    @Test(arguments: [true, false])
    func `nothing is asked about a response without validators, nor where validations are not heeded`(
        isHeeded: Bool
    ) async throws {
        try await ProtocolBench.with(Self.page) { bench in
            var options = heeding
            options.heedsCachedResponses = isHeeded
            let request = try bench.request("/page")
            let cached = try cached(request, isHeeded ? [:] : ["ETag": "\"1\""])
            let trace = await bench.load(request, options: options, cached: cached)
            trace.expectRightful()
            #expect(trace.calls() == "response(200) data+ complete(ok)", "\(trace.text)")
            #expect(trace.field("If-None-Match", ofRequest: 0) == nil)
        }
    }

    @Test func `a condition of the caller's own gets its 304`() async throws {
        try await ProtocolBench.with(Self.page) { bench in
            var request = try bench.request("/page")
            request.setValue("\"1\"", forHTTPHeaderField: "If-None-Match")
            let trace = await bench.load(request, options: heeding, cached: try cached(request, ["ETag": "\"0\""]))
            trace.expectRightful()
            #expect(trace.calls() == "response(304) complete(ok)", "\(trace.text)")
        }
    }

    @Test func `cached data is enough where the request says so, and without any nothing is loaded`() async throws {
        try await ProtocolBench.with(Self.page) { bench in
            var request = try bench.request("/page")
            let cached = try cached(request, [:])
            request.cachePolicy = .returnCacheDataElseLoad
            var trace = await bench.load(request, options: heeding, cached: cached)
            #expect(trace.calls() == "cacheValidated complete(ok)", "\(trace.text)")
            request.cachePolicy = .returnCacheDataDontLoad
            trace = await bench.load(request, options: heeding, cached: cached)
            #expect(trace.calls() == "cacheValidated complete(ok)", "\(trace.text)")
            trace = await bench.load(request, options: heeding)
            trace.expectRightful()
            #expect(trace.calls() == "complete(resourceUnavailable)", "\(trace.text)")
            #expect(trace.wire.isEmpty)
        }
    }
}

/// The class against the tables of the recorder (R52).
struct ProtocolTableTests {
    @Test func `the canonical form keeps every row`() {
        let found = CanonicalRequestTable.verify { ReferenceProtocol.canonicalRequest(for: $0) }
        #expect(found.isEmpty, "\(found)")
    }

    @Test func `the storage policy keeps every row`() {
        let found = CacheStoragePolicyTable.verify { ReferenceProtocol.storagePolicy(of: $1, to: $0) }
        #expect(found.isEmpty, "\(found)")
    }
}
