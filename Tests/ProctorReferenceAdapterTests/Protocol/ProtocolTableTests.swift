import Foundation
import ProctorRecorder
import Testing

@testable import ProctorReference

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The class against the tables of the recorder (R52).
struct ProtocolTableTests {
    @Test func `the canonical form keeps every row but one`() {
        let found = CanonicalRequestTable.verify { ReferenceProtocol.canonicalRequest(for: $0) }
        // This client undoes no coding, so it must not ask for any as Apple's does.
        #expect(found.map(\.row) == ["field/accept-encoding-default"], "\(found)")
        #expect(found.allSatisfy { $0.requirement == .should })
    }

    @Test func `the storage policy keeps every row`() {
        let found = CacheStoragePolicyTable.verify { ReferenceProtocol.storagePolicy(of: $1, to: $0) }
        #expect(found.isEmpty, "\(found)")
    }
}
