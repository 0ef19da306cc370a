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
    /// is passed over; where the framing fields leave the end of the content open, none is read, and ``RequestHead/keepsAlive``
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
