/// The most a reader takes of each part of a reply, in bytes unless it says otherwise.
public struct ReplyLimits: Sendable, Equatable {
    /// Empty lines before a status line, as a number of lines.
    public var emptyLineCount: Int
    /// Version, status and reason with the line end.
    public var statusLineByteCount: Int
    /// One line with its line end; each line of a folded field counts for itself.
    public var fieldLineByteCount: Int
    /// Field lines of a head or of a trailer section, as a number of lines.
    public var fieldCount: Int
    /// Status line and field section with all line ends; never more than 1 GiB, since ranges are kept as 32 bits.
    public var headByteCount: Int
    /// Interim replies before a final one, as a number of replies; each may be as long as a head.
    public var interimCount: Int
    /// A chunk-size line with its extensions, without the line end.
    public var chunkLineByteCount: Int
    /// The whole trailer section with all line ends, bounded like the head.
    public var trailerByteCount: Int
    /// Content without chunk heads, also where it runs until close; a tunnel has no limit.
    ///
    /// It is not stored, so this guards the caller's clock rather than our memory.
    public var bodyByteCount: Int

    /// The defaults are what browsers and curl take: heads of 256 KiB, lines of 100 KiB.
    public init(
        emptyLineCount: Int = 8,
        statusLineByteCount: Int = 8192,
        fieldLineByteCount: Int = 100 << 10,
        fieldCount: Int = 1000,
        headByteCount: Int = 256 << 10,
        interimCount: Int = 32,
        chunkLineByteCount: Int = 4096,
        trailerByteCount: Int = 64 << 10,
        bodyByteCount: Int = 1 << 40
    ) {
        self.emptyLineCount = emptyLineCount
        self.statusLineByteCount = statusLineByteCount
        self.fieldLineByteCount = fieldLineByteCount
        self.fieldCount = fieldCount
        self.headByteCount = headByteCount
        self.interimCount = interimCount
        self.chunkLineByteCount = chunkLineByteCount
        self.trailerByteCount = trailerByteCount
        self.bodyByteCount = bodyByteCount
    }
}
