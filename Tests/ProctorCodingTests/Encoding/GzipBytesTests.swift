import ProctorCoding
import Testing

struct GzipBytesTests {
    @Test func `a header says what the shape says, in the order of RFC 1952`() throws {
        let bytes = try CodingEncoder.encode([], steps: [CodingStep(.gzip, level: 9, gzip: Row.fullHeader)])
        // 1700000000 is 0x6553F100; FHCRC, FEXTRA, FNAME and FCOMMENT; best compression; unknown system.
        var header: [UInt8] = [0x1F, 0x8B, 8, 0x1E, 0x00, 0xF1, 0x53, 0x65, 2, 255]
        header += [6, 0, 0x41, 0x70, 2, 0, 1, 2]
        header += Array("a.txt".utf8) + [0] + [0x63, 0x61, 0x66, 0xE9, 0]
        #expect(Array(bytes.prefix(header.count)) == header)
        // The two bytes of FHCRC, an empty last block, CRC and length of nothing.
        #expect(Array(bytes.dropFirst(header.count + 2)) == [3, 0] + [UInt8](repeating: 0, count: 8))
    }

    @Test func `the trailer holds the CRC-32 and the length, least byte first`() throws {
        let bytes = try CodingEncoder.encode(Array("123456789".utf8), steps: [CodingStep(.gzip)])
        // The check value of CRC-32 is 0xCBF43926.
        #expect(bytes.suffix(8) == [0x26, 0x39, 0xF4, 0xCB, 9, 0, 0, 0])
        let wrong = try CodingEncoder.encode(
            Array("123456789".utf8),
            steps: [CodingStep(.gzip, gzip: GzipShape(hasWrongLength: true), hasWrongChecksum: true)])
        #expect(wrong.suffix(8) == [0xD9, 0xC6, 0x0B, 0x34, 0xF6, 0xFF, 0xFF, 0xFF])
        #expect(wrong.dropLast(8) == bytes.dropLast(8))
    }

    @Test(arguments: [
        ([5, 7], 12, 2), ([5, 7], 20, 2), ([5, 7], 5, 1), ([5, 7], 0, 1), ([0, 5], 3, 2), ([], 9, 1),
    ])
    func `a member is begun while content is left, and the last takes the rest`(
        sizes: [Int], count: Int, members: Int
    ) throws {
        let content = Array(Sample.text.prefix(count))
        let name = Array("qqqq".utf8)
        let bytes = try CodingEncoder.encode(
            content, steps: [CodingStep(.gzip, gzip: GzipShape(memberSizes: sizes, name: name))])
        let heads = bytes.indices.filter { bytes[$0...].starts(with: name) }
        #expect(heads.count == members)
        #expect(try Feeding.whole(bytes, .gzip).content == content)
    }
}
