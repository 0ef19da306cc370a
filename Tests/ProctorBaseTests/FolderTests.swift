import Testing

@testable import ProctorBase

struct TemporaryFolderTests {
    @Test func `a variable that is missing or empty stands for tmp`() {
        #expect(TemporaryFolder.path(ofVariable: nil) == "/tmp")
        #expect(TemporaryFolder.path(ofVariable: "") == "/tmp")
        #expect(TemporaryFolder.path(ofVariable: "/var/tmp") == "/var/tmp")
    }
}
