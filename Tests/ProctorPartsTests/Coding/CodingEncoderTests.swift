import ProctorBase
import ProctorCoding
import ProctorTestSupport
import Testing

struct CodingEncoderTests {
    @Test(arguments: Row.wellFormed)
    func `the same content gives the same bytes, however it is cut`(row: Row) throws {
        let whole = try Feeding.encode(Sample.mixture, row.step, by: .max)
        for size in [65_536, 10_007, 1_000] {
            #expect(try Feeding.encode(Sample.mixture, row.step, by: size) == whole, "pieces of \(size)")
        }
        let short = try Feeding.encode(Sample.text, row.step, by: .max)
        #expect(try Feeding.encode(Sample.text, row.step, by: 1) == short)
    }

    @Test(.wide, arguments: [ContentCoding.gzip, .deflate, .brotli, .zstd, .identity])
    func `missing bytes are taken from the end, and never more than there are`(coding: ContentCoding) throws {
        let whole = try CodingEncoder.encode(Sample.mixture, steps: [CodingStep(coding)])
        for count in [0, 1, 7, 70_000, whole.count - 1, whole.count, whole.count + 1, 1 << 20] {
            let step = CodingStep(coding, missingByteCount: count)
            let cut = try Feeding.encode(Sample.mixture, step, by: 9_999)
            #expect(cut == whole.dropLast(count), "\(count) missing")
        }
    }

    @Test func `trailing bytes stand after the cut end`() throws {
        let step = CodingStep(.identity, missingByteCount: 3, trailing: [1, 2])
        #expect(try CodingEncoder.encode([5, 6, 7, 8], steps: [step]) == [5, 1, 2])
        #expect(try CodingEncoder.encode([5], steps: [step]) == [1, 2])
    }

    @Test func `a finished encoder takes nothing more`() throws {
        var encoder = try CodingEncoder(CodingStep(.gzip))
        var output: [UInt8] = []
        try encoder.finish(into: &output)
        let count = output.count
        let text = Sample.text
        var kinds: [CodingFailure.Kind] = []
        do throws(CodingFailure) { try encoder.encode(text.span, into: &output) } catch { kinds.append(error.kind) }
        do throws(CodingFailure) { try encoder.finish(into: &output) } catch { kinds.append(error.kind) }
        #expect(kinds == [.usage, .usage])
        #expect(output.count == count)
    }
}

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
