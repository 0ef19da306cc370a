/// The limits of a request reader, in bytes unless stated otherwise.
public struct RequestLimits: Sendable, Equatable {
    /// Empty lines before a request line, as a number of lines.
    public var emptyLineCount: Int
    /// The longest method; a longer one is answered with 501 (RFC 9112 §3).
    public var methodByteCount: Int
    /// The longest target; RFC 9112 §3 recommends request lines of at least 8000.
    public var targetByteCount: Int
    /// One line with its line end; each line of a folded field counts separately.
    public var fieldLineByteCount: Int
    /// Field lines of a head or of a trailer section, as a number of lines.
    public var fieldCount: Int
    /// Request line and field section with all line ends; never more than 1 GiB, since ranges have 32 bits.
    public var headByteCount: Int
    /// A chunk-size line with its extensions, without the line end.
    public var chunkLineByteCount: Int
    /// The whole trailer section with all line ends; never more than 1 GiB.
    public var trailerByteCount: Int
    /// Content without chunk framing.
    ///
    /// Content is not stored, so this bounds time and not memory.
    public var bodyByteCount: Int

    /// The defaults are slightly above those of common servers.
    public init(
        emptyLineCount: Int = 8, methodByteCount: Int = 256, targetByteCount: Int = 8192,
        fieldLineByteCount: Int = 32 << 10, fieldCount: Int = 200, headByteCount: Int = 64 << 10,
        chunkLineByteCount: Int = 4096, trailerByteCount: Int = 16 << 10, bodyByteCount: Int = 1 << 40
    ) {
        (self.emptyLineCount, self.methodByteCount) = (emptyLineCount, methodByteCount)
        (self.targetByteCount, self.fieldLineByteCount) = (targetByteCount, fieldLineByteCount)
        (self.fieldCount, self.headByteCount, self.chunkLineByteCount) = (fieldCount, headByteCount, chunkLineByteCount)
        (self.trailerByteCount, self.bodyByteCount) = (trailerByteCount, bodyByteCount)
    }

    var requestLineByteCount: Int { Self.sum(Self.sum(methodByteCount, targetByteCount), 32) }

    private static func sum(_ left: Int, _ right: Int) -> Int {
        let (sum, overflow) = left.addingReportingOverflow(right)
        return overflow ? .max : sum
    }
}

/// The limits of a reply reader, in bytes unless stated otherwise.
package struct ReplyLimits: Sendable, Equatable {
    /// Empty lines before a status line, as a number of lines.
    package var emptyLineCount: Int
    /// Version, status and reason with the line end.
    package var statusLineByteCount: Int
    /// One line with its line end; each line of a folded field counts separately.
    package var fieldLineByteCount: Int
    /// Field lines of a head or of a trailer section, as a number of lines.
    package var fieldCount: Int
    /// Status line and field section with all line ends; never more than 1 GiB, since ranges have 32 bits.
    package var headByteCount: Int
    /// Interim replies before a final one, as a number of replies; each may be as long as a head.
    package var interimCount: Int
    /// A chunk-size line with its extensions, without the line end.
    package var chunkLineByteCount: Int
    /// The whole trailer section with all line ends; never more than 1 GiB.
    package var trailerByteCount: Int
    /// Content without chunk framing, also if it ends at close; a tunnel has no limit.
    ///
    /// Content is not stored, so this bounds time and not memory.
    package var bodyByteCount: Int

    /// The defaults are the limits of browsers and curl: heads of 256 KiB, lines of 100 KiB.
    package init(
        emptyLineCount: Int = 8, statusLineByteCount: Int = 8192, fieldLineByteCount: Int = 100 << 10,
        fieldCount: Int = 1000, headByteCount: Int = 256 << 10, interimCount: Int = 32, chunkLineByteCount: Int = 4096,
        trailerByteCount: Int = 64 << 10, bodyByteCount: Int = 1 << 40
    ) {
        (self.emptyLineCount, self.statusLineByteCount) = (emptyLineCount, statusLineByteCount)
        (self.fieldLineByteCount, self.fieldCount, self.headByteCount) = (fieldLineByteCount, fieldCount, headByteCount)
        (self.interimCount, self.chunkLineByteCount) = (interimCount, chunkLineByteCount)
        (self.trailerByteCount, self.bodyByteCount) = (trailerByteCount, bodyByteCount)
    }
}

/// The limits that requests and replies share.
protocol MessageLimits {
    var startLine: SectionReader.Bound { get }
    var emptyLineCount: Int { get }
    var fieldLineByteCount: Int { get set }
    var fieldCount: Int { get set }
    var headByteCount: Int { get }
    var chunkLineByteCount: Int { get set }
    var trailerByteCount: Int { get set }
    var bodyByteCount: Int { get set }
}

extension MessageLimits {
    var head: SectionReader.Rules { rules(startLine: startLine, section: headByteCount, named: .headTooLarge) }

    var content: ContentLimits {
        ContentLimits(
            bodyByteCount: bodyByteCount, chunkLineByteCount: chunkLineByteCount,
            trailers: rules(startLine: nil, section: trailerByteCount, named: .trailersTooLarge))
    }

    /// A section is never longer than 1 GiB: its ranges have 32 bits, one of them a flag.
    private func rules(
        startLine: SectionReader.Bound?, section: Int, named kind: Violation.Kind
    ) -> SectionReader.Rules {
        SectionReader.Rules(
            startLine: startLine, fieldLine: .init(most: fieldLineByteCount, kind: .fieldLineTooLong),
            fieldCount: .init(most: fieldCount, kind: .tooManyFields),
            section: .init(most: min(section, 1 << 30), kind: kind))
    }
}

extension RequestLimits: MessageLimits {
    var startLine: SectionReader.Bound { .init(most: requestLineByteCount, kind: .requestLineTooLong) }
}

extension ReplyLimits: MessageLimits {
    var startLine: SectionReader.Bound { .init(most: statusLineByteCount, kind: .statusLineTooLong) }
}

struct ContentLimits: Sendable {
    let bodyByteCount: Int
    let chunkLineByteCount: Int
    let trailers: SectionReader.Rules
}

/// What a reader looks up while it reads; one object for all readers with these limits, since a reader is kept for each
/// connection that waits.
final class MessageRules: Sendable {
    let emptyLineCount: Int
    let head: SectionReader.Rules
    let content: ContentLimits

    init(_ limits: some MessageLimits) {
        emptyLineCount = limits.emptyLineCount
        head = limits.head
        content = limits.content
    }
}

/// The limits of requests, and what follows from them.
package final class RequestRules: Sendable {
    package let limits: RequestLimits
    let message: MessageRules

    package init(_ limits: RequestLimits = RequestLimits()) {
        self.limits = limits
        message = MessageRules(limits)
    }
}
