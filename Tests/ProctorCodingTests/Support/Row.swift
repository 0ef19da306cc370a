import ProctorCoding
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

    init(_ description: String, _ step: CodingStep, _ kind: CodingFailure.Kind) {
        testDescription = description
        self.step = step
        self.kind = kind
    }

    static let all: [BrokenRow] = [
        BrokenRow("gzip, wrong CRC", CodingStep(.gzip, hasWrongChecksum: true), .checksum),
        BrokenRow("gzip, wrong ISIZE", CodingStep(.gzip, gzip: GzipShape(hasWrongLength: true)), .length),
        BrokenRow(
            "gzip, last member wrong",
            CodingStep(.gzip, gzip: GzipShape(memberSizes: [4, 4]), hasWrongChecksum: true), .checksum),
        BrokenRow("gzip, one byte missing", CodingStep(.gzip, missingByteCount: 1), .truncated),
        BrokenRow("gzip, trailer missing", CodingStep(.gzip, missingByteCount: 8), .truncated),
        BrokenRow("gzip, twenty missing", CodingStep(.gzip, missingByteCount: 20), .truncated),
        BrokenRow("gzip, trailing", CodingStep(.gzip, trailing: Array("junk".utf8)), .trailing),
        BrokenRow("deflate, wrong Adler-32", CodingStep(.deflate, hasWrongChecksum: true), .checksum),
        BrokenRow("deflate, missing", CodingStep(.deflate, missingByteCount: 5), .truncated),
        BrokenRow("deflate, trailing", CodingStep(.deflate, trailing: [0]), .trailing),
        BrokenRow("deflate raw, missing", CodingStep(.deflate, isRaw: true, missingByteCount: 1), .truncated),
        BrokenRow("deflate raw, trailing", CodingStep(.deflate, isRaw: true, trailing: [1]), .trailing),
        BrokenRow("br, missing", CodingStep(.brotli, missingByteCount: 1), .truncated),
        BrokenRow("br, trailing", CodingStep(.brotli, trailing: [0]), .trailing),
        BrokenRow("zstd, wrong checksum", CodingStep(.zstd, hasWrongChecksum: true), .checksum),
        BrokenRow("zstd, missing", CodingStep(.zstd, missingByteCount: 3), .truncated),
        BrokenRow("zstd, trailing", CodingStep(.zstd, trailing: Array("junk".utf8)), .trailing),
    ]
}
