import ProctorBase

/// Reads HTTP/1.0 and HTTP/1.1 requests from the bytes of one connection, however they are cut.
///
/// Pure: bytes in, events out. Between requests it holds no buffer. The same bytes give the same events at any split,
/// except that content ranges end where the input ends.
public struct RequestReader: Sendable {
    let limits: RequestLimits
    let headRules: SectionReader.Rules
    var state = State.head
    /// Bytes of this request before its head.
    var position = 0
    var section = SectionReader()
    var requestLine: RequestLine?
    var findings: Findings
    var emptyLines = EmptyLines()
    var content: ContentReader
    /// Events that were found together, last first.
    var pending: [RequestEvent] = []
    var asksToClose = false

    enum State: Sendable, Equatable {
        /// Next: content, refused.
        case head
        /// Also for a request without any, whose end is to be given out. Next: head, refused.
        case content
        case refused
    }

    /// Stands before the first request of a connection.
    ///
    /// With `acceptsAnything` a head is refused only where it has no reading: no method or no target, another protocol
    /// (TLS, HTTP/2), or a passed limit. Other departures are noted as ``Violation/isReadOver``. What is no field line
    /// is passed over; where the framing fields leave the end of the content open, none is read, and ``RequestHead/keepsConnection``
    /// is false. Content is read as strictly as ever.
    public init(limits: RequestLimits = RequestLimits(), acceptsAnything: Bool = false) {
        self.limits = limits
        headRules = limits.head
        findings = Findings(of: .request, acceptsAnything: acceptsAnything)
        content = ContentReader(limits: limits.content, of: .request, acceptsAnything: acceptsAnything)
    }

    /// Reads on from `input[offset]` and moves `offset` past what was consumed.
    ///
    /// Nil: all input was consumed and more is needed. To be called until nil, since one byte can end more than one
    /// thing; after a refusal it swallows everything.
    public mutating func next(_ input: Span<UInt8>, at offset: inout Int) -> RequestEvent? {
        if let event = pending.popLast() { return event }
        switch state {
        case .head: return readHead(input, &offset)
        case .content: return take(content.next(input, at: &offset))
        case .refused:
            offset = max(offset, input.count)
            return nil
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
                let byteCount = section.byteCount + (emptyLines.hasCR ? 1 : 0)
                return refuse(Violation(.incompleteHead, at: position + section.byteCount, bound: byteCount))
            }
            pending = findings.take().reversed().map { .violation($0) }
            return pending.popLast()
        case .content: return take(content.end())
        case .refused: return nil
        }
    }

    /// True while nothing of a next request has arrived; empty lines before it are not counted as such.
    public var isBetweenRequests: Bool { state == .head && !hasPartialHead && pending.isEmpty }

    /// True when some bytes of a request line are there, but not yet the empty line that ends the head.
    public var hasPartialHead: Bool { state == .head && section.byteCount > 0 }

    /// The bytes of a head that has begun and is not complete, without empty lines before it.
    public var partialHead: [UInt8] { state == .head ? section.heldBytes : [] }

    private mutating func take(_ event: ContentReader.Event?) -> RequestEvent? {
        switch event {
        case .content(let range): return .content(range)
        case .chunk(let byteCount, let extensions): return .chunk(byteCount: byteCount, extensions: extensions)
        case .trailers(let fields): return .trailers(fields)
        case .violation(let violation): return .violation(violation)
        case .end:
            state = .head
            position = 0
            return .end
        case .refused(let violation):
            state = .refused
            return .refused(violation)
        case nil: return nil
        }
    }

    /// Gives out what was found before, then the refusal; nothing is read after it.
    mutating func refuse(_ violation: Violation) -> RequestEvent? {
        state = .refused
        section = SectionReader()
        pending = [.refused(violation)] + findings.take().reversed().map { .violation($0) }
        return pending.popLast()
    }
}

extension RequestReader {
    mutating func readHead(_ input: Span<UInt8>, _ offset: inout Int) -> RequestEvent? {
        do throws(Violation) {
            if section.byteCount == 0 {
                guard try findRequestLine(input, &offset) else { return nil }
            }
            let start = offset
            while true {
                switch section.next(in: input, from: start, at: &offset, rules: headRules) {
                case .needsMore: return nil
                case .startLine: try readRequestLine(input.extracting(start..<offset))
                case .complete: return .head(try completeHead(input.extracting(start..<offset)))
                case .refused(let bound, let at): throw Violation(bound.kind, at: position + at, bound: bound.most)
                }
            }
        } catch {
            return refuse(error)
        }
    }

    /// Passes over empty lines; true at a byte that can begin a request line.
    ///
    /// A byte that cannot is refused at once: a peer that speaks TLS, or anything else without lines, would wait for us
    /// for ever.
    private mutating func findRequestLine(_ input: Span<UInt8>, _ offset: inout Int) throws(Violation) -> Bool {
        while offset < input.count {
            let byte = input[offset]
            switch emptyLines.take(byte, at: position, limit: limits.emptyLineCount, findings: &findings) {
            case .consumed:
                offset += 1
                position += 1
            case .bareCR: throw Violation(.bareCR, at: position - 1, detail: [.carriageReturn, byte])
            case .tooMany:
                throw Violation(
                    .tooManyEmptyLines, at: emptyLines.hasCR ? position - 1 : position, bound: limits.emptyLineCount)
            case .startLineBegins:
                guard byte.isTokenByte || byte.isStartLineBlank || findings.acceptsAnything && !byte.isControl else {
                    throw Violation(byte == 0x16 ? .tlsHandshake : .badMethod, at: position, detail: [byte])
                }
                // RFC 9112 §9.6 forbids a peer that said close to go on. Whether it is heard is the server's business.
                if asksToClose { findings.note(.requestAfterClose, at: position) }
                asksToClose = false
                findings.base = position
                return true
            }
        }
        return false
    }

    /// The line is complete, at the end of `arrived`; it is judged now, so that a peer that sends no more is answered.
    private mutating func readRequestLine(_ arrived: Span<UInt8>) throws(Violation) {
        if let line = section.joined(arrived) {
            requestLine = try RequestLine(line.span, end: line.count, limits: limits, findings: &findings)
        } else {
            requestLine = try RequestLine(arrived, end: arrived.count, limits: limits, findings: &findings)
        }
    }

    /// The head is complete, at the end of `arrived`.
    private mutating func completeHead(_ arrived: Span<UInt8>) throws(Violation) -> RequestHead {
        guard let line = requestLine else { throw Violation(.missingTarget, at: position) }
        var parser = FieldParser(lineCount: section.fieldCount)
        let bytes = section.finish(arrived)
        try parser.parse(bytes.span, from: line.end, findings: &findings)
        let meaning = try RequestMeaning(
            bytes.span, line: line, entries: parser.entries, unfolded: parser.unfolded.span, limits: limits,
            findings: &findings)
        let head = RequestHead(
            fields: FieldSection(bytes: bytes, unfolded: parser.unfolded, entries: parser.entries),
            precedingByteCount: position, line: line, meaning: meaning, violations: findings.take())

        asksToClose = meaning.asksToClose
        requestLine = nil
        emptyLines = EmptyLines()
        content.begin(meaning.framing.content, at: position + bytes.count)
        state = .content
        return head
    }
}

extension RequestReader {
    /// Leaves the content of the current request unread: the next byte is one of the next head.
    ///
    /// Only for a client that asked whether to send its content, was answered with a final status, and so keeps it
    /// (RFC 9110 §10.1.1). Does nothing between requests, and nothing after a refusal.
    public mutating func leaveContent() {
        guard state == .content else { return }
        pending = []
        state = .head
        position = 0
    }
}

/// What a reader found next; a request is `head`, any number of the others, and `end`, or it is `refused`.
public enum RequestEvent: Sendable, Equatable {
    /// A complete head. Content events and at last `end` follow, also for a request without content.
    case head(RequestHead)
    /// Content bytes, as a range of the input handed in; not copied.
    case content(Range<Int>)
    /// A chunk-size line was read, the last one (0) too; `extensions` are its raw bytes after the size.
    case chunk(byteCount: Int, extensions: [UInt8])
    /// The trailer fields, only when there are any.
    case trailers(FieldSection)
    /// A departure that can be read over, found after the head, or before a fatal one in a head that is refused.
    case violation(Violation)
    /// The request is complete; the next byte belongs to another one.
    case end
    /// The request cannot be read on; the reader swallows everything after.
    case refused(Violation)
}
