import ProctorCoding
import ProctorTestSupport
import Testing

@testable import ProctorReference

/// The stage between framing and loader, without a wire.
@Suite(.limit(minutes: 5))
struct ContentDecodingTests {
    private static let text = Array("One content, however it is cut: one content, however it is coded.".utf8)

    struct Row: Sendable, CustomTestStringConvertible {
        let codings: [ContentCoding]
        var isRaw = false
        var testDescription: String { codings.map(\.rawValue).joined(separator: ", ") + (isRaw ? " raw" : "") }

        func coded(_ content: [UInt8]) throws -> [UInt8] {
            try codings.reduce(content) { try Coded.bytes($0, CodingStep($1, isRaw: isRaw)) }
        }
    }

    static let rows = [
        Row(codings: [.gzip]), Row(codings: [.xGzip]), Row(codings: [.deflate]), Row(codings: [.deflate], isRaw: true),
        Row(codings: [.brotli]), Row(codings: [.zstd]), Row(codings: [.gzip, .brotli]),
        Row(codings: [.zstd, .deflate, .gzip]),
    ]

    /// All that comes of the pieces, and why it ended early.
    private func decoded(
        _ codings: [ContentCoding], _ pieces: [[UInt8]]
    ) throws -> (content: [UInt8], failure: CodingFailure.Kind?) {
        let decoding = try ContentDecoding(codings)
        var content: [UInt8] = []
        do throws(CodingFailure) {
            for piece in pieces {
                decoding.append(piece)
                while let more = try decoding.next() {
                    #expect(!more.isEmpty)
                    content += more
                }
            }
            try decoding.finish()
            return (content, nil)
        } catch {
            return (content, error.kind)
        }
    }

    @Test(arguments: rows) func `the content is the same however it is cut`(row: Row) throws {
        let coded = try row.coded(Self.text)
        var cuts = coded.indices.map { [Array(coded[..<$0]), Array(coded[$0...])] }
        cuts += [[coded], coded.map { [$0] }]
        for cut in cuts {
            let (content, failure) = try decoded(row.codings, cut)
            #expect(content == Self.text && failure == nil)
        }
    }

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

    @Test func `what is decoded before a failure is given before it`() throws {
        var coded = try Coded.bytes(pattern(100_000), CodingStep(.gzip, hasWrongChecksum: true))
        let (content, failure) = try decoded([.gzip], [coded])
        #expect(content == pattern(100_000))
        #expect(failure == .checksum)
        coded.replaceSubrange(0..<2, with: [1, 2])
        #expect(try decoded([.gzip], [coded]).content.isEmpty)
    }

    @Test func `too many codings are refused`() throws {
        #expect(throws: CodingFailure.self) {
            _ = try ContentDecoding([ContentCoding](repeating: .gzip, count: DecodingChain.depthBound + 1))
        }
    }
}
