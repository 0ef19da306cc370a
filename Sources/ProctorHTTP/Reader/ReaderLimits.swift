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
    /// Content is not stored, so this bounds the time that a peer can take rather than our memory.
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
    /// Content is not stored, so this bounds the caller's time rather than our memory.
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

/// The most of what stands behind a head, from either direction's limits.
struct ContentLimits: Sendable {
    let bodyByteCount: Int
    let chunkLineByteCount: Int
    let trailers: SectionReader.Rules
}

extension SectionReader.Rules {
    /// Ranges into a section are 32 bits wide with one bit spent on a flag, so it is never longer than 1 GiB.
    init(
        startLine: SectionReader.Bound? = nil, fieldLine: Int, fieldCount: Int, section: Int, named kind: Violation.Kind
    ) {
        self.init(
            startLine: startLine, fieldLine: .init(most: fieldLine, kind: .fieldLineTooLong),
            fieldCount: .init(most: fieldCount, kind: .tooManyFields),
            section: .init(most: min(section, 1 << 30), kind: kind))
    }
}

extension RequestLimits {
    var head: SectionReader.Rules {
        SectionReader.Rules(
            startLine: .init(most: requestLineByteCount, kind: .requestLineTooLong), fieldLine: fieldLineByteCount,
            fieldCount: fieldCount, section: headByteCount, named: .headTooLarge)
    }

    var content: ContentLimits {
        ContentLimits(
            bodyByteCount: bodyByteCount, chunkLineByteCount: chunkLineByteCount,
            trailers: SectionReader.Rules(
                fieldLine: fieldLineByteCount, fieldCount: fieldCount, section: trailerByteCount,
                named: .trailersTooLarge))
    }
}

extension ReplyLimits {
    var head: SectionReader.Rules {
        SectionReader.Rules(
            startLine: .init(most: statusLineByteCount, kind: .statusLineTooLong), fieldLine: fieldLineByteCount,
            fieldCount: fieldCount, section: headByteCount, named: .headTooLarge)
    }

    var content: ContentLimits {
        ContentLimits(
            bodyByteCount: bodyByteCount, chunkLineByteCount: chunkLineByteCount,
            trailers: SectionReader.Rules(
                fieldLine: fieldLineByteCount, fieldCount: fieldCount, section: trailerByteCount,
                named: .trailersTooLarge))
    }
}
