/// The most a reader takes of each part of a request, in bytes unless it says otherwise.
public struct RequestLimits: Sendable, Equatable {
    /// Empty lines before a request line, as a number of lines.
    public var emptyLineCount: Int
    /// A longer method is answered with 501 (RFC 9112 §3).
    public var methodByteCount: Int
    /// RFC 9112 §3 recommends request lines of at least 8000.
    public var targetByteCount: Int
    /// One line with its line end; each line of a folded field counts for itself.
    public var fieldLineByteCount: Int
    /// Field lines of a head or of a trailer section, as a number of lines.
    public var fieldCount: Int
    /// Request line and field section with all line ends; never more than 1 GiB, since ranges are kept as 32 bits.
    public var headByteCount: Int
    /// A chunk-size line with its extensions, without the line end.
    public var chunkLineByteCount: Int
    /// The whole trailer section with all line ends, bounded like the head.
    public var trailerByteCount: Int
    /// Content without chunk heads.
    ///
    /// It is not stored, so this guards the peer's clock rather than our memory.
    public var bodyByteCount: Int

    /// The defaults are what common servers take, and a little more.
    public init(
        emptyLineCount: Int = 8,
        methodByteCount: Int = 256,
        targetByteCount: Int = 8192,
        fieldLineByteCount: Int = 32 << 10,
        fieldCount: Int = 200,
        headByteCount: Int = 64 << 10,
        chunkLineByteCount: Int = 4096,
        trailerByteCount: Int = 16 << 10,
        bodyByteCount: Int = 1 << 40
    ) {
        self.emptyLineCount = emptyLineCount
        self.methodByteCount = methodByteCount
        self.targetByteCount = targetByteCount
        self.fieldLineByteCount = fieldLineByteCount
        self.fieldCount = fieldCount
        self.headByteCount = headByteCount
        self.chunkLineByteCount = chunkLineByteCount
        self.trailerByteCount = trailerByteCount
        self.bodyByteCount = bodyByteCount
    }

    /// The longest request line: method, target and 32 bytes for version, separators and line end.
    var requestLineByteCount: Int { Self.sum(Self.sum(methodByteCount, targetByteCount), 32) }

    private static func sum(_ left: Int, _ right: Int) -> Int {
        let (sum, overflow) = left.addingReportingOverflow(right)
        return overflow ? .max : sum
    }
}
