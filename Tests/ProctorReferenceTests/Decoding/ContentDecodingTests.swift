import ProctorCoding
import ProctorTestSupport
import Testing

@testable import ProctorReference

/// The stage between framing and loader, without a wire.
@Suite(.limit(minutes: 5))
struct ContentDecodingTests {
    @Test(arguments: [ContentCoding.gzip, .deflate, .brotli, .zstd])
    func `a bomb comes in small pieces`(coding: ContentCoding) throws {
        let byteCount = 64 << 20
        let bomb = try Coded.zeros(byteCount, CodingStep(coding))
        #expect(bomb.count < 100_000)
        let decoding = try ContentDecoding([coding])
        decoding.append(bomb)
        var sum = 0
        while let piece = try decoding.next() {
            #expect(piece.count <= CodingDecoder.outputBound)
            sum += piece.count
        }
        try decoding.finish()
        #expect(sum == byteCount)
    }
}
