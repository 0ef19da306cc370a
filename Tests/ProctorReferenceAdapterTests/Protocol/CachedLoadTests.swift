import Foundation
import ProctorAssignments
import ProctorProgram
import ProctorRecorder
import ProctorTestSupport
import Testing

@testable import ProctorEvents
@testable import ProctorReference

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

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

@Suite(.limit(minutes: 5))
struct AnsweredLoadTests {
    @Test func `an object may give itself up after its redirect, as Apple's sample does`() async throws {
        var options = ReferenceProtocol.Options()
        options.afterRedirect = .failCancelled
        let redirect =
            "  - { request: GET /start, reply: { status: 302, headers: { Location: /done }, body: elsewhere } }"
        try await ProtocolBench.with(redirect) { bench in
            let trace = await bench.load(try bench.request("/start"), .patient.redirecting(.never), options: options)
            trace.expectRightful()
            #expect(trace.calls(0) == "redirect(302) complete(NSCocoaErrorDomain#3072)", "\(trace.text)")
            #expect(trace.wire == "GET /start")
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
