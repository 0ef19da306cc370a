import ProctorCoding
import Testing

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

    @Test func `a bomb within a bomb gives no more at once`() throws {
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
