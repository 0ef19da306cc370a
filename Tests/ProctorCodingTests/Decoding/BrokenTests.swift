import ProctorBase
import ProctorCoding
import Testing

struct BrokenTests {
    @Test(arguments: BrokenRow.all)
    func `damage is found with its kind, in whatever pieces the bytes come`(row: BrokenRow) throws {
        let coded = try CodingEncoder.encode(Sample.text, steps: [row.step])
        let whole = try Feeding.whole(coded, row.step.coding)
        let failure = try #require(whole.failure)
        #expect(failure.kind == row.kind)
        #expect(0...coded.count ~= failure.offset)
        // All of the content was given before the end was looked at, unless it is not there.
        if row.kind == .truncated {
            #expect(Sample.text.starts(with: whole.content))
        } else {
            #expect(whole.content == Sample.text)
        }
        let bytewise = try Feeding.byteByByte(coded, row.step.coding)
        #expect(bytewise.failure?.kind == row.kind)
        #expect(bytewise.content == whole.content)
        for place in 0...coded.count {
            let split = try Feeding.split(coded, at: place, row.step.coding)
            #expect(split.failure?.kind == row.kind, "split at \(place)")
            #expect(split.content == whole.content)
        }
    }

    @Test(arguments: [ContentCoding.gzip, .xGzip, .deflate, .brotli, .zstd])
    func `no bytes are an end within the format, and plain text is none of it`(coding: ContentCoding) throws {
        #expect(try Feeding.whole([], coding).failure == CodingFailure(.truncated, end(of: coding), offset: 0))
        let plain = try Feeding.whole(Array("<html>plain text</html>".utf8), coding)
        #expect(plain.failure != nil)
    }

    private func end(of coding: ContentCoding) -> String {
        switch coding {
        case .gzip, .xGzip: "gzip ends within a member"
        case .deflate: "deflate ends before its last block"
        case .brotli: "br ends before its last block"
        case .zstd: "zstd ends within a frame"
        case .identity: ""
        }
    }

    @Test func `every changed bit of a gzip file is handled, and found unless it has no meaning`() throws {
        let coded = try CodingEncoder.encode(Sample.text, steps: [CodingStep(.gzip, gzip: Row.fullHeader)])
        for place in coded.indices {
            for bit in 0..<8 {
                var changed = coded
                changed[place] ^= 1 << bit
                let decoded = try Feeding.whole(changed, .gzip)
                // FHCRC covers the header, CRC and ISIZE the rest, but not the bits that fill up the last byte.
                let meansNothing = place == coded.count - 9 && decoded.content == Sample.text
                #expect(decoded.failure != nil || meansNothing, "bit \(bit) of byte \(place)")
            }
        }
    }

    @Test func `zeros behind gzip are accepted, and other bytes are refused`() throws {
        let zeros = [UInt8](repeating: 0, count: 600)
        let padded = try CodingEncoder.encode(Sample.text, steps: [CodingStep(.gzip, trailing: zeros)])
        #expect(try Feeding.byteByByte(padded, .gzip).failure == nil)
        let decoded = try Feeding.whole(padded + [1], .gzip)
        #expect(decoded.failure?.kind == .trailing)
        #expect(decoded.failure?.offset == padded.count)
    }

    @Test(arguments: [[0x1F], [0x1F, 0x00], [0x1F, 0x1F], [0x50]] as [[UInt8]])
    func `the beginning of no other member is trailing`(bytes: [UInt8]) throws {
        let coded = try CodingEncoder.encode(Sample.text, steps: [CodingStep(.gzip, trailing: bytes)])
        #expect(try Feeding.whole(coded, .gzip).failure?.kind == .trailing)
        #expect(try Feeding.byteByByte(coded, .gzip).failure?.kind == .trailing)
    }

    @Test func `a block that was right is given before the wrong one behind it, however it comes`() throws {
        let head: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x58]
        // A raw block of five bytes, and a run of 100,000, more than one call gives (RFC 8878 §3.1.1.2).
        let blocks: [([UInt8], [UInt8])] = [
            ([0x28, 0, 0] + Array("hello".utf8), Array("hello".utf8)),
            ([0x02, 0x35, 0x0C, 0x41], [UInt8](repeating: 0x41, count: 100_000)),
        ]
        for (block, content) in blocks {
            // Then a block of the reserved type.
            let coded = head + block + [7, 0, 0]
            for decoded in [try Feeding.whole(coded, .zstd), try Feeding.byteByByte(coded, .zstd)] {
                #expect(decoded.failure?.kind == .corrupt)
                #expect(decoded.content == content)
            }
        }
    }

    @Test func `a failure is thrown again by every later call`() throws {
        var decoder = try CodingDecoder(.gzip)
        var output: [UInt8] = []
        var failures: [CodingFailure] = []
        let text = Sample.text
        for _ in 0..<3 {
            var offset = 0
            do throws(CodingFailure) {
                _ = try decoder.decode(text.span, at: &offset, into: &output)
            } catch { failures.append(error) }
        }
        do throws(CodingFailure) { try decoder.finish() } catch { failures.append(error) }
        let first = CodingFailure(.corrupt, "gzip begins with the bytes 1f 8b; this does not", offset: 0)
        #expect(failures == [first, first, first, first])
    }

    @Test(arguments: [-1, 2, Int.max, Int.min])
    func `an offset outside of the bytes is refused`(offset: Int) throws {
        var decoder = try CodingDecoder(.identity)
        var output: [UInt8] = []
        var place = offset
        let bytes: [UInt8] = [1]
        var kind: CodingFailure.Kind?
        do throws(CodingFailure) { _ = try decoder.decode(bytes.span, at: &place, into: &output) } catch {
            kind = error.kind
        }
        #expect(kind == .usage)
        #expect(output.isEmpty)
    }
}

struct BombTests {
    /// 256 MiB of zeros, never all at once.
    private static let pieceCount = 256
    private static let piece = [UInt8](repeating: 0, count: 1 << 20)

    @Test(arguments: [
        CodingStep(.gzip, level: 1), CodingStep(.deflate, level: 1), CodingStep(.brotli, level: 1),
        CodingStep(.zstd, level: 1),
    ])
    func `256 MiB of zeros pass in constant memory`(step: CodingStep) throws {
        var encoder = try CodingEncoder(step)
        var decoder = try CodingDecoder(step.coding)
        var coded: [UInt8] = []
        var content: [UInt8] = []
        var codedPeak = 0
        var total = 0
        func drain(_ decoder: inout CodingDecoder) throws {
            codedPeak = max(codedPeak, coded.count)
            var offset = 0
            var hasMore = true
            while hasMore {
                content.removeAll(keepingCapacity: true)
                hasMore = try decoder.decode(coded.span, at: &offset, into: &content)
                guard content.count <= CodingDecoder.outputBound else {
                    Issue.record("\(content.count) bytes at once")
                    return
                }
                total += content.count
            }
            coded.removeAll(keepingCapacity: true)
        }
        for _ in 0..<Self.pieceCount {
            try encoder.encode(Self.piece.span, into: &coded)
            try drain(&decoder)
        }
        try encoder.finish(into: &coded)
        try drain(&decoder)
        try decoder.finish()
        #expect(total == Self.pieceCount << 20)
        #expect(codedPeak < 1 << 20)
        #expect(content.capacity <= 4 * CodingDecoder.outputBound)
    }

    @Test func `nested bombs give no more than the bound in one call`() throws {
        let bomb = try CodingEncoder.encode(
            [UInt8](repeating: 0, count: 8 << 20), steps: [CodingStep(.gzip), CodingStep(.brotli, level: 1)])
        let decoded = try Feeding.decode([bomb[...]], [.gzip, .brotli])
        #expect(decoded.content.count == 8 << 20)
        #expect(decoded.greatestCall <= CodingDecoder.outputBound)
        #expect(decoded.failure == nil)
        let failure = #expect(throws: CodingFailure.self) {
            _ = try CodingDecoder.decode(bomb, codings: [.gzip, .brotli], limit: 100_000)
        }
        #expect(failure?.kind == .tooLarge)
    }
}
