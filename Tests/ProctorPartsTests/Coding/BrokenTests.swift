import ProctorBase
import ProctorCoding
import Testing

struct BrokenTests {
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
