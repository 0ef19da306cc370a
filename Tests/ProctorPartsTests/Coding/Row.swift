import ProctorBase
import ProctorCoding
import ProctorTestSupport
import Testing

/// A step, with the name that a test shows of it.
struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let step: CodingStep

    init(_ description: String, _ step: CodingStep) {
        testDescription = description
        self.step = step
    }

    /// What every decoder must take.
    static let wellFormed: [Row] = [
        Row("gzip", CodingStep(.gzip)), Row("gzip 0", CodingStep(.gzip, level: 0)),
        Row("gzip 1", CodingStep(.gzip, level: 1)), Row("gzip 9", CodingStep(.gzip, level: 9)),
        Row("x-gzip", CodingStep(.xGzip)),
        Row("gzip of members", CodingStep(.gzip, gzip: GzipShape(memberSizes: [0, 5, 7, 1]))),
        Row("gzip with a full header", CodingStep(.gzip, gzip: fullHeader)),
        Row(
            "gzip of members with a full header",
            CodingStep(
                .gzip,
                gzip: GzipShape(
                    memberSizes: [3, 4], name: fullHeader.name, comment: fullHeader.comment, extra: fullHeader.extra,
                    modified: 1_700_000_000, hasHeaderChecksum: true))),
        Row("deflate", CodingStep(.deflate)), Row("deflate 0", CodingStep(.deflate, level: 0)),
        Row("deflate 9", CodingStep(.deflate, level: 9)),
        Row("deflate raw", CodingStep(.deflate, isRaw: true)),
        Row("deflate raw 0", CodingStep(.deflate, level: 0, isRaw: true)),
        Row("br 0", CodingStep(.brotli, level: 0)), Row("br 5", CodingStep(.brotli, level: 5)),
        Row("br", CodingStep(.brotli)), Row("zstd", CodingStep(.zstd)), Row("zstd 1", CodingStep(.zstd, level: 1)),
        Row("zstd 19", CodingStep(.zstd, level: 19)), Row("zstd 22", CodingStep(.zstd, level: 22)),
        Row("identity", CodingStep(.identity)),
    ]

    static let fullHeader = GzipShape(
        name: Array("a.txt".utf8), comment: Array("caf\u{E9}".unicodeScalars.map { UInt8($0.value) }),
        extra: [0x41, 0x70, 2, 0, 1, 2], modified: 1_700_000_000, hasHeaderChecksum: true)
}

/// A step that gives bytes which no decoder may take, and what ours must say.
struct BrokenRow: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let step: CodingStep
    let kind: CodingFailure.Kind

    init(_ description: String, _ step: CodingStep, kind: CodingFailure.Kind) {
        testDescription = description
        self.step = step
        self.kind = kind
    }

    static let all: [BrokenRow] = [
        BrokenRow("gzip, wrong CRC", CodingStep(.gzip, hasWrongChecksum: true), kind: .checksum),
        BrokenRow("gzip, wrong ISIZE", CodingStep(.gzip, gzip: GzipShape(hasWrongLength: true)), kind: .length),
        BrokenRow(
            "gzip, last member wrong",
            CodingStep(.gzip, gzip: GzipShape(memberSizes: [4, 4]), hasWrongChecksum: true), kind: .checksum),
        BrokenRow("gzip, one byte missing", CodingStep(.gzip, missingByteCount: 1), kind: .truncated),
        BrokenRow("gzip, trailer missing", CodingStep(.gzip, missingByteCount: 8), kind: .truncated),
        BrokenRow("gzip, twenty missing", CodingStep(.gzip, missingByteCount: 20), kind: .truncated),
        BrokenRow("gzip, trailing", CodingStep(.gzip, trailing: Array("junk".utf8)), kind: .trailing),
        BrokenRow("deflate, wrong Adler-32", CodingStep(.deflate, hasWrongChecksum: true), kind: .checksum),
        BrokenRow("deflate, missing", CodingStep(.deflate, missingByteCount: 5), kind: .truncated),
        BrokenRow("deflate, trailing", CodingStep(.deflate, trailing: [0]), kind: .trailing),
        BrokenRow("deflate raw, missing", CodingStep(.deflate, isRaw: true, missingByteCount: 1), kind: .truncated),
        BrokenRow("deflate raw, trailing", CodingStep(.deflate, isRaw: true, trailing: [1]), kind: .trailing),
        BrokenRow("br, missing", CodingStep(.brotli, missingByteCount: 1), kind: .truncated),
        BrokenRow("br, trailing", CodingStep(.brotli, trailing: [0]), kind: .trailing),
        BrokenRow("zstd, wrong checksum", CodingStep(.zstd, hasWrongChecksum: true), kind: .checksum),
        BrokenRow("zstd, missing", CodingStep(.zstd, missingByteCount: 3), kind: .truncated),
        BrokenRow("zstd, trailing", CodingStep(.zstd, trailing: Array("junk".utf8)), kind: .trailing),
    ]
}

/// What a decoder made of its bytes.
struct Decoded: Equatable {
    var content: [UInt8] = []
    var failure: CodingFailure?
    /// The most that one call gave.
    var greatestCall = 0
}

/// Feeds bytes to a decoder piece by piece, as a client does.
enum Feeding {
    static func decode(_ pieces: [ArraySlice<UInt8>], _ codings: [ContentCoding]) throws -> Decoded {
        var chain = try DecodingChain(codings)
        var decoded = Decoded()
        do throws(CodingFailure) {
            for piece in pieces {
                let bytes = Array(piece)
                var offset = 0
                var hasMore = true
                while hasMore {
                    let before = decoded.content.count
                    defer { decoded.greatestCall = max(decoded.greatestCall, decoded.content.count - before) }
                    hasMore = try chain.decode(bytes.span, at: &offset, into: &decoded.content)
                }
                precondition(offset == bytes.count)
            }
            try chain.finish()
        } catch {
            decoded.failure = error
        }
        return decoded
    }

    static func whole(_ bytes: [UInt8], _ coding: ContentCoding) throws -> Decoded {
        try decode([bytes[...]], [coding])
    }

    static func byteByByte(_ bytes: [UInt8], _ coding: ContentCoding) throws -> Decoded {
        try decode(bytes.indices.map { bytes[$0...$0] }, [coding])
    }

    static func split(_ bytes: [UInt8], at place: Int, _ coding: ContentCoding) throws -> Decoded {
        try decode([bytes[..<place], bytes[place...]], [coding])
    }

    /// Codes content in pieces of that size.
    static func encode(_ content: [UInt8], _ step: CodingStep, by size: Int) throws -> [UInt8] {
        var encoder = try CodingEncoder(step)
        var output: [UInt8] = []
        var rest = content[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(size))
            rest = rest.dropFirst(size)
            try encoder.encode(piece.span, into: &output)
        }
        try encoder.finish(into: &output)
        return output
    }
}

/// Contents that the codings are tried on.
enum Sample {
    /// Short enough to be cut at every byte.
    static let text = Array("the quick brown fox jumps over the lazy dog; the lazy dog jumps over the fox\n".utf8)

    /// Runs, text and noise, more than three blocks of the encoder and no multiple of one.
    static let mixture: [UInt8] = {
        var generator = SeededGenerator(seed: 6)
        var bytes = [UInt8](repeating: 0x41, count: 70_001)
        while bytes.count < 140_000 { bytes += text }
        for _ in 0..<9_000 {
            let word = generator.next()
            for place in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: word >> (8 * UInt64(place)))) }
        }
        return bytes
    }()

    static let all: [[UInt8]] = [[], [0], text, mixture]
}
