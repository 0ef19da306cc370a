import Foundation
import ProctorCoding
import ProctorTestSupport
import Testing

/// Tests/Data/readers/coding/tar.md has what is read and refused.
struct TarArchiveTests {
    @Test func `what the system's tar writes is read`() async throws {
        let deep = String(repeating: "folder/", count: 18)
        let folder = try TestFolder(["in/\(deep)one": "1", "in/two": String(repeating: "2", count: 5_000)])
        let outcome = try await ChildProcess.run(
            ["/usr/bin/env", "tar", "--format", "ustar", "-cf", "-", "folder", "two"], in: "\(folder.path)/in")
        #expect(outcome.status == 0, "\(outcome.err)")
        let files = try TarArchive(parsing: outcome.output).files
        #expect(Set(files.map(\.path)) == ["\(deep)one", "two"])
        let second = try #require(files.first { $0.path == "two" })
        #expect(outcome.output[second.range].allSatisfy { $0 == UInt8(ascii: "2") } && second.range.count == 5_000)
    }
}
