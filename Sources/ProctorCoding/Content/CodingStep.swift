/// One coding as it is applied, well or badly on purpose.
public struct CodingStep: Sendable, Equatable {
    /// What is applied, and its name.
    public let coding: ContentCoding
    /// In the library's own scale (gzip and deflate 0...9, br 0...11, zstd 1...22); nil: its default.
    public let level: Int?
    /// Only of gzip and x-gzip.
    public let gzip: GzipShape
    /// Only of deflate: without the zlib header and checksum.
    public let isRaw: Bool
    /// The checksum at the end is wrong; only of gzip, x-gzip, deflate (unless raw) and zstd.
    public let hasWrongChecksum: Bool
    /// Bytes left off at the end of what is coded.
    public let missingByteCount: Int
    /// Put behind what is coded.
    public let trailing: [UInt8]

    /// The defaults are a well-formed coding.
    public init(
        _ coding: ContentCoding, level: Int? = nil, gzip: GzipShape = GzipShape(), isRaw: Bool = false,
        hasWrongChecksum: Bool = false, missingByteCount: Int = 0, trailing: [UInt8] = []
    ) {
        self.coding = coding
        self.level = level
        self.gzip = gzip
        self.isRaw = isRaw
        self.hasWrongChecksum = hasWrongChecksum
        self.missingByteCount = missingByteCount
        self.trailing = trailing
    }
}
