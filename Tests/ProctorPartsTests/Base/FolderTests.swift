import Testing

@testable import ProctorBase

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

struct TemporaryFolderTests {
    @Test func `a variable that is missing or empty stands for tmp`() {
        #expect(TemporaryFolder.path(ofVariable: nil) == "/tmp")
        #expect(TemporaryFolder.path(ofVariable: "") == "/tmp")
        #expect(TemporaryFolder.path(ofVariable: "/var/tmp") == "/var/tmp")
    }

    @Test func `a folder is a new one, of this user alone`() throws {
        let beginning = "\(TemporaryFolder.path)/proctor-folder-test-"
        let made = try [TemporaryFolder.make(beginning), TemporaryFolder.make(beginning)]
        defer { for path in made { unsafe rmdir(path) } }
        #expect(Set(made).count == 2)
        for path in made {
            #expect(path.hasPrefix(beginning) && path.utf8.count == beginning.utf8.count + 6)
            var status = stat()
            #expect(unsafe stat(path, &status) == 0 && status.st_mode & 0o7777 == 0o700)
        }
    }

    @Test func `a folder that can't be made names its path`() {
        let failure = #expect(throws: CallFailure.self) { try TemporaryFolder.make("/nowhere/at-all-") }
        #expect(failure?.call == "mkdtemp /nowhere/at-all-XXXXXX" && failure?.code == ENOENT)
    }
}
