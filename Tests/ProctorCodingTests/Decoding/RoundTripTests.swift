import ProctorCoding
import Testing

struct RoundTripTests {
    @Test(arguments: Row.wellFormed)
    func `content comes back whole, byte by byte and split at every byte`(row: Row) throws {
        for content in [[], [0], Sample.text] {
            let coded = try CodingEncoder.encode(content, steps: [row.step])
            let whole = try Feeding.whole(coded, row.step.coding)
            #expect(whole.content == content && whole.failure == nil)
            let bytewise = try Feeding.byteByByte(coded, row.step.coding)
            #expect(bytewise.content == content && bytewise.failure == nil)
            for place in 0...coded.count {
                let decoded = try Feeding.split(coded, at: place, row.step.coding)
                #expect(decoded.content == content && decoded.failure == nil, "split at \(place)")
            }
        }
    }

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

    @Test(arguments: Row.wellFormed)
    func `every end before the end is one`(row: Row) throws {
        guard row.step.coding != .identity else { return }
        let coded = try CodingEncoder.encode(Sample.text, steps: [row.step])
        let inner = row.step.gzip.memberSizes.isEmpty ? coded.count : 10
        for count in 0..<inner {
            let decoded = try Feeding.whole(Array(coded.prefix(count)), row.step.coding)
            #expect(decoded.failure?.kind == .truncated, "\(count) bytes")
            #expect(decoded.failure?.offset == count)
            #expect(Sample.text.starts(with: decoded.content))
        }
    }

    @Test func `many empty calls are none`() throws {
        for coding in ContentCoding.allCases {
            let coded = try CodingEncoder.encode(Sample.text, steps: [CodingStep(coding)])
            let half = coded.count / 2
            let pieces = [coded[..<half]] + [ArraySlice<UInt8>](repeating: [], count: 100) + [coded[half...]]
            let decoded = try Feeding.decode(pieces, [coding])
            #expect(decoded.content == Sample.text && decoded.failure == nil, "\(coding)")
        }
    }
}
