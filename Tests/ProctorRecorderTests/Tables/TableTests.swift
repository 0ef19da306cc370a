import Foundation
import Testing

@testable import ProctorAssignments
@testable import ProctorRecorder

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct CanonicalRequestTableTests {
    @Test func `a right implementation has no discrepancy`() {
        let found = CanonicalRequestTable.verify(CanonicalForm.of)
        #expect(found.isEmpty, "\(found.map(\.description).joined(separator: "\n"))")
    }

    @Test func `rows have ids of their own, reasons and sources, and there are as many as the parts of a request need`()
    {
        let rows = CanonicalRequestTable.rows
        #expect(Set(rows.map(\.id)).count == rows.count)
        #expect(rows.allSatisfy { !$0.reason.isEmpty && !$0.source.isEmpty && $0.request != nil })
        #expect(rows.count >= 40)
    }

    @Test func `the request itself is not canonical, and each thing that is missing is named`() {
        let found = CanonicalRequestTable.verify { $0 }
        #expect(
            found.filter { $0.requirement == .must }.map(\.row) == [
                "url/scheme-case", "url/scheme-case-tls", "url/host-case", "url/host-case-port", "url/empty-path",
                "url/empty-path-port", "url/empty-path-query", "url/empty-path-fragment", "url/all-at-once",
            ])
        #expect(
            found.filter { $0.requirement == .should }.map(\.row) == [
                "url/user-info", "url/ipv6-case", "url/no-separator", "url/half-separator", "url/no-host",
                "field/accept-default", "field/accept-encoding-default", "field/accept-language-default",
                "field/content-type-default",
            ])
    }

    @Test func `a form of its own that goes too far is caught`() {
        let found = CanonicalRequestTable.verify { request in
            var request = CanonicalForm.of(request)
            request.url = request.url.flatMap { URL(string: $0.absoluteString.lowercased()) }
            request.httpMethod = request.httpMethod?.uppercased()
            request.setValue("*/*", forHTTPHeaderField: "Accept")
            request.httpBody = nil
            return request
        }
        let rows = Set(found.map(\.row))
        #expect(
            rows.isSuperset(of: ["url/path-case", "url/user-info", "method/case", "body/kept", "field/accept-kept"]))
    }

    @Test func `a form that changes with every call is caught in every row`() {
        var count = 0
        let found = CanonicalRequestTable.verify { request in
            count += 1
            var request = CanonicalForm.of(request)
            request.setValue("\(count)", forHTTPHeaderField: "X-Count")
            return request
        }
        let impure = found.filter { $0.subject == "a second call" }
        #expect(impure.count == CanonicalRequestTable.rows.count)
        #expect(impure.allSatisfy { $0.requirement == .must && $0.got.contains("x-count") })
    }

    @Test func `a form that is not canonical itself is caught`() {
        let found = CanonicalRequestTable.verify { request in
            var request = CanonicalForm.of(request)
            if let text = request.url?.absoluteString { request.url = URL(string: text + "/") }
            return request
        }
        #expect(found.contains { $0.subject == "the canonical form of the canonical form" })
    }

    @Test func `a discrepancy reads as a sentence`() {
        let found = CanonicalRequestTable.verify { $0 }.first
        #expect(
            found?.description
                == """
                url/scheme-case: URL must be "http://example.com/a", got "HTTP://example.com/a" (RFC 9110 §4.2.3)
                """)
    }
}

struct CacheStoragePolicyTableTests {
    /// As a protocol should decide; `asSample` with the two liberties of Apple's sample.
    private func policy(
        _ request: URLRequest, _ response: HTTPURLResponse, asSample: Bool = false
    ) -> URLCache.StoragePolicy {
        let request = (
            control: request.value(forHTTPHeaderField: "Cache-Control")?.lowercased() ?? "",
            method: request.httpMethod, scheme: request.url?.scheme
        )
        let answer = response.value(forHTTPHeaderField: "Cache-Control")?.lowercased() ?? ""
        guard [200, 203, 206, 301, 304, 404, 410].contains(response.statusCode), !answer.contains("no-store") else {
            return .notAllowed
        }
        if request.control.contains("no-store"), !asSample || request.control.contains("no-cache") {
            return .notAllowed
        }
        if !asSample, request.method != "GET" { return .notAllowed }
        return request.scheme == "https" ? .allowedInMemoryOnly : .allowed
    }

    @Test func `a right implementation has no discrepancy`() {
        let found = CacheStoragePolicyTable.verify { policy($0, $1) }
        #expect(found.isEmpty, "\(found.map(\.description).joined(separator: "\n"))")
    }

    @Test func `what Apple's sample does differs only where the table says so`() {
        let found = CacheStoragePolicyTable.verify { policy($0, $1, asSample: true) }
        #expect(
            found.map(\.row) == ["request/no-store", "method/post", "method/put", "method/delete", "method/patch"])
        #expect(found.allSatisfy { $0.requirement == .should })
    }

    @Test func `a protocol that lets everything be kept is caught at every row that forbids it`() {
        let found = CacheStoragePolicyTable.verify { _, _ in .allowed }
        let forbidden = CacheStoragePolicyTable.rows.filter { !$0.accepted.contains(.allowed) }
        #expect(found.map(\.row) == forbidden.map(\.id))
        #expect(found.contains { $0.row == "status/200-tls" && $0.wanted == "allowedInMemoryOnly" })
    }

    @Test func `a protocol that lets nothing be kept breaks no must`() {
        let found = CacheStoragePolicyTable.verify { _, _ in .notAllowed }
        #expect(!found.isEmpty)
        #expect(found.allSatisfy { $0.requirement == .should })
    }

    @Test func `rows have ids of their own, reasons and sources`() {
        let rows = CacheStoragePolicyTable.rows
        #expect(Set(rows.map(\.id)).count == rows.count)
        #expect(rows.allSatisfy { !$0.reason.isEmpty && !$0.source.isEmpty && !$0.accepted.isEmpty })
        #expect(rows.allSatisfy { $0.exchange != nil })
    }
}

/// A canonical form that every row of the table is content with; bytes in, bytes out, for the sake of the odd URLs.
enum CanonicalForm {
    static func of(_ request: URLRequest) -> URLRequest {
        var request = request
        if let text = request.url?.absoluteString, let url = URL(string: canonical(text)) { request.url = url }
        if request.httpMethod == "POST", request.httpBody != nil || request.httpBodyStream != nil {
            setDefault("Content-Type", "application/x-www-form-urlencoded", of: &request)
        }
        setDefault("Accept", "*/*", of: &request)
        setDefault("Accept-Encoding", "gzip, deflate", of: &request)
        setDefault("Accept-Language", "en-us", of: &request)
        return request
    }

    private static func setDefault(_ name: String, _ value: String, of request: inout URLRequest) {
        if request.value(forHTTPHeaderField: name) == nil { request.setValue(value, forHTTPHeaderField: name) }
    }

    private static func canonical(_ text: String) -> String {
        guard let colon = text.firstIndex(of: ":") else { return text }
        let scheme = text[..<colon].lowercased()
        guard scheme == "http" || scheme == "https" else { return text }
        let rest = text[text.index(after: colon)...]
        let slashes = rest.prefix { $0 == "/" }.count
        let body = rest.dropFirst(min(slashes, 2))
        let end = body.firstIndex { "/?#".contains($0) } ?? body.endIndex
        var authority = String(body[..<end])
        let userEnd = authority.lastIndex(of: "@").map { authority.index(after: $0) } ?? authority.startIndex
        authority = authority[..<userEnd] + authority[userEnd...].lowercased()
        if authority.isEmpty { authority = "localhost" }
        let path = body[end...]
        return "\(scheme)://\(authority)\(path.first == "/" ? "" : "/")\(path)"
    }
}
