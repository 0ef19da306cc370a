import Foundation
import Testing

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
