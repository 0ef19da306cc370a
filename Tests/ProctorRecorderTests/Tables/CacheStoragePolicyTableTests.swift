import Foundation
import Testing

@testable import ProctorRecorder

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

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
