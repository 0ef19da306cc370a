/// Reads HTTP/1.0 and HTTP/1.1 requests from the bytes of one connection, however they are cut.
///
/// Pure: bytes in, events out. Between requests it holds no buffer. The same bytes give the same events at any split,
/// except that content ranges end where the input ends.
public struct RequestReader: Sendable {
    let limits: RequestLimits
    var state = State.head
    /// Bytes of this request before the section being read.
    var position = 0
    var scanner = LineScanner()
    /// What of the section being read came with earlier input.
    var held: [UInt8] = []
    var requestLine: RequestLine?
    var findings = Findings(base: 0)
    var emptyLines = EmptyLines()
    var chunkLine = ChunkLine()
    /// Content bytes of chunks announced so far.
    var contentByteCount = 0
    /// Events that were found together, last first.
    var pending: [RequestEvent] = []
    var asksToClose = false

    enum State: Sendable, Equatable {
        /// Next: length, chunkLine, end, refused.
        case head
        /// Bytes that are missing. Next: end, refused.
        case length(Int)
        /// Next: chunkContent, trailers, refused.
        case chunkLine
        /// Bytes that are missing. Next: chunkEnd, refused.
        case chunkContent(Int)
        /// The CRLF behind a chunk. Next: chunkLine, refused.
        case chunkEnd(hasCR: Bool)
        /// Next: end, refused.
        case trailers
        /// Everything was read, the event is to be given out. Next: head.
        case end
        case refused
    }

    /// Stands before the first request of a connection.
    public init(limits: RequestLimits = RequestLimits()) {
        self.limits = limits
    }

    /// Reads on from `input[offset]` and moves `offset` past what was consumed.
    ///
    /// Nil: all input was consumed and more is needed. To be called until nil, since one byte can end more than one
    /// thing; after a refusal it swallows everything.
    public mutating func next(_ input: Span<UInt8>, at offset: inout Int) -> RequestEvent? {
        if let event = pending.popLast() { return event }
        while true {
            switch state {
            case .head: return readHead(input, &offset)
            case .length(let missing):
                guard let range = take(missing, input, &offset) else { return nil }
                state = range.count == missing ? .end : .length(missing - range.count)
                return .content(range)
            case .chunkLine: return readChunkLine(input, &offset)
            case .chunkContent(let missing):
                guard let range = take(missing, input, &offset) else { return nil }
                state = range.count == missing ? .chunkEnd(hasCR: false) : .chunkContent(missing - range.count)
                return .content(range)
            case .chunkEnd(let hasCR):
                guard offset < input.count else { return nil }
                guard input[offset] == (hasCR ? .lineFeed : .carriageReturn) else {
                    return refuse(Violation(.missingCRLFAfterChunk, at: position, detail: [input[offset]]))
                }
                offset += 1
                position += 1
                state = hasCR ? .chunkLine : .chunkEnd(hasCR: true)
            case .trailers: return readTrailers(input, &offset)
            case .end:
                beginNextRequest()
                return .end
            case .refused:
                offset = max(offset, input.count)
                return nil
            }
        }
    }

    /// The peer sent FIN: tells what that cut short, or nil when it came between requests; to be called until nil.
    ///
    /// Empty lines that no request followed come as a `.violation` here, as they belong to no head.
    public mutating func end() -> RequestEvent? {
        if let event = pending.popLast() { return event }
        switch state {
        case .head:
            if hasPartialHead || emptyLines.hasCR {
                let byteCount = scanner.byteCount + (emptyLines.hasCR ? 1 : 0)
                return refuse(Violation(.incompleteHead, at: position + scanner.byteCount, bound: byteCount))
            }
            pending = findings.violations.reversed().map { .violation($0) }
            findings = Findings(base: 0)
            return pending.popLast()
        case .length(let missing):
            return refuse(Violation(.incompleteContent, at: position, bound: missing))
        case .chunkLine, .chunkContent, .chunkEnd, .trailers:
            return refuse(Violation(.incompleteChunkedContent, at: position + scanner.byteCount + chunkLine.byteCount))
        case .end:
            beginNextRequest()
            return .end
        case .refused: return nil
        }
    }

    /// True while nothing of a next request has arrived; empty lines before it are not counted as such.
    public var isBetweenRequests: Bool { state == .head && !hasPartialHead && pending.isEmpty }

    /// True when some bytes of a request line are there, but not yet the empty line that ends the head.
    public var hasPartialHead: Bool { state == .head && scanner.byteCount > 0 }

    private mutating func take(_ missing: Int, _ input: Span<UInt8>, _ offset: inout Int) -> Range<Int>? {
        guard offset < input.count else { return nil }
        let range = offset..<offset + min(missing, input.count - offset)
        offset = range.upperBound
        position += range.count
        return range
    }

    mutating func beginNextRequest() {
        state = .head
        position = 0
        contentByteCount = 0
    }

    /// Gives out what was found before, then the refusal; nothing is read after it.
    mutating func refuse(_ violation: Violation) -> RequestEvent? {
        state = .refused
        held = []
        findings.sort()
        pending = [.refused(violation)] + findings.violations.reversed().map { .violation($0) }
        findings = Findings(base: 0)
        return pending.popLast()
    }
}
