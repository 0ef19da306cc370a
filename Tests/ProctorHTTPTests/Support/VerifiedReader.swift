import ProctorHTTP

/// A reader of either direction, as the verifier sees it.
protocol VerifiedReader {
    associatedtype Head: Equatable & Sendable
    mutating func nextEvent(_ input: Span<UInt8>, at offset: inout Int) -> ReaderEvent<Head>?
    mutating func endEvent() -> ReaderEvent<Head>?
}

/// What both readers can say; a fatal violation is a refusal here.
enum ReaderEvent<Head> {
    case head(Head)
    case content(Range<Int>)
    case chunk(byteCount: Int, extensions: [UInt8])
    case trailers(FieldSection)
    case violation(Violation)
    case end
    case refused(Violation)
}

extension RequestReader: VerifiedReader {
    mutating func nextEvent(_ input: Span<UInt8>, at offset: inout Int) -> ReaderEvent<RequestHead>? {
        next(input, at: &offset).map(Self.event)
    }

    mutating func endEvent() -> ReaderEvent<RequestHead>? { end().map(Self.event) }

    private static func event(_ event: RequestEvent) -> ReaderEvent<RequestHead> {
        switch event {
        case .head(let head): .head(head)
        case .content(let range): .content(range)
        case .chunk(let byteCount, let extensions): .chunk(byteCount: byteCount, extensions: extensions)
        case .trailers(let fields): .trailers(fields)
        case .violation(let violation): .violation(violation)
        case .end: .end
        case .refused(let violation): .refused(violation)
        }
    }
}

extension ReplyReader: VerifiedReader {
    mutating func nextEvent(_ input: Span<UInt8>, at offset: inout Int) -> ReaderEvent<ReplyHead>? {
        next(input, at: &offset).map(Self.event)
    }

    mutating func endEvent() -> ReaderEvent<ReplyHead>? { end().map(Self.event) }

    private static func event(_ event: ReplyEvent) -> ReaderEvent<ReplyHead> {
        switch event {
        case .head(let head): .head(head)
        case .content(let range): .content(range)
        case .chunk(let byteCount, let extensions): .chunk(byteCount: byteCount, extensions: extensions)
        case .trailers(let fields): .trailers(fields)
        case .violation(let violation): violation.isFatal ? .refused(violation) : .violation(violation)
        case .end: .end
        }
    }
}
