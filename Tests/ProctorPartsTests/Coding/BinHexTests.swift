import Testing

@testable import ProctorCoding

struct BinHexTests {
    private static let contents: [[UInt8]] = [
        [], [0x90], [0x90, 0x90, 0x90, 0x90], [0x90, 0], [1, 1], [1, 1, 1], [UInt8](repeating: 7, count: 255),
        [UInt8](repeating: 7, count: 256), [UInt8](repeating: 0x90, count: 600), Sample.text, Sample.mixture,
    ]

    @Test func `the CRC has the check value of XMODEM`() {
        #expect(CRC16.checksum(of: Array("123456789".utf8)) == 0x31C3)
        #expect(CRC16.checksum(of: []) == 0)
    }

    // By number: the runner would print each byte of an argument.
    @Test(arguments: contents.indices)
    func `a file comes back`(number: Int) throws {
        let content = Self.contents[number]
        let file = try ForkedFile(
            name: Array("Read Me".utf8), type: Array("TEXT".utf8), creator: Array("ttxt".utf8), flags: 0x2100,
            data: content, resource: content.reversed())
        let bytes = BinHex(file).bytes
        #expect(try BinHex(parsing: bytes).file == file)
        // Lines of 64 characters, but the last, which the colon may make longer by one.
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).dropFirst(2).dropLast()
        #expect(lines.dropLast().allSatisfy { $0.count == 64 })
        #expect(try 2...65 ~= #require(lines.last).count)
    }

    @Test(arguments: contents.indices)
    func `runs come back`(number: Int) throws {
        let content = Self.contents[number]
        #expect(try BinHexRuns.unpack(BinHexRuns.pack(content), limit: content.count) == content)
    }

    /// The examples of RFC 1741 appendix A.
    @Test func `runs are written as the RFC shows`() throws {
        #expect(BinHexRuns.pack([0x11, 0x22, 0x22, 0x22, 0x22, 0x22, 0x22, 0x33]) == [0x11, 0x22, 0x90, 6, 0x33])
        #expect(BinHexRuns.pack([0x11, 0x22, 0x90, 0x33, 0x44]) == [0x11, 0x22, 0x90, 0, 0x33, 0x44])
        // A run of the mark itself: the mark, then its run.
        #expect(try BinHexRuns.unpack([0x20, 0x90, 0, 0x90, 3], limit: 10) == [0x20, 0x90, 0x90, 0x90])
    }

    @Test func `a letter around it and other ends of lines are read over`() throws {
        let file = try ForkedFile(name: [0x61], data: Sample.text)
        let bytes = BinHex(file).bytes.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] }
        let letter = Array("Dear: all\r\n:not this\r\n".utf8) + bytes + Array("regards\r\n:::".utf8)
        #expect(try BinHex(parsing: letter).file == file)
    }

    @Test func `every cut and every changed character is survived`() throws {
        let file = try ForkedFile(name: [0x61, 0x62], data: Sample.text, resource: [1, 2, 3])
        let bytes = BinHex(file).bytes
        // The last two bytes are the colon and the end of its line.
        for count in 0..<bytes.count - 1 {
            #expect(throws: CodingFailure.self) { try BinHex(parsing: Array(bytes.prefix(count))) }
        }
        for place in bytes.indices {
            for byte in [UInt8(ascii: "!"), 0x90, 0, 0x3A] where byte != bytes[place] {
                var changed = bytes
                changed[place] = byte
                if let other = try? BinHex(parsing: changed) {
                    // The end of the announcement, the version, and bits that fill up the last character mean nothing.
                    #expect(other.file == file, "byte \(place)")
                }
            }
        }
    }

    @Test func `each fault has its own kind`() throws {
        func kind(_ text: String) -> CodingFailure.Kind? {
            do throws(CodingFailure) {
                _ = try BinHex(parsing: Array(text.utf8))
                return nil
            } catch {
                return error.kind
            }
        }
        let head = "(This file must be converted with BinHex 4.0)\n"
        #expect(kind("") == .corrupt)
        #expect(kind(":::") == .corrupt)
        #expect(kind(head) == .corrupt)
        #expect(kind(head + ":") == .truncated)
        #expect(kind(head + ":!!!7") == .corrupt)
        #expect(kind(head + "::") == .truncated)
        #expect(throws: CodingFailure(.corrupt, "BinHex: a run of no byte stands at the beginning")) {
            try BinHexRuns.unpack([0x90, 3], limit: 10)
        }
        let long: [UInt8] = [0] + [UInt8](repeating: 0, count: 0) + Array([[0x90, 255], [0x90, 255]].joined())
        #expect(throws: CodingFailure.self) { try BinHexRuns.unpack(long, limit: 300) }
        let file = try ForkedFile(name: [0x61], data: [1, 2, 3], resource: [4, 5])
        #expect(kind(String(decoding: BinHex(file).bytes, as: UTF8.self)) == nil)
    }
}
