import ProctorCoding
import ProctorTestSupport
import Testing

struct RoundTripTests {
    @Test(arguments: Row.wellFormed)
    func `content of several blocks comes back, and no call gives more than the bound`(row: Row) throws {
        let coded = try CodingEncoder.encode(Sample.mixture, steps: [row.step])
        for decoded in [
            try Feeding.whole(coded, row.step.coding), try Feeding.split(coded, at: coded.count / 2, row.step.coding),
        ] {
            #expect(decoded.content == Sample.mixture)
            #expect(decoded.failure == nil)
            #expect(decoded.greatestCall <= CodingDecoder.outputBound)
        }
    }

    @Test func `empty calls change nothing`() throws {
        for coding in ContentCoding.allCases {
            let coded = try CodingEncoder.encode(Sample.text, steps: [CodingStep(coding)])
            let half = coded.count / 2
            let pieces = [coded[..<half]] + [ArraySlice<UInt8>](repeating: [], count: 100) + [coded[half...]]
            let decoded = try Feeding.decode(pieces, [coding])
            #expect(decoded.content == Sample.text && decoded.failure == nil, "\(coding)")
        }
    }
}

struct ChainTests {
    @Test(
        arguments: [
            [], [.identity], [.gzip], [.gzip, .brotli], [.zstd, .deflate, .gzip], [.gzip, .gzip, .identity, .gzip],
            [.brotli, .zstd, .gzip, .deflate, .brotli, .zstd, .gzip, .deflate],
        ] as [[ContentCoding]])
    func `codings are undone from the last to the first`(codings: [ContentCoding]) throws {
        let steps = codings.map { CodingStep($0, level: $0 == .identity ? nil : 3) }
        for content in Sample.all {
            let coded = try CodingEncoder.encode(content, steps: steps)
            #expect(try CodingDecoder.decode(coded, codings: codings, limit: content.count) == content)
            var generator = SeededGenerator(seed: UInt64(codings.count))
            var pieces: [ArraySlice<UInt8>] = []
            var rest = coded[...]
            while !rest.isEmpty {
                let count = Int.random(in: 1...5_000, using: &generator)
                pieces.append(rest.prefix(count))
                rest = rest.dropFirst(count)
            }
            let decoded = try Feeding.decode(pieces, codings)
            #expect(decoded.content == content)
            #expect(decoded.failure == nil)
        }
    }
}
