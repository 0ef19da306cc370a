import ProctorBase
import ProctorCoding
import ProctorTestSupport
import Testing

@testable import ProctorFixtures
@testable import ProctorScenario

struct MultipartReadingTests {
    @Test func `Macintosh files are packed at load`() throws {
        let folder = try TestFolder()
        try folder.write("from a file", to: "fork.bin")
        let reply = try #require(
            try replies(
                """
                { status: 200, body: [{ macbinary: { name: Read Me, type: TEXT, creator: ttxt, flags: 256, data: hello,
                  resource: { repeat: r, bytes: 300 }, created: 0, modified: 1700000000, version: 3 } },
                  { binhex: { name: a.txt, data: { file: fork.bin } } }, { macbinary: { name: b } }] }
                """.replacing("\n", with: " "), folder: folder.path
            ).first
        ).structured
        let first = try MacBinary(parsing: try #require(reply.pieces[0]))
        #expect(first.version == .three)
        #expect(
            first.file
                == (try ForkedFile(
                    name: "Read Me".bytes, type: "TEXT".bytes, creator: "ttxt".bytes, flags: 256, created: 0,
                    modified: 1_700_000_000, data: "hello".bytes,
                    resource: [UInt8](repeating: UInt8(ascii: "r"), count: 300))))
        let second = try BinHex(parsing: try #require(reply.pieces[1]))
        #expect(second.file == (try ForkedFile(name: "a.txt".bytes, data: "from a file".bytes)))
        #expect(try MacBinary(parsing: try #require(reply.pieces[2])).version == .two)
    }
}
