import ProctorBase
import ProctorTestSupport
import Testing

@testable import ProctorLoop

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

@Suite(.limit(minutes: 5))
struct OpenFileTests {
    @Test func `bytes are read from an offset, fewer at the end, none behind it`() throws {
        let path = temporaryPath("bytes")
        let content = pattern(1000)
        try write(content, to: path)
        defer { unsafe unlink(path) }
        let file = try OpenFile(path: path)
        #expect(file.byteCount == 1000)
        #expect(try file.bytes(from: 0, byteCount: 10) == Array(content[..<10]))
        #expect(try file.bytes(from: 990, byteCount: 100) == Array(content[990...]))
        #expect(try file.bytes(from: 1000, byteCount: 100) == [])
        #expect(try file.bytes(from: 5, byteCount: 0) == [])
    }

    @Test func `a folder is refused`() throws {
        #expect(openFailure("/tmp") == CallFailure(call: "open /tmp", code: EINVAL, text: "not a regular file"))
    }

    @Test func `a FIFO is refused and its writer not waited for`() throws {
        let path = temporaryPath("fifo")
        #expect(unsafe mkfifo(path, 0o600) == 0)
        defer { unsafe unlink(path) }
        #expect(openFailure(path)?.text == "not a regular file")
    }

    @Test func `a file that is not there is named`() throws {
        #expect(openFailure("/tmp/no/such/file") == .system("open /tmp/no/such/file", code: ENOENT))
    }

    @Test func `a link is followed, or refused where that is asked`() throws {
        let path = temporaryPath("behind")
        let link = temporaryPath("link")
        try write(pattern(10), to: path)
        #expect(unsafe symlink(path, link) == 0)
        defer {
            unsafe unlink(path)
            unsafe unlink(link)
        }
        let file = try OpenFile(path: path, followsLinks: false)
        guard let identity = file.identity else { throw CallFailure.system("fstat \(path)", code: 0) }
        #expect(try OpenFile(path: link).identity == identity && identity.byteCount == 10)
        #expect(throws: CallFailure.system("open \(link)", code: ELOOP)) {
            _ = try OpenFile(path: link, followsLinks: false)
        }
        try write(pattern(11), to: path)
        let changed = try #require(try OpenFile(path: path).identity)
        #expect(identity.change(to: changed) == "it has 11 bytes now, and had 10")
    }

    private func openFailure(_ path: String) -> CallFailure? {
        do throws(CallFailure) {
            _ = try OpenFile(path: path)
            return nil
        } catch {
            return error
        }
    }
}
