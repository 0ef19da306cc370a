import Foundation
import ProctorRecorder
import Testing

@testable import ProctorReference

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

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
